// Programs of random tests: a few threads on a few lines, and what each word of the lines is for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/vocabulary.h"

namespace syncline::stress {

inline constexpr unsigned words_per_line = 32;
/// Stores of racy episodes bring multiples of this, each another one, so that the sum of one and of the atomics behind
/// it (which add 1) is met once only.
inline constexpr std::uint32_t value_step = 1U << 12;

enum class OpKind : std::uint8_t {
  load,
  store,
  add,     ///< an atomic
  fence,   ///< fence.sc.gpu
  lock,    ///< compare-and-swap with acquire, until it finds 0
  unlock,  ///< a store of 0 that releases
  flush    ///< the L1 is told that a grid begins
};

struct Op {
  OpKind kind = OpKind::load;
  std::uint8_t line = 0;      ///< place in Episode::lines
  std::uint8_t repeat = 1;    ///< of an add: so many lanes hit each word
  bool low_byte = false;      ///< of a store: only the first byte of each word
  bool read_only = false;     ///< of a load: says that nobody writes its line
  bool returns_value = true;  ///< of an add
  isa::Semantics semantics = isa::Semantics::weak;
  isa::CacheOp cache = isa::CacheOp::none;
  std::uint32_t words = 1;     ///< bit n: word n of the line
  std::uint32_t value = 0;     ///< stored into the first word, added in the first lane; those behind it get more
  std::uint64_t pause_ps = 0;  ///< not issued sooner behind the operation before it in its thread

  /// What a store brings to word `n`.
  std::uint32_t stored(unsigned n, std::uint32_t old) const {
    const std::uint32_t v = value + (__builtin_popcount(words) > 1 ? n * 0x01010101U : 0);
    return low_byte ? (old & ~0xffU) | (v & 0xffU) : v;
  }
  /// What an add adds to word `n`.
  std::uint32_t added(unsigned n) const { return repeat * (value + (__builtin_popcount(words) > 1 ? n : 0)); }
  /// Calls `body` with the number of each word, in ascending order.
  template <class Body>
  void for_each_word(Body&& body) const {
    for (std::uint32_t left = words; left != 0; left &= left - 1) body(static_cast<unsigned>(__builtin_ctz(left)));
  }
  unsigned word() const { return static_cast<unsigned>(__builtin_ctz(words)); }
  bool accesses() const { return kind != OpKind::fence && kind != OpKind::flush; }
};

struct Thread {
  std::uint16_t l1 = 0, warp = 0;
  std::vector<Op> ops;
};

/// Who may use a word of a race-free episode, and how.
struct WordUse {
  enum class Kind : std::uint8_t {
    read_only,
    owned,    ///< by the thread `by`
    counter,  ///< anybody adds to it, nobody reads it
    guarded,  ///< by the lock number `by`
    lock      ///< number `by`
  };
  Kind kind = Kind::read_only;
  std::uint8_t by = 0;
};

/// Race-free episodes give each access one value that it has to return; what racy ones return is judged by the
/// consistency model.
enum class EpisodeKind : std::uint8_t { race_free, racy };
const char* name(EpisodeKind kind);

struct Episode {
  EpisodeKind kind = EpisodeKind::race_free;
  unsigned in_flight = 1;            ///< accesses of a thread
  unsigned private_lines = 0;        ///< at the end of `lines`: each used by one thread, as local memory
  std::vector<std::uint64_t> lines;  ///< their places in memory, counted in lines
  std::vector<Thread> threads;
  std::vector<std::array<WordUse, words_per_line>> uses;  ///< by line, of a race-free episode

  bool is_private(unsigned line) const { return line + private_lines >= lines.size(); }
  std::size_t operations() const;
};

/// Removes what is not whole any more after operations were left out: locks without their unlock, accesses to guarded
/// words outside of the section, last uses of what is not written again, threads without operations, lines that nobody
/// uses.
void tidy(Episode& episode);

/// A value that a racy episode wrote or found, as its texts show it: stores bring multiples of the number of atomics
/// plus one, counted in the order of the text, and memory begins with 0.
std::uint32_t shown_value(const Episode& episode, std::uint32_t value, std::uint32_t initial);

/// A line a thread: "thread 0 on L1 0: st x 1; ld y". Locations of a line share a letter: x, x1, x2.
std::string text_of(const Episode& episode);
/// "st x 1", as in text_of.
std::string text_of(const Episode& episode, const Op& op);

/// The program as `syncline check --program` takes it; empty when it is too large or holds what that command lacks.
/// Qualifiers of accesses are left out.
std::string check_program(const Episode& episode);

}  // namespace syncline::stress
