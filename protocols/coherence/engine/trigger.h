// Which stimuli an event of a table stands for. A protocol says it once beside the event's name:
//
//   {"Load", on::load, "..."}, {"Reply", on::message(M::ACK, M::ATOMIC_DATA), "..."}, {"Data_Done", on::refined, "..."}
#pragma once

#include <cstdint>

#include "protocols/coherence/engine/stimulus.h"

namespace syncline::protocols {

/// Sets of operations, sources and message kinds (bit n: the n-th enumerator).
struct Trigger {
  std::uint8_t operations = 0;
  std::uint8_t sources = 0;
  std::uint64_t messages = 0;

  constexpr Trigger operator|(const Trigger& other) const {
    return {static_cast<std::uint8_t>(operations | other.operations),
            static_cast<std::uint8_t>(sources | other.sources), messages | other.messages};
  }
};

namespace on {

constexpr Trigger operation(Operation operation) {
  return {static_cast<std::uint8_t>(1U << static_cast<unsigned>(operation)), 0, 0};
}
constexpr Trigger source(Stimulus::Source source) {
  return {0, static_cast<std::uint8_t>(1U << static_cast<unsigned>(source)), 0};
}
/// Any of these message kinds arrives.
template <class... Messages>
constexpr Trigger message(Messages... kinds) {
  return {0, 0, (... | (std::uint64_t{1} << static_cast<unsigned>(kinds)))};
}

inline constexpr Trigger load = operation(Operation::load);
inline constexpr Trigger store = operation(Operation::store);
inline constexpr Trigger atomic = operation(Operation::atomic);
inline constexpr Trigger memory_data = source(Stimulus::Source::memory_data);
inline constexpr Trigger replacement = source(Stimulus::Source::replacement);
inline constexpr Trigger flush = source(Stimulus::Source::flush);
inline constexpr Trigger timer = source(Stimulus::Source::timer);
inline constexpr Trigger directory_replacement = source(Stimulus::Source::directory_replacement);
inline constexpr Trigger fence = source(Stimulus::Source::fence);
/// No stimulus names this event at once: the machine's `refine` does (the last of several replies, a special load).
inline constexpr Trigger refined{};

}  // namespace on
}  // namespace syncline::protocols
