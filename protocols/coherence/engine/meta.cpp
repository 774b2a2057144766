#include "protocols/coherence/engine/meta.h"

#include <initializer_list>
#include <tuple>

#include "base/random.h"

namespace syncline::protocols {
namespace {

std::uint64_t combine(std::uint64_t seed, std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values) seed = base::mix64(seed ^ value);
  return seed;
}

auto members(const LineMeta& m) {
  return std::tie(m.state, m.pending_reads, m.pending_writes, m.acks, m.owner, m.sharers, m.exp, m.ver, m.last_read,
                  m.last_write, m.lease);
}

auto members(const NodeMeta& m) {
  return std::tie(m.now, m.read_view, m.write_view, m.mnow, m.lease, m.gwct);
}

}  // namespace

std::uint64_t LineMeta::hash() const {
  return combine(0, {state, pending_reads, pending_writes, static_cast<std::uint16_t>(acks), owner, sharers.word(0),
                     sharers.word(1), exp, ver, last_read, last_write, lease});
}

bool operator==(const LineMeta& a, const LineMeta& b) {
  return members(a) == members(b);
}

std::uint64_t NodeMeta::hash() const {
  std::uint64_t h = combine(1, {now, read_view, write_view, mnow, lease});
  for (const std::uint64_t time : gwct) h = combine(h, {time});
  return h;
}

bool operator==(const NodeMeta& a, const NodeMeta& b) {
  return members(a) == members(b);
}

}  // namespace syncline::protocols
