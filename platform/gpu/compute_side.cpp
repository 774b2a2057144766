#include "platform/gpu/compute_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "models/work_distributor/module_dealer.h"
#include "platform/gpu/made_blocks.h"

namespace syncline::platform {
namespace {

std::string sm_name(unsigned index) {
  return fmt::format("sm{}", index);
}
std::string l1_name(unsigned index) {
  return fmt::format("sm{}_l1", index);
}

}  // namespace

ComputeSide::ComputeSide(const GpuPlan& plan, const ComputeSideOptions& options)
    : plan_(plan), packages_(plan), sms_(plan.spec().sms) {
  models::Scheduler& scheduler = plan.context().scheduler;
  if (!options.listeners.empty()) scheduler.keep_time("an observer follows warps");
  if (options.sm_seams || options.sm_units) scheduler.keep_time("SMs have stages or units of another maker");
  const std::function<void()> parts[] = {[&] { make_distributor(options.distributor); },
                                         [&] {
                                           for (const unsigned i : plan_.order(sms())) make_sm(i, options);
                                         }};
  for (const unsigned i : plan_.order(2)) parts[i]();
  bind(options);
}

ComputeSide::~ComputeSide() = default;

void ComputeSide::make_distributor(const models::MakeDistributor& factory) {
  const PlatformSpec& spec = plan_.spec();
  std::shared_ptr<models::CtaDealer> dealer = packages_.dealer();
  if (dealer == nullptr && spec.modules.count() > 1 && spec.modules.ctas == models::CtaParts::contiguous)
    dealer = std::make_shared<models::ModuleDealer>(spec.modules.count());
  distributor_ = make_block(factory, models::make_work_distributor, "distributor",
                            models::DistributorSite{plan_.context(), plan_.core(), spec.work_distributor,
                                                    std::move(dealer), spec.perturbation, plan_.ends_grids()});
  given(distributor_.ports.grids, plan_.name_of("distributor"), "grids");
}

void ComputeSide::make_sm(unsigned index, const ComputeSideOptions& options) {
  const models::TileScope tile(plan_.context().tiles, plan_.name_of(sm_name(index)), plan_.place_of_l1(index));
  const PlatformSpec& spec = plan_.spec();
  const models::SmPlace place{base::SmId(static_cast<std::uint16_t>(index)),
                              spec.sms,
                              spec.l1.line,
                              {plan_.memory().at(local_memory).base + index * plan_.local_bytes_per_sm(),
                               spec.host.local_memory, spec.sm.max_warps},
                              {spec.modules.gpus > 1, spec.modules.gpu_scope}};
  models::SmSeams seams = packages_.seams(index, options.listeners);
  if (options.sm_seams) options.sm_seams(index, seams);
  sms_[index].sm =
      make_block(options.sm, models::make_sm, sm_name(index),
                 models::SmSite{plan_.context(), plan_.core(), spec.sm_of(index), place, seams, spec.perturbation});
  sms_[index].l1 = make_block(options.l1, models::make_l1_cache, l1_name(index),
                              models::L1Site{plan_.context(), plan_.core(), spec.l1_of(index), plan_.policy(), place.id,
                                             plan_.homes(), plan_.place()});
}

void ComputeSide::bind(const ComputeSideOptions& options) {
  const std::string distributor_name = plan_.name_of("distributor");
  const models::DistributorPorts& distributor = distributor_.ports;
  for (unsigned i = 0; i < sms(); ++i) {
    const models::SmPorts& sm = sms_[i].sm.ports;
    const models::L1Ports& l1 = sms_[i].l1.ports;
    const std::string its_name = plan_.name_of(sm_name(i)), its_l1 = plan_.name_of(l1_name(i));
    given(distributor.sms, distributor_name, "sms").bind(given(sm.ctas, its_name, "ctas"));
    given(sm.done, its_name, "done").bind(given(distributor.done, distributor_name, "done"));
    const models::TileScope tile(plan_.context().tiles, its_name, plan_.place_of_l1(i));
    ComputeSideOptions::SmUnits units;
    if (options.sm_units) units = options.sm_units(i, plan_.context(), plan_.core());
    models::bind_path(given(sm.to_l1, its_name, "to_l1"), units, given(l1.from_sm, its_l1, "from_sm"),
                      given(l1.to_sm, its_l1, "to_sm"), given(sm.from_l1, its_name, "from_l1"));
  }
}

void ComputeSide::serve(models::SmHost& host, const isa::MemoryMap& memory) {
  for (const SmWithL1& one : sms_) {
    if (one.sm.ports.serve) one.sm.ports.serve(host, memory);
  }
}

models::WorkDistributor& ComputeSide::distributor() const {
  return library_block<models::WorkDistributor>(distributor_, plan_.name_of("distributor"));
}

models::Sm& ComputeSide::sm(unsigned index) const {
  return library_block<models::Sm>(sms_.at(index).sm, plan_.name_of(sm_name(index)));
}

models::L1Cache& ComputeSide::l1(unsigned index) const {
  return library_block<models::L1Cache>(sms_.at(index).l1, plan_.name_of(l1_name(index)));
}

models::Sm* ComputeSide::library_sm(unsigned index) const {
  return dynamic_cast<models::Sm*>(sms_.at(index).sm.block.get());
}

void ComputeSide::overlay(std::uint64_t address, void* to, std::uint64_t bytes) const {
  auto* const data = static_cast<std::uint8_t*>(to);
  const MemoryRegion& local = plan_.memory().at(local_memory);
  const std::uint64_t of_each = plan_.local_bytes_per_sm();
  const std::uint64_t end = std::min(address + bytes, local.end());
  for (std::uint64_t at = std::max(address, local.base); at < end;) {
    const std::uint64_t sm = (at - local.base) / of_each;
    const std::uint64_t part = std::min(end, local.base + (sm + 1) * of_each) - at;
    const auto& overlay_of_l1 = sms_[sm].l1.ports.debug_overlay;
    if (overlay_of_l1) overlay_of_l1(base::ByteAddress(at), data + (at - address), part);
    at += part;
  }
}

models::InstructionCounts ComputeSide::instructions(const models::SmRange& sms) const {
  models::InstructionCounts sum;
  for (unsigned i = 0; i < sms_.size(); ++i) {
    const SmWithL1& one = sms_[i];
    if (!sms.overlaps({i, 1})) continue;
    if (!one.sm.ports.instructions) continue;
    const models::InstructionCounts its = one.sm.ports.instructions();
    sum.warps += its.warps;
    sum.threads += its.threads;
  }
  return sum;
}

}  // namespace syncline::platform
