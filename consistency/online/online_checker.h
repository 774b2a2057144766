// Judges an execution while it happens: is there an order of all accesses that the consistency model allows?
//
// Accesses are told in the order in which they are performed, with what they read: which write each byte came from is
// known, not guessed from values. The checker keeps
//
//   program order | reads-from | coherence order | from-reads      (Shasha and Snir 1988)
//
// free of cycles, edge by edge (DynamicOrder), and remembers only the `window` accesses that stand last in the order it
// has found. Forgetting the first ones loses nothing except for a read so old that the write which it did not see is
// forgotten: that read is not judged, and is counted. Everything else is judged exactly.
//
// An access is one to each of its bytes: two that meet in some bytes and a third that meets them in others make a cycle
// only if program order joins the bytes (DynamicOrder::cut).
//
//   OnlineChecker checker({OnlineModel::sc, 1000});
//   const LineVersion one = checker.write({0, 0, x, word});  // thread 0, its step 0
//   checker.read({1, 0, x, word}, one);
//   if (const OnlineViolation* cycle = checker.violation()) ...
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/line_data.h"
#include "consistency/online/causal_coherence.h"
#include "consistency/online/dynamic_order.h"
#include "consistency/online/line_record.h"
#include "consistency/online/synchronization.h"

namespace syncline::consistency {

enum class OnlineModel : std::uint8_t {
  sc,  ///< sequential consistency: the accesses of a thread are in the order of their steps
  /// Weak ordering, as the PTX memory model has it. Fences that order all (fence.sc) order the accesses of a thread,
  /// those before with those behind; with reads-from, coherence order and from-reads that makes no cycle (for RC11:
  /// Lahav et al., PLDI 2017). And at each location what comes first in causality order is written and seen first:
  /// program order, barriers, releases and acquires (Synchronization), and what strong reads have observed before.
  wo
};

/// One access of a thread to bytes of one line, performed as a whole. A location that is a word of its own is a line of
/// which one byte is used.
struct OnlineAccess {
  std::uint32_t thread = 0;
  std::uint64_t step = 0;  ///< place in program order; accesses with the same step are unordered
  std::uint64_t line = 0;
  base::ByteMask bytes;
  std::uint64_t label = 0;  ///< whatever the caller wants to find again in a violation
  Manner manner{};          ///< wo: what it means to other threads
  bool returns = true;      ///< an atomic: gives its thread the value (PTX: atom, as opposed to red)
};

/// What a read saw in some of its bytes: the line behind its first `version` writes; or, when `early` is not 0, a write
/// that is not performed yet.
struct ReadPart {
  base::ByteMask bytes;
  LineVersion version = 0;
  std::uint64_t early = 0;
};

enum class OnlineKind : std::uint8_t { read, write, atomic, fence, join };
const char* name(OnlineKind kind);

/// A cycle: each step comes before the next for `reason`, the last before the first.
struct OnlineViolation {
  struct Step {
    OnlineKind kind;
    OnlineAccess access;
    LineVersion version;  ///< that a read saw (its newest part) or a write made
    OrderReason reason;
  };
  std::vector<Step> steps;
};

struct OnlineCounts {
  std::uint64_t reads = 0, writes = 0, atomics = 0, fences = 0;
  std::uint64_t not_judged = 0;  ///< reads of which an edge may be lacking, because a write is forgotten
  std::size_t peak_accesses = 0, peak_lines = 0;
};

class OnlineChecker {
 public:
  struct Options {
    OnlineModel model = OnlineModel::sc;
    std::size_t window = 100'000;  ///< accesses that are remembered
  };
  explicit OnlineChecker(const Options& options) : options_(options) {}

  /// The write is performed behind all writes to the line so far; returns the version of the line that it makes.
  /// `early`: the number under which ReadPart::early named it before. Steps of a thread must not descend under sc:
  /// ModelError.
  LineVersion write(const OnlineAccess& access, std::uint64_t early = 0) {
    return perform(OnlineKind::write, access, early);
  }
  /// Reads the newest version and writes, at once.
  LineVersion atomic(const OnlineAccess& access, std::uint64_t early = 0) {
    return perform(OnlineKind::atomic, access, early);
  }
  /// A write that others may read before it is performed, under the number `early`: what it carries to those who
  /// acquire it they have from then on. `read`: what an atomic has found, which was answered already.
  void announce(const OnlineAccess& access, std::uint64_t early, const std::vector<ReadPart>& read = {});
  /// A read of the line as it was at `version`.
  void read(const OnlineAccess& access, LineVersion version) { read(access, {{access.bytes, version, 0}}); }
  void read(const OnlineAccess& access, const std::vector<ReadPart>& parts);
  /// Accesses of smaller steps come before it, also those that are told later. `orders_all`: it orders them with what
  /// the thread will do, for everybody (fence.sc of scope gpu or sys); its manner says what else it does. Nothing under
  /// sc.
  void fence(const OnlineAccess& access, bool orders_all = true);
  /// A thread at a barrier: behind its access of that step, whether that has been told or not.
  struct Arrival {
    Synchronization::Place place;
    DynamicOrder::Node node{};  ///< sc: what its accesses come before
  };
  /// What those know who have arrived (Synchronization).
  struct Meeting {
    Clock known;
    DynamicOrder::Node node{};  ///< sc: what those come before who leave
  };
  /// Barriers: what is before comes before what is behind. Under wo that is so at each location.
  Arrival arrive(const Synchronization::Place& place);
  Meeting meet(const std::vector<Arrival>& arrived);
  void leave(const Synchronization::Place& place, const Meeting& meeting);
  /// The thread does nothing more.
  void end_thread(std::uint32_t thread);
  /// Everything so far comes before everything from now on: all threads are new ones.
  void boundary();

