// Memory interleaved over partitions: which one holds an address, and where, as pure functions.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/fields.h"
#include "base/ids.h"
#include "base/random.h"
#include "models/partition/home_map.h"

namespace syncline::models {

struct InterleavingSpec {
  std::uint32_t partitions = 6;
  std::uint32_t chunk = 256;
  bool hash = false;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("partitions", partitions, param::count("memory partitions", "GPUDet T5.2").between(1, 1024));
    v.field("chunk", chunk,
            param::bytes("consecutive bytes in one partition", "choice; the interleaving of GPGPU-Sim's GTX 480")
                .between(32, 1 << 30)
                .power_of_two());
    v.field(
        "hash", hash,
        param::flag(
            "rotate the partitions of each group of chunks by a hash of the upper address bits, so that power-of-two "
            "strides do not fall on one partition",
            "choice"));
  }
};

/// Global address <-> (partition, address within the partition). Every address is in exactly one partition, and each
/// partition's own addresses are dense from 0, so any memory can be plugged behind it.
class AddressMap final : public HomeMap {
 public:
  explicit AddressMap(const InterleavingSpec& spec, GpuPlace place = {})
      : place_(place), partitions_(spec.partitions), hash_(spec.hash) {
    if (spec.partitions == 0) throw base::UserError("`partitions` must be at least 1");
    if (spec.chunk == 0 || (spec.chunk & (spec.chunk - 1)) != 0)
      throw base::UserError("`chunk` must be a power of two");
    chunk_bits_ = static_cast<unsigned>(__builtin_ctz(spec.chunk));
  }

  unsigned partitions() const { return partitions_; }
  std::uint32_t chunk() const { return 1U << chunk_bits_; }

  base::PartitionId partition(std::uint64_t address) const {
    const std::uint64_t chunk = address >> chunk_bits_;
    const std::uint64_t group = chunk / partitions_;
    const auto place = static_cast<unsigned>(chunk - group * partitions_);
    return base::PartitionId(static_cast<std::uint16_t>(rotate(place, rotation(group))));
  }
  base::PartitionId partition(base::LineAddress line) const { return partition(line.value()); }

  /// Address within partition(address).
  std::uint64_t local(std::uint64_t address) const override {
    const std::uint64_t group = (address >> chunk_bits_) / partitions_;
    return (group << chunk_bits_) | (address & (chunk() - 1));
  }
  /// The inverse: global(partition(a), local(a)) == a.
  std::uint64_t global(base::PartitionId partition, std::uint64_t local) const {
    const std::uint64_t group = local >> chunk_bits_;
    const unsigned place = rotate(partition.value(), partitions_ - rotation(group));
    return ((group * partitions_ + place) << chunk_bits_) | (local & (chunk() - 1));
  }

  /// One home for all scopes and askers.
  NodeId home(base::LineAddress line, isa::Scope, const NodeId&) const override {
    return home_node(partition(line), place_);
  }
  using HomeMap::home;
  std::uint64_t global(const NodeId& home, std::uint64_t local) const override {
    return global(base::PartitionId(home.index), local);
  }
  std::uint64_t together(std::uint64_t address) const override { return chunk() - address % chunk(); }
  unsigned homes() const override { return partitions_; }

 private:
  unsigned rotation(std::uint64_t group) const {
    return hash_ ? static_cast<unsigned>(base::mix64(group) % partitions_) : 0;
  }
  unsigned rotate(unsigned place, unsigned by) const {
    return place + by < partitions_ ? place + by : place + by - partitions_;
  }

  GpuPlace place_;
  unsigned partitions_;
  unsigned chunk_bits_ = 0;
  bool hash_;
};

}  // namespace syncline::models
