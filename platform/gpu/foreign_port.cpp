#include "platform/gpu/foreign_port.h"

#include "platform/gpu/made_blocks.h"

namespace syncline::platform {
namespace {

models::ForeignBridgeSpec bridge_spec(const GpuPlan& plan, models::ForeignBridgeSpec spec) {
  spec.line = plan.spec().l1.line;
  return spec;
}

models::L1Site l1_site(const GpuPlan& plan, unsigned index) {
  const base::SmId id(static_cast<std::uint16_t>(plan.spec().sms + index));
  return {plan.context(), plan.core(), plan.spec().l1, plan.policy(), id, plan.homes(), plan.place()};
}

}  // namespace

ForeignPort::ForeignPort(const std::string& name, MemorySide& memory, unsigned index, const ForeignPortOptions& options)
    : l1_(make_block(options.l1, models::make_l1_cache, name + "_l1", l1_site(memory.plan(), index))),
      bridge_((name + "_bridge").c_str(), memory.plan().context(), bridge_spec(memory.plan(), options.bridge),
              memory.plan().homes(), options.size != 0 ? options.size : memory.plan().memory().end()) {
  memory.bind_l1(l1_.ports.network, memory.plan().spec().sms + index);
  bridge_.to_l1.socket.bind(given(l1_.ports.from_sm, name + "_l1", "from_sm"));
  given(l1_.ports.to_sm, name + "_l1", "to_sm").bind(bridge_.from_l1.socket);
  for (unsigned i = 0; i < memory.plan().partitions(); ++i) {
    if (models::DebugSocket* const debug = memory.debug_socket(i))
      bridge_.debug(base::PartitionId(static_cast<std::uint16_t>(i))).bind(*debug);
  }
}

}  // namespace syncline::platform
