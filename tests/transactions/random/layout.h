// What the threads of random programs share, and how they come to what they do.
#pragma once

#include <cstdint>

namespace syncline::tests {

inline constexpr unsigned cells = 16, cell_bytes = 16, accounts = 8, pairs = 4;
inline constexpr std::uint32_t account_start = 100;
// Places in the data.
inline constexpr unsigned accounts_at = cells * cell_bytes, marks_at = accounts_at + 4 * accounts,
                          switches_at = marks_at + 8 * pairs, threads_at = switches_at + 8 * pairs;
// A thread's: its result, whether something did not fit, its own word.
inline constexpr unsigned thread_bytes = 12;

inline constexpr std::uint32_t multiplier = 1664525, increment = 1013904223;
constexpr std::uint32_t mixed(std::uint32_t v) {
  return v * multiplier + increment;
}
constexpr std::uint32_t at_start(std::uint32_t thread) {
  return thread * 2654435761U + 12345;
}

/// How a field of a cell is added to.
struct Form {
  const char* name;
  unsigned offset, bytes;
};
inline constexpr Form forms[] = {{"u32", 8, 4}, {"u8", 14, 1}, {"u16", 12, 2}, {"u64", 0, 8}, {"v2", 8, 4},
                                 {"v4", 8, 4},  {"u8", 15, 1}, {"red", 8, 4},  {"atom", 8, 4}};
inline constexpr unsigned plain_forms = 7;

}  // namespace syncline::tests
