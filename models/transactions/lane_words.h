// The words of memory that a lane's part of an access touches.
#pragma once

#include <boost/container/static_vector.hpp>

#include <cstdint>

#include "isa/exec/memory_access.h"

namespace syncline::models {

inline constexpr unsigned word_bytes = 4;

struct LaneWord {
  std::uint64_t word = 0;   ///< byte address / 4
  std::uint32_t value = 0;  ///< of the access's data: what is stored, or was loaded
  std::uint8_t bytes = 0;   ///< bit n: byte n of the word takes part
};
using LaneWords = boost::container::static_vector<LaneWord, isa::max_access_bytes / 4>;

/// In ascending order, without those of which the access skips all bytes. Of an access that has been found aligned.
LaneWords words_of(const isa::MemoryAccess& access, unsigned lane);

}  // namespace syncline::models
