// The small programs that the model checker runs on a policy's machines.
//
//   "st x 1; st y 1 | ld y; ld x"       two threads on two L1s; results are those of the loads and atomics, in order
//   "st x 1 | ld x; fence; add x1 2 @0" the second thread runs on L1 0 too; x1 is a second word in the line of x
//   "st x 1; bar @0 | bar; ld x @0"      threads of one `@N` meet at their barrier
//
// Locations are x and y (one line each) and x1 and y1 (the second words of those lines). Beside `ld`, `st` and `add`
// (an atomic) there are `ldp` and `stp`, accesses to a thread's own memory, whose line no other thread may name; `ldr`,
// a load that the program says is of read-only data; `ldv`, one that asks for a copy beyond the L1 (volatile); `fence`;
// and `flush`, which empties the L1 as the begin of a grid does.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::protocols::explore {

inline constexpr unsigned max_threads = 4, max_l1s = 4, max_lines = 2, max_words = 2, max_operations = 6;

enum class OpKind : std::uint8_t { load, store, atomic, fence, flush, barrier };
/// What the core says of a load or store beside its kind (AccessTraits).
enum class Manner : std::uint8_t { plain, is_private, read_only, around_l1 };

struct Op {
  OpKind kind = OpKind::load;
  std::uint8_t line = 0, word = 0;
  std::uint8_t value = 0;  ///< stored, or added by an atomic, which reads the value before
  Manner manner = Manner::plain;
  bool has_location() const { return kind != OpKind::fence && kind != OpKind::flush && kind != OpKind::barrier; }
};

struct Thread {
  std::uint8_t l1 = 0;
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

/// All outcomes of interleavings of the threads, each operation at once: what sequential consistency allows.
std::set<Outcome> sc_outcomes(const Program& program);

}  // namespace syncline::protocols::explore
