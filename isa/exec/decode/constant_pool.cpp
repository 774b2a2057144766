#include "isa/exec/decode/constant_pool.h"

#include <cstring>

namespace syncline::isa {
namespace {
constexpr std::uint32_t ones_offset = 0, zero_offset = 64, zero_bytes = 16 * kernel_lanes;
}

ConstantPool::ConstantPool() : bytes_(zero_offset + zero_bytes) {
  std::memset(bytes_.data(), 0xFF, zero_offset);
}

OperandRef ConstantPool::predicate(bool value) const {
  return {Bank::constants, value ? ones_offset : zero_offset};
}

OperandRef ConstantPool::zero() const {
  return {Bank::constants, zero_offset};
}

OperandRef ConstantPool::broadcast(std::uint64_t bits, unsigned bytes) {
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  if (bits == 0) return zero();
  const auto [place, fresh] = known_.try_emplace({bits, bytes}, static_cast<std::uint32_t>(bytes_.size()));
  if (fresh) {
    bytes_.resize(bytes_.size() + (bytes * kernel_lanes + 63) / 64 * 64);
    std::uint8_t* to = bytes_.data() + place->second;
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) std::memcpy(to + lane * bytes, &bits, bytes < 8 ? bytes : 8);
  }
  return {Bank::constants, place->second};
}

}  // namespace syncline::isa
