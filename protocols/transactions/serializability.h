// Judges what transactions did, while it happens: is there an order in which they could have run one after the other?
//
// Told are the versions of words that transactions read, and in which order memory was written. From that follow edges
// between transactions: who wrote a version comes before those who read it and before who wrote the next one, which
// comes behind those who read the version before (A. Adya, "Weak consistency", PhD thesis, MIT, 1999). There must be no
// cycle. Besides, memory must hold nothing of a transaction that aborted, and a transaction must not read what was
// overwritten before it began by one that had ended: that needs no cycle to be wrong, and never happens where loads
// come from memory.
//
// Memory is bounded without loss: a transaction without predecessors that has outlived all those that ran beside it
// will never be on a cycle, and is forgotten. Of the rest at most `window` are remembered. What stays is a number for
// each word that was ever written.
//
//   Serializability order;
//   order.begin(1);  order.read(1, x, order.version(x));  order.write(1, x);  order.commit(1);
//   if (order.violation()) ...
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace syncline::protocols::transactions {

class Serializability {
 public:
  using Id = std::uint64_t;
  using Word = std::uint64_t;
  /// How often a word had been written; 0: never.
  using Version = std::uint64_t;

  struct Options {
    std::size_t window = 100'000;  ///< transactions that are remembered
  };
  enum class Fault : std::uint8_t {
    cycle,           ///< no order explains what they did
    stale_read,      ///< `steps` has one: what was read had been overwritten by a transaction that ended before
    aborted_writes,  ///< `steps` has one: a word holds what an aborted transaction has written
  };
  enum class Reason : std::uint8_t {
    reads_from,  ///< `to` read what `from` wrote
    overwrites,  ///< `to` wrote over what `from` wrote
    read_before  ///< `to` wrote over what `from` read
  };
  struct Step {
    Id from, to;
    Reason reason;
    Word word;
  };
  struct Violation {
    Fault fault;
    std::vector<Step> steps;  ///< each leads to the next, the last to the first
  };
  struct Counts {
    std::uint64_t committed = 0, aborted = 0;
    std::uint64_t not_judged = 0;  ///< reads that may lack an edge to a transaction that fell out of the window
    std::size_t peak = 0;          ///< transactions that were remembered
  };

  Serializability() = default;
  explicit Serializability(const Options& options) : options_(options) {}

  /// A transaction, or another attempt of one, before it does anything. ModelError for one that runs. The number of one
  /// that has ended may be used again.
  void begin(Id id);
  /// The newest version that memory holds.
  Version version(Word word) const;
  /// A running transaction has read the word as it was then; not what it has written itself.
  void read(Id id, Word word, Version version);
  /// Memory is written for a running transaction. Returns the version that this makes.
  Version write(Id id, Word word);
  /// All that the transaction does has been told.
  void commit(Id id);
  void abort(Id id);

  /// The first that was found.
  const std::optional<Violation>& violation() const { return violation_; }
  const Counts& counts() const { return counts_; }
  std::size_t remembered() const { return nodes_.size() - free_.size(); }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot nobody = ~Slot{0};
  struct Edge {
    Slot to;
    std::uint32_t life;  ///< of `to`
    Reason reason;
    Word word;
  };
  struct Touch {
    Word word;
    Version version;
  };
  struct Node {
    Id id = 0;
    std::uint32_t life = 0;
    bool committed = false, closed = false;
    std::uint64_t begun = 0, ended = 0;  ///< when
    std::uint32_t in = 0;                ///< edges to it
    std::vector<Edge> out;
    std::vector<Touch> reads, writes;
    std::uint32_t seen = 0;  ///< number of the search that met it last
    Slot from = nobody;      ///< in that search: who led to it, and by which edge
    std::size_t edge = 0;
  };
  struct Written {
    Version version = 0;
    Slot writer = nobody;  ///< nobody: the beginning, or it is forgotten
    std::vector<Slot> readers;
  };
  struct Record {
    std::vector<Written> versions{1};  ///< the newest last
    Version lost = 0;                  ///< the newest whose writer fell out of the window
    Written* find(Version version);
  };

  Slot slot_of(Id id) const;
  void connect(Slot from, Slot to, Reason reason, Word word);
  void note_read(Slot reader, const Touch& read);
  void search(Slot start);
  void report(Fault fault, std::vector<Step> steps);
  void close();
  void make_room();
  void forget(Slot slot);
  void forget_in_records(Slot slot);
  void prune(Word word);
  void release(Slot slot);

  Options options_;
  std::vector<Node> nodes_;
  std::vector<Slot> free_;
  std::unordered_map<Id, Slot> by_id_;  ///< that run
  std::unordered_map<Word, Record> words_;
  std::map<std::uint64_t, Slot> running_;             ///< by when they began
  std::deque<std::pair<Slot, std::uint32_t>> ended_;  ///< committed and not closed, in that order, with their lives
  std::uint64_t now_ = 0;
  std::uint32_t search_ = 0;
  std::optional<Violation> violation_;
  Counts counts_;
};

/// "cycle: T1 -(reads 0x4)-> T2 -(...)-> T1", with the words that `word` and `transaction` give.
std::string text_of(const Serializability::Violation& violation,
                    const std::function<std::string(Serializability::Id)>& transaction,
                    const std::function<std::string(Serializability::Word)>& word);

}  // namespace syncline::protocols::transactions