  /// The first violation found; nothing is judged behind it.
  const OnlineViolation* violation() const { return violation_ ? &*violation_ : nullptr; }
  const OnlineCounts& counts() const { return counts_; }
  std::uint64_t judged() const { return counts_.reads + counts_.writes + counts_.atomics - counts_.not_judged; }

 private:
  using Node = DynamicOrder::Node;
  struct Thread {
    std::uint64_t step = 0;
    Node before;             ///< sc: what all of the present step comes behind; wo: the last fence
    std::vector<Node> open;  ///< sc: accesses of the present step; wo: those since the last fence
    std::size_t tidy = 64;   ///< size of `open` at which it is worth looking for what is forgotten
    /// sc: barriers, by the step that they are behind. Those that it came to and may have accesses that are told later,
    /// and those that it has left and that may still be the last one before an access.
    std::vector<std::pair<std::uint64_t, Node>> arrived, left;
    /// wo: the last fences, by their steps. One that does not wait for all before it has accesses that are told later.
    std::vector<std::pair<std::uint64_t, Node>> fences;
  };
  /// A thread that has made a write or observed some of its bytes, at which step.
  struct Knower {
    std::uint32_t thread;
    std::uint64_t step;
    Node node;
    base::ByteMask bytes;
  };
  /// What those acquire who observe some bytes of a write.
  struct Carried {
    base::ByteMask bytes;
    Release release;
  };
  using CarriedParts = boost::container::small_vector<Carried, 1>;
  struct Told {
    OnlineKind kind = OnlineKind::join;
    OnlineAccess access;  ///< of a node that was split: the bytes that it has still
    LineVersion version = 0;
    Node next_part{};  ///< split off from this node
    Node fence{};      ///< the last one before it in its thread
    Node stand_in{};   ///< of a write: what reads come behind that are not morally strong with it
    Clock clock;
    boost::container::small_vector<Knower, 1> knowers;  ///< of a write
    CarriedParts carried;
  };
  /// A write that is not performed yet, and carries something.
  struct Announced {
    OnlineAccess access;
    CarriedParts carried;
  };
  /// A read of a write that is not performed yet; the access's bytes are those that it read of it.
  struct EarlyReader {
    OnlineAccess access;
    Node node;
  };
  using Neighbours = std::vector<LineRecord::Neighbour>;

  LineVersion perform(OnlineKind kind, const OnlineAccess& access, std::uint64_t early);
  void read_early(const EarlyReader& reader, Node write, LineVersion version);
  void read_from(Node write, Node reader, const base::ByteMask& bytes);
  Node add(OnlineKind kind, const OnlineAccess& access);
  void order_in_thread(Node node, const OnlineAccess& access);
  void order_at_barriers(Thread& thread, Node node, std::uint64_t step);
  Node order_at_fences(const Thread& thread, Node node, std::uint64_t step);
  Node close(Thread& thread, OnlineKind kind, const OnlineAccess& access);
  void collect(Thread& thread, std::vector<Node>& nodes);
  Thread& thread_of(std::uint32_t thread);
  template <class Visit>
  void for_each_part(Node node, Visit&& visit);
  void insert(Node from, Node to, OrderReason reason, const base::ByteMask& bytes = {});
  void insert_part(Node from, Node to, OrderReason reason, const base::ByteMask& bytes);
  void split(const DynamicOrder::Cut& cut);
  void blame(const std::vector<DynamicOrder::Hop>& cycle);
  // online_causality.cpp: wo
  void judge_read(Node node, const OnlineAccess& access, const base::ByteMask& bytes, LineVersion version,
                  const Neighbours& sources);
  void judge_write(Node node, const OnlineAccess& access, LineVersion version);
  void observe(Node node, const OnlineAccess& access, const Neighbours& sources);
  void release(Node node, const OnlineAccess& access, const Neighbours& sources);
  void acquire(const OnlineAccess& access, const base::ByteMask& bytes, const CarriedParts& carried);
  const CarriedParts& observed_early(const OnlineAccess& read, std::uint64_t early) const;
  static void carry(CarriedParts& parts, const base::ByteMask& bytes, const Release& release);
  static void pass_on(CarriedParts& parts, const base::ByteMask& bytes, const CarriedParts& from);
  CausalCoherence::Seen seen(Node node, const OnlineAccess& access, const base::ByteMask& bytes,
                             LineVersion version) const;
  bool comes_before(const Knower& knower, const OnlineAccess& access, const Clock& clock) const;
  /// Morally strong with each other, of one location: what is read is observed (PTX ISA, observation order).
  static bool is_observed(const OnlineAccess& write, const OnlineAccess& read);
  static OrderReason reason_between(std::uint32_t thread, std::uint32_t other);
  void slide();

  Options options_;
  DynamicOrder order_;
  std::vector<Told> told_;  ///< by slot of a node
  std::unordered_map<std::uint64_t, LineRecord> lines_;
  CausalCoherence coherence_;     ///< wo
  Synchronization threads_know_;  ///< wo
  std::map<std::uint32_t, Thread> threads_;
  std::unordered_map<std::uint64_t, std::vector<EarlyReader>> early_;  ///< by ReadPart::early
  std::unordered_map<std::uint64_t, Announced> announced_;             ///< wo, as well
  std::vector<Node> ended_;                                            ///< last accesses of threads that have ended
  Node start_;                                                         ///< what new threads come behind
  std::optional<OnlineViolation> violation_;
  OnlineCounts counts_;
  std::uint64_t since_sweep_ = 0;
  std::size_t tidy_ended_ = 1024;
  LineRecord::Neighbours neighbours_;
  LineRecord::Predecessors predecessors_;
};

}  // namespace syncline::consistency
