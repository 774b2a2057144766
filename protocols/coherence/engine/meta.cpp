#include "protocols/coherence/engine/meta.h"

#include "base/random.h"

namespace syncline::protocols {
namespace {

template <class Meta>
std::uint64_t hash_of(const Meta& meta) {
  std::uint64_t hash = sizeof(Meta);
  Meta::each(meta, [&hash](auto value) { hash = base::mix64(hash ^ static_cast<std::uint64_t>(value)); });
  return hash;
}

/// The members of one beside those of the other, in a buffer: `each` gives one object at a time.
template <class Meta>
bool same(const Meta& a, const Meta& b) {
  std::array<std::uint64_t, 128> of_a{};
  std::size_t i = 0;
  Meta::each(a, [&](auto value) { of_a.at(i++) = static_cast<std::uint64_t>(value); });
  bool equal = true;
  i = 0;
  Meta::each(b, [&](auto value) { equal = equal && of_a.at(i++) == static_cast<std::uint64_t>(value); });
  return equal;
}

}  // namespace

std::uint64_t LineMeta::hash() const {
  return hash_of(*this);
}

bool operator==(const LineMeta& a, const LineMeta& b) {
  return same(a, b);
}

std::uint64_t NodeMeta::hash() const {
  return hash_of(*this);
}

bool operator==(const NodeMeta& a, const NodeMeta& b) {
  return same(a, b);
}

}  // namespace syncline::protocols
