// The small programs that the model checker runs on a policy's machines.
//
//   "st x 1; st y 1 | ld y; ld x"       two threads on two L1s; results are those of the loads and atomics, in order
//   "st x 1 | ld x; fence; add x1 2 @0" the second thread runs on L1 0 too; x1 is a second word in the line of x
//   "st x 1; bar @0 | bar; ld x @0"      threads of one `@N` meet at their barrier
//
//   "st x 1; st.release y 1 | ld.acquire y; ld x"
//   "cas.acq_rel.cta x 0 1; fence.cta; ld y @0 | exch x 2 @0"
//
// Locations are x and y (one line each) and x1 and y1 (the second words of those lines). Beside `ld` and `st` there are
// the atomics `add`, `exch` (with the value to store) and `cas` (with the value to find and the one to store), which
// read the value before; `ldp` and `stp`, accesses to a thread's own memory, whose line no other thread may name;
// `ldr`, a load that the program says is of read-only data; `ldv`, one that asks for a copy beyond the L1 (volatile);
// `fence` (fence.sc); and `flush`, which empties the L1 as the begin of a grid does. Accesses are relaxed and, as
// fences, of gpu scope; `.acquire` (loads, atomics), `.release` (stores, atomics), `.acq_rel` (atomics, fences), `.cta`
// and `.sys` say otherwise; `.weak` loads and stores are PTX's weak ones. On several modules threads have places:
// `@1.0` is the first L1 of module 0 of GPU 1, `@1.0.1` the second.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/engine/stimulus.h"

namespace syncline::protocols::explore {

inline constexpr unsigned max_threads = 4, max_l1s = 4, max_lines = 2, max_words = 2, max_operations = 6;

enum class OpKind : std::uint8_t { load, store, atomic, fence, flush, barrier };
/// What the core says of a load or store beside its kind (AccessTraits).
enum class Manner : std::uint8_t { plain, is_private, read_only, around_l1 };

enum class AtomicKind : std::uint8_t { add, exch, cas };
/// What an access orders; a fence that is not `acq_rel` is a fence.sc.
enum class Ordering : std::uint8_t { relaxed, acquire, release, acq_rel };

struct Op {
  OpKind kind = OpKind::load;
  std::uint8_t line = 0, word = 0;
  std::uint8_t value = 0;  ///< stored, or added by an atomic, which reads the value before
  Manner manner = Manner::plain;
  AtomicKind atomic = AtomicKind::add;
  std::uint8_t compare = 0;  ///< of a cas: the value that it replaces
  Ordering ordering = Ordering::relaxed;
  Scope scope = Scope::gpu;

  bool has_location() const { return kind != OpKind::fence && kind != OpKind::flush && kind != OpKind::barrier; }
  bool reads() const { return kind == OpKind::load || kind == OpKind::atomic; }
  bool writes() const { return kind == OpKind::store || kind == OpKind::atomic; }
  /// Of accesses; a fence does both, in a way of its own.
  bool acquires() const { return has_location() && (ordering == Ordering::acquire || ordering == Ordering::acq_rel); }
  bool releases() const { return has_location() && (ordering == Ordering::release || ordering == Ordering::acq_rel); }
  /// What a store or an atomic leaves of `before`.
  std::uint8_t written(std::uint8_t before) const {
    if (!writes_over(before)) return before;
    return kind == OpKind::atomic && atomic == AtomicKind::add ? static_cast<std::uint8_t>(before + value) : value;
  }
  /// A cas that finds another value than the one that it replaces writes nothing.
  bool writes_over(std::uint8_t before) const {
    return kind != OpKind::atomic || atomic != AtomicKind::cas || before == compare;
  }
  /// An operation that programs knew before there were others: a relaxed access of gpu scope, an add, a fence.sc.
  bool is_basic() const;
  friend bool operator==(const Op& a, const Op& b);
};

struct Thread {
  std::uint8_t l1 = 0;
  bool is_placed = false;            ///< the module of its L1 is said
  std::uint8_t gpu = 0, module = 0;  ///< the GPU, and which of its modules
  std::vector<Op> ops;
};

struct Program {
  std::string text;
  std::vector<Thread> threads;

  unsigned l1s() const;
  unsigned lines() const;
  /// Whether any thread names a second word.
  unsigned words() const;
  bool has(OpKind kind) const;
  bool has_fences() const { return has(OpKind::fence); }
  /// Whether the line is a thread's own memory.
  bool is_private(unsigned line) const;
};

/// "x", "y1"
std::string_view location_name(unsigned line, unsigned word);
/// "st x 1"
std::string text_of(const Op& op);
/// UserError with the column for text that is none.
Program parse_program(std::string_view text);
std::string text_of(const Program& program);

/// What a run showed: the values that loads and atomics returned, thread by thread in program order, then the final
/// values of the locations.
struct Outcome {
  std::vector<std::uint8_t> results;
  std::array<std::array<std::uint8_t, max_words>, max_lines> memory{};
  friend bool operator==(const Outcome& a, const Outcome& b) { return a.results == b.results && a.memory == b.memory; }
  friend bool operator<(const Outcome& a, const Outcome& b) {
    return a.results != b.results ? a.results < b.results : a.memory < b.memory;
  }
};
/// "0:r0=1 1:r0=0 x=1 y=1"
std::string text_of(const Outcome& outcome, const Program& program);

/// The program with a place for each thread: those that it has or, without, L1 n in the n-th module of the grid.
Program placed(Program program, const ModuleGrid& grid);

/// All outcomes of interleavings of the threads, each operation at once: what sequential consistency allows.
std::set<Outcome> sc_outcomes(const Program& program);
/// All outcomes when what a thread does between two fences happens at once: what transactions allow.
std::set<Outcome> serial_outcomes(const Program& program);

}  // namespace syncline::protocols::explore
