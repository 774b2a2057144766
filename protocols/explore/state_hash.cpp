#include "protocols/explore/state_hash.h"

#include "base/random.h"

namespace syncline::protocols::explore {

StateHash hash_of(const std::string& bytes) {
  std::uint64_t a = 0x243f6a8885a308d3, b = 0x13198a2e03707344 ^ bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t chunk = 0;
    bytes.copy(reinterpret_cast<char*>(&chunk), 8, i);
    a = base::mix64(a ^ chunk);
    b = base::mix64(b + chunk * 0x9e3779b97f4a7c15);
  }
  return {a, b};
}

}  // namespace syncline::protocols::explore
