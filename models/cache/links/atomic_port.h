// The slice's way to its atomic unit: read-modify-writes of lines over sockets with the traits AtomicProtocol, so that
// any unit plugs in.
#pragma once

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/ids.h"
#include "base/lane_mask.h"
#include "base/line_data.h"
#include "base/stats.h"
#include "models/atomic_unit/atomic_work.h"
#include "models/cache/links/due_answers.h"
#include "models/transport/four_phases.h"
#include "models/transport/message.h"

namespace syncline::models {

class AtomicPort : public tlm::tlm_mm_interface, private FourPhases<AtomicProtocol>::Listener {
  FourPhases<AtomicProtocol> link_;

 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    /// An answer arrives at `at`, or the unit takes another request, or there is room again.
    virtual void atomics_ready(const sc_core::sc_time& at) = 0;
  };

  /// One request to the unit. Stays at its address for life; the port reuses it.
  struct Transaction {
    tlm::tlm_generic_payload payload;
    AtomicWork work;
    base::LineData data{};                           ///< old bytes on the way there, new ones in the answer
    std::array<AtomicValue, base::max_lanes> old{};  ///< what the lanes found
    Message* message = nullptr;
    base::LineAddress line;
    std::uint64_t number = 0;  ///< order of creation
    std::uint64_t answer_ps = 0;
    bool marks_dirty = false;  ///< Action::marks_dirty of the write
    bool may_hit = false;      ///< counts as a hit if it is answered
    bool used = false;
    bool sent = false;
    bool at_once = false;   ///< the unit answered in the call; its answer is not among those that `answer` gives
    bool outdated = false;  ///< bytes that the unit has were changed from outside: it is to be asked again
  };

  /// `capacity` requests may be under way at a time.
  AtomicPort(const std::string& name, Listener& listener, unsigned line_bytes, std::uint32_t capacity);
  ~AtomicPort() override;

  bool room() const { return !free_.empty(); }
  /// The unit is asked to perform the atomic of `message` on the line, which holds `data`: at once, or when it takes
  /// another request (`issue`).
  Transaction& ask(Message& message, base::LineAddress line, const base::LineData& data);
  /// Sends what waits for the unit to take it.
  void issue();

  /// Time of the oldest answer that is not taken yet; ~0 when there is none.
  std::uint64_t next_answer_ps() const { return answers_.next_ps(); }
  /// The oldest answer, when it has arrived by `now_ps`. Take it, and give it back with `done`, or ask again.
  Transaction* answer(std::uint64_t now_ps) { return answers_.due(now_ps); }
  void take(Transaction&) { answers_.pop(); }
  void ask_again(Transaction& transaction, const base::LineData& data);
  void done(Transaction& transaction);

  /// Bytes of the line were changed from outside.
  void changed(base::LineAddress line, const base::ByteMask& mask, const base::LineData& data);

  std::uint32_t in_flight() const { return static_cast<std::uint32_t>(storage_.size() - free_.size()); }
  std::vector<std::string> describe() const;

  decltype(FourPhases<AtomicProtocol>::socket)& socket = link_.socket;

  /// Registers the statistics of atomics for the block that owns the port: `add(name, unit, description, statistic)`.
  template <class Add>
  void statistics(Add&& add) const {
    add("atomic_requests", "requests", "atomic requests applied", requests_);
    add("atomic_operations", "operations", "lanes of atomic requests applied", operations_);
    add("atomic_busy_cycles", "cycles", "cycles in which the atomic unit worked", busy_cycles_);
    add("atomic_contention", "lanes", "lanes of a request on its most wanted address", contention_);
    add("atomic_queueing", "cycles", "wait until the atomic unit was free", queueing_);
  }

 private:
  void free(tlm::tlm_generic_payload* payload) override;
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) override;
  void request_taken(const sc_core::sc_time& at) override { listener_.atomics_ready(at); }
  Transaction& owner_of(const tlm::tlm_generic_payload& payload);
  void submit(Transaction& transaction, const base::LineData& data);
  void send(Transaction& transaction);
  void note_answer(Transaction& transaction, const sc_core::sc_time& at);

  Listener& listener_;
  unsigned line_bytes_;
  std::vector<Transaction> storage_;  ///< never grows: the unit holds pointers to its payloads
  std::vector<Transaction*> free_;
  boost::circular_buffer<Transaction*> waiting_;
  DueAnswers<Transaction> answers_;
  std::uint64_t created_ = 0;
  base::Counter requests_, operations_, busy_cycles_;
  base::Distribution contention_, queueing_;
};

}  // namespace syncline::models
