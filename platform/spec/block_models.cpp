#include "platform/spec/block_models.h"

#include <fmt/format.h>

#include "platform/spec/platform_spec.h"

namespace syncline::platform {

using models::BlockModel;

void check_model(BlockModel model, const std::string& group, const rtl::RtlBlocks* blocks, const Require& require) {
  require(model == BlockModel::tlm || blocks != nullptr, group + ".model",
          "= rtl needs a program that was built where Verilator is installed; this one has tlm alone");
}

void check_block_models(const PlatformSpec& spec, const rtl::RtlBlocks* blocks, const Require& require) {
  const models::AtomicUnitSpec& atomic = spec.l2.atomic_unit;
  check_model(atomic.model, "l2.atomic_unit", blocks, require);
  const bool no_atomic = atomic.model != BlockModel::rtl;
  using Atomic = rtl::AtomicUnitSizes;
  require(
      no_atomic || !atomic.forwarding, "l2.atomic_unit.forwarding",
      "must be false with `l2.atomic_unit.model: rtl`: the unit reads a line when it gets it, and writes it when it "
      "answers");
  require(no_atomic || (atomic.latency >= Atomic::least_latency && atomic.latency <= Atomic::latency),
          "l2.atomic_unit.latency",
          fmt::format("must be {} to {} cycles with `l2.atomic_unit.model: rtl`", Atomic::least_latency + 0,
                      Atomic::latency + 0));
  require(no_atomic || atomic.same_address_rate == 1, "l2.atomic_unit.same_address_rate",
          "must be 1 with `l2.atomic_unit.model: rtl`");

  const models::ZUnitSpec& z_unit = spec.z_unit;
  check_model(z_unit.model, "z_unit", blocks, require);
  const bool no_z_unit = z_unit.model != BlockModel::rtl;
  using Z = rtl::ZUnitSizes;
  require(no_z_unit || z_unit.requests <= Z::requests, "z_unit.requests",
          fmt::format("must be at most {} with `z_unit.model: rtl`", Z::requests + 0));
  require(no_z_unit || z_unit.ways <= Z::ways, "z_unit.ways",
          fmt::format("must be at most {} with `z_unit.model: rtl`", Z::ways + 0));
  const std::uint32_t sets = z_unit.cache_size / (z_unit.ways * spec.l2.line);
  require(no_z_unit || (sets != 0 && sets <= Z::sets && (sets & (sets - 1)) == 0), "z_unit.cache_size",
          fmt::format("must be a power of two of sets, {} at most, with `z_unit.model: rtl`", Z::sets + 0));
}

}  // namespace syncline::platform
