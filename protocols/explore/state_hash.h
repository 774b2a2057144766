// States as 128 bits: what an exhaustive search remembers of those that it has seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace syncline::protocols::explore {

using StateHash = std::pair<std::uint64_t, std::uint64_t>;
/// Of a state that was written as bytes.
StateHash hash_of(const std::string& bytes);

}  // namespace syncline::protocols::explore
