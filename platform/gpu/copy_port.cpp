#include "platform/gpu/copy_port.h"

#include <fmt/format.h>

namespace syncline::platform {
namespace {

unsigned node_of_engine(const GpuPlan& plan, unsigned gpu) {
  return plan.l1s() - plan.copy_engines() + gpu;
}

models::Made<models::L1Ports> make_l1(const GpuPlan& plan, unsigned gpu) {
  const unsigned node = node_of_engine(plan, gpu);
  const std::string name = fmt::format("copy_engine{}_l1", gpu);
  const models::TileScope tile(plan.context().tiles, plan.name_of(name), plan.place_of_l1(node));
  const base::SmId id(static_cast<std::uint16_t>(node));
  return models::make_l1_cache(
      name.c_str(), {plan.context(), plan.core(), plan.spec().l1, plan.policy(), id, plan.homes(), plan.place()});
}

}  // namespace

CopyPort::CopyPort(MemorySide& memory, unsigned gpu)
    : l1_(make_l1(memory.plan(), gpu)),
      engine_(fmt::format("copy_engine{}", gpu).c_str(), memory.plan().context(), memory.plan().core(),
              memory.plan().spec().modules.copy_engine, memory.plan().spec().l1.line) {
  memory.bind_l1(l1_.ports.network, node_of_engine(memory.plan(), gpu));
  engine_.to_l1.socket.bind(*l1_.ports.from_sm);
  l1_.ports.to_sm->bind(engine_.from_l1.socket);
}

}  // namespace syncline::platform
