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
#include "consistency/online/dynamic_order.h"
#include "consistency/online/line_record.h"
#include "consistency/online/phase_coherence.h"
#include "consistency/online/thread_coherence.h"

namespace syncline::consistency {

enum class OnlineModel : std::uint8_t {
  sc,  ///< sequential consistency: the accesses of a thread are in the order of their steps
  /// Weak ordering. Fences order the accesses of a thread, those before with those behind; with reads-from, coherence
  /// order and from-reads that makes no cycle, as RC11 asks of its SC fences (Lahav et al., PLDI 2017). And the
  /// accesses of a thread to one location agree with the order of the writes there, and so do those of threads that
  /// met at a barrier, across it (PhaseCoherence).
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
  /// wo: may not be seen out of order at one location by reads that are strong too (PTX: relaxed and above, volatile).
  bool strong = true;
  BarrierPhase when{};  ///< wo: among the barriers of the thread's CTA, when it was issued
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
  /// A read of the line as it was at `version`.
  void read(const OnlineAccess& access, LineVersion version) { read(access, {{access.bytes, version, 0}}); }
  void read(const OnlineAccess& access, const std::vector<ReadPart>& parts);
  /// Orders what the thread has done with what it will do. All its earlier accesses have been told. Nothing under sc.
  void fence(const OnlineAccess& access);
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
  };
  struct Told {
    OnlineKind kind;
    OnlineAccess access;
    LineVersion version;
    bool early;
  };
  struct Early {
    struct Reader {
      OnlineAccess access;
      Node node;
    };
    Node node;
    std::vector<Reader> readers;
  };

  LineVersion perform(OnlineKind kind, const OnlineAccess& access, std::uint64_t early);
  Node add(OnlineKind kind, const OnlineAccess& access);
  void order_in_thread(Node node, const OnlineAccess& access);
  Node close(Thread& thread, OnlineKind kind, const OnlineAccess& access);
  void collect(Thread& thread, std::vector<Node>& nodes);
  Thread& thread_of(std::uint32_t thread);
  bool insert(Node from, Node to, OrderReason reason);
  void blame(const std::vector<DynamicOrder::Hop>& cycle);
  void check_location(const OnlineAccess& access, const base::ByteMask& bytes, LineVersion version, Node node);
  void check_phases(const OnlineAccess& access, const base::ByteMask& bytes, LineVersion version, Node node,
                    const std::vector<Node>& sources);
  void slide();

  Options options_;
  DynamicOrder order_;
  std::vector<Told> told_;  ///< by slot of a node
  std::unordered_map<std::uint64_t, LineRecord> lines_;
  ThreadCoherence coherence_;  ///< wo
  PhaseCoherence phases_;      ///< wo
  std::map<std::uint32_t, Thread> threads_;
  std::unordered_map<std::uint64_t, Early> early_;
  std::vector<Node> ended_;  ///< last accesses of threads that have ended
  Node start_;               ///< what new threads come behind
  std::optional<OnlineViolation> violation_;
  OnlineCounts counts_;
  std::uint64_t since_sweep_ = 0;
  std::size_t tidy_ended_ = 1024;
  LineRecord::Neighbours neighbours_;
  LineRecord::Predecessors predecessors_;
  std::vector<PhaseCoherence::Mark> marks_;
};

}  // namespace syncline::consistency
