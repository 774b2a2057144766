#include "protocols/explore/state_hash.h"

#include <cstring>

#include "base/random.h"

namespace syncline::protocols::explore {

StateHash hash_of(const std::string& bytes) {
  std::uint64_t a = 0x243f6a8885a308d3, b = 0x13198a2e03707344 ^ bytes.size();
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (; at < end; at += 8) {
    std::uint64_t chunk = 0;
    if (end - at >= 8)
      std::memcpy(&chunk, at, 8);  // known to the compiler to be one load
    else
      std::memcpy(&chunk, at, static_cast<std::size_t>(end - at));
    a = base::mix64(a ^ chunk);
    b = base::mix64(b + chunk * 0x9e3779b97f4a7c15);
  }
  return {a, b};
}

}  // namespace syncline::protocols::explore
