// Judges what transactions do in a timed run, while they do it: whether those that commit could have run one after the
// other, whether memory holds something of those that abort, and whether each read got what memory held.
//
// Whoever executes transactions tells at which moment words are read and written (models/transactions). From that the
// monitor numbers the versions of each word, and protocols::transactions::Serializability looks for cycles. Of each
// word that a transaction has touched it knows the value, too, as far as it has been told: of what was written, and of
// what was read before.
//
// Only transactions are judged. What is stored outside of them, or by the host, makes a version of nobody, of which the
// monitor knows no more than that the word was stored to: from then on until the machine is empty, reads of the word
// that got something else than the transactions before wrote count as reads of nobody's version, which order nothing.
// A value that happens to be the same counts as read from the transaction that wrote it last.
//
// Memory is bounded: transactions by the window; a version number, a value and its writer for each word that
// transactions touch; and a filter of fixed size for the words of others, which may take some more for such.
#pragma once

#include <boost/container/small_vector.hpp>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/lane_mask.h"
#include "base/stats.h"
#include "models/cache/line_event.h"
#include "models/sm/seams/warp_events.h"
#include "models/transactions/transaction_listener.h"
#include "platform/gpu/gpu.h"
#include "platform/spec/observe_spec.h"
#include "protocols/transactions/serializability.h"

namespace syncline::platform {

/// Of one GPU. Throws ModelError where TransactionListener says so.
class TransactionMonitor final : public models::TransactionListener,
                                 public models::WarpEvents,
                                 private tlm::tlm_analysis_if<models::LineEvent> {
 public:
  /// Where in the program's text an instruction of a grid stands; empty: no longer known.
  using Where = std::function<std::string(base::GridId grid, const isa::Op& op)>;

  explicit TransactionMonitor(const ObserveSpec& spec);
  /// Subscribes to the homes of `gpu`, whose SMs have this among their listeners. Its statistics are called
  /// `block`.committed and so on. Before simulation starts.
  void attach(Gpu& gpu, base::StatisticsRegistry& statistics, const std::string& block, Where where);

  /// "1234 committed, 56 aborted; at most 78 remembered; values of 90 reads compared, of 0 not"
  std::string summary() const;
  /// Transactions that have neither ended nor aborted, one line each.
  std::vector<std::string> left_over() const;

  // TransactionListener
  Word shared_word(const models::WarpIdentity& warp, std::uint32_t word) const override;
  Attempt running(unsigned sm, unsigned slot, unsigned lane) const override;
  Attempt begun(const models::WarpIdentity& warp, unsigned lane) override;
  void read(Attempt attempt, Word word) override;
  void asked(Ticket ticket, Attempt attempt, Word word) override;
  void will_write(Ticket ticket, Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes) override;
  void performed(Ticket ticket) override;
  void dropped(Ticket ticket) override;
  void value(Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes) override;
  void again(Attempt attempt, Word word) override;
  void wrote(Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes) override;
  void changed(Attempt attempt, Word word) override;
  void committed(Attempt attempt) override;
  void ended(Attempt attempt) override;
  void aborted(Attempt attempt) override;

  // WarpEvents
  void cta_launched(base::SmId, base::CtaSlot, base::GridId, base::Dim3, unsigned) override;
  void cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3) override { --ctas_; }
  void issued(const models::WarpIdentity& warp, const isa::Op& op, base::LaneMask lanes) override;
  void transaction_begun(const models::WarpIdentity& warp, base::LaneMask lanes) override;
  void memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) override;
  void shared_access(const models::WarpIdentity& warp, const isa::Op& op, const isa::MemoryAccess& access) override;

 private:
  using Order = protocols::transactions::Serializability;

  /// What is known of the newest version of a word, or was of that which was read.
  struct Content {
    std::uint32_t value = 0;
    std::uint8_t known = 0;  ///< bytes of it
    Attempt writer = 0;      ///< 0: nobody, or it is not known
  };
  struct WordState : Content {
    std::uint64_t phase = 0;  ///< in which its value was told; of older ones it is not known any more
  };
  struct Read {
    Word word;
    Order::Version version;
    Content content;
    bool has_value = false;
    bool of_nobody = false;
  };
  struct Running {
    models::WarpIdentity warp;
    unsigned lane = 0;
    bool committed = false;
    std::vector<Read> reads;
    std::unordered_set<Word> touched;  ///< of shared memory
  };
  /// Of an attempt, for as long as it may be named.
  struct Who {
    models::WarpIdentity warp;
    unsigned lane = 0;
    const isa::Op* begin = nullptr;
  };
  struct Asked {
    Attempt attempt;
    Word word;
    std::uint32_t value = 0;
    std::uint8_t bytes = 0;  ///< that are written; none: the word is read
  };
  /// Of a warp slot.
  struct SlotState {
    const isa::Op* newest_begin = nullptr;  ///< that was issued
    std::array<const isa::Op*, base::max_lanes> begins{};
    std::array<Attempt, base::max_lanes> attempts{};  ///< 0: the lane is in no transaction
  };
  /// Words to which others than transactions have stored since the machine was empty; some others, too.
  class Strangers {
   public:
    void clear() { bits_.assign(words, 0); }
    void add(Word word) { bits_[place(word) / 64] |= std::uint64_t{1} << (place(word) % 64); }
    bool has(Word word) const { return (bits_[place(word) / 64] >> (place(word) % 64) & 1U) != 0; }

   private:
    static constexpr std::size_t words = 1U << 14;
    static std::size_t place(Word word);
    std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(words);
  };

  void write(const models::LineEvent& event) override;
  Running& running(Attempt attempt, const char* does);
  Running& undecided(Attempt attempt, const char* does);
  SlotState& slot_of(const models::WarpIdentity& warp);
  Content content_of(Word word) const;
  void note(Running& running, Word word);
  void learn(const Read& read, std::uint32_t value, std::uint8_t bytes);
  void leave(const Running& running);
  void touch(Running& running, Word word);
  void judge() const;
  std::string describe(Attempt attempt) const;

  std::size_t window_;
  Order order_;
  Where where_;
  Attempt attempts_ = 0;
  std::unordered_map<Attempt, Running> running_;
  std::deque<Who> names_;  ///< of the last attempts
  std::unordered_map<Word, WordState> words_;
  std::unordered_multiset<Word> touched_;  ///< by all that run
  std::unordered_map<Ticket, boost::container::small_vector<Asked, 2>> tickets_;
  std::vector<std::vector<SlotState>> slots_;  ///< by SM
  Strangers strangers_;
  std::uint64_t phase_ = 0;  ///< how often the machine has been empty
  unsigned ctas_ = 0;
  unsigned sms_ = ~0U;
  std::uint64_t launched_ = 0;                                     ///< CTAs
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> newest_;  ///< by SM and CTA slot: the one of `launched_`
  std::uint64_t compared_ = 0, not_compared_ = 0, of_nobody_ = 0;
};

}  // namespace syncline::platform
