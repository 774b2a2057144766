// How far a thread is from its end, for who must know that nothing ends yet.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::isa {

class Program;

/// More than this is as good as this.
inline constexpr std::uint16_t most_steps_to_end = 0xFFFF;

/// Per pc: so many instructions, that at the pc among them, a thread executes at least until it has ended, whichever
/// way it takes. In a function that the kernel calls: until it returns from there.
std::vector<std::uint16_t> find_steps_to_end(const Program& program);

}  // namespace syncline::isa
