#include "platform/gpu/gpu_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/round_up.h"
#include "platform/packages/composition.h"
#include "platform/packages/package.h"
#include "platform/packages/units.h"
#include "platform/spec/block_models.h"

namespace syncline::platform {
namespace {

/// `spec` with every source of chance that it asks for as a key of its own.
PlatformSpec with_chance(PlatformSpec spec) {
  spec.perturbation = spec.perturbation.resolved();
  return spec;
}

protocols::CoherencePolicy make_policy(const PlatformSpec& spec, const PlanOptions& options) {
  if (options.own_policy) return *options.own_policy;
  protocols::CoherenceContext context;
  context.tick_ps = 1'000'000'000'000 / spec.clocks.core;
  context.l1s = spec.sms + options.foreign_ports + (options.copy_engines ? spec.modules.gpus : 0);
  context.homes = spec.memory.partitions;
  context.warps = spec.sm.max_warps;
  context.grid = {spec.modules.gpus, spec.modules.gpms};
  protocols::CoherencePolicy policy = protocols::make_coherence_policy(spec.coherence, context);
  // As across a crossbar. So a window of lanes, which ends where crossbars look next, is no shorter for the ring.
  policy.ring_ps = spec.crossbar.latency * models::ps_per_second / spec.clocks.interconnect;
  return policy;
}

std::unique_ptr<models::PagedHomes> make_pages(const PlatformSpec& spec, const PlanOptions& options,
                                               const models::ModuleMap& modules) {
  if (modules.modules() == 1 || options.own_homes != nullptr) return nullptr;
  return std::make_unique<models::PagedHomes>(spec.modules.pages, spec.memory, modules, options.place);
}

std::unique_ptr<models::ModuleHomes> make_module_homes(const protocols::CoherencePolicy& policy,
                                                       const models::PagedHomes* pages,
                                                       const models::ModuleMap& modules) {
  if (!policy.of_modules || pages == nullptr) return nullptr;
  return std::make_unique<models::ModuleHomes>(*pages, modules, policy.has(protocols::Role::gpu_home));
}

std::vector<UnitRequest> units_of(const PlatformSpec& spec, const PlanOptions& options) {
  std::vector<UnitRequest> units = requested_units(spec);
  if (options.z_units) add_unit(units, z_unit(spec));
  for (const auto& [name, factory] : options.unit_factories) {
    std::vector<std::string> names;
    names.reserve(units.size());
    for (const UnitRequest& unit : units) names.push_back(unit.name);
    const auto replaced = std::find(names.begin(), names.end(), name);
    if (replaced == names.end())
      throw base::UserError("no unit `" + name + "` stands in the partitions of this GPU" +
                            (names.empty() ? std::string() : base::suggestion(name, names)));
    units[static_cast<std::size_t>(replaced - names.begin())].make = factory;
  }
  return units;
}

}  // namespace

GpuPlan::GpuPlan(models::PlatformContext& context, const PlatformSpec& spec, const PlanOptions& options,
                 const std::string& module)
    : context_(context),
      spec_(with_chance(spec)),
      options_(options),
      module_(module.empty() ? module : module + "."),
      policy_(make_policy(spec_, options_)),
      map_(spec_.memory, options_.place),
      modules_(spec_.modules, spec_.sms, l1s(), partitions(), options_.place, copy_engines()),
      pages_(make_pages(spec_, options_, modules_)),
      module_homes_(make_module_homes(policy_, pages_.get(), modules_)),
      units_(units_of(spec_, options_)),
      layout_(memory_layout(spec_, units_, options_.own_homes != nullptr ? Dealt::anywhere : Dealt::evenly)),
      core_(clock("core", spec_.clocks.core)),
      interconnect_(clock("interconnect", spec_.clocks.interconnect)),
      l2_(clock("l2", spec_.clocks.l2)),
      dram_(clock("dram", spec_.dram.clock)) {
  if (options_.own_homes != nullptr && options_.own_homes->homes() != partitions())
    throw base::UserError(fmt::format("the home map has {} homes, and the GPU {} memory partitions",
                                      options_.own_homes->homes(), partitions()));
  const auto require = [](bool ok, std::string_view key, const std::string& message) {
    if (!ok) throw base::UserError(fmt::format("`{}` {}", key, message));
  };
  check_composition({spec_, options_.foreign_ports}, require);
  check_memory(layout_, require);
  check_block_models(spec_, rtl::rtl_blocks(), require);
  if (spec_.modules.memory != 0 && pages_ != nullptr)
    pages_->limit(spec_.modules.memory / spec_.modules.pages.bytes, layout_.at(program_memory).end());
  if (!spec_.modules.linked() && pages_ != nullptr) give_local_memory();
  // Where modules cache lines of others, an SM asks its own module, whoever gets the page.
  if (pages_ != nullptr && module_homes_ == nullptr && pages_->place_on_touch())
    context.scheduler.keep_order("where a page lies is known when its first access has been sent");
  if (options_.foreign_ports != 0) context.scheduler.keep_time("foreign initiators come at SystemC's time");
  if (!options_.unit_factories.empty()) context.scheduler.keep_time("partitions have units of another maker");
  for (const UnitRequest& unit : units_) clock(unit.clock, unit.hertz);
  for (const ChosenPackage& chosen : chosen_packages(spec_)) {
    for (const models::MessageFamily* const family : chosen.package->families()) context.families.open(*family);
  }
  for (const models::MessageFamily* const family : options_.families) context.families.open(*family);
  std::vector<std::string_view> words;
  for (const protocols::MessageKind& kind : policy_.messages) words.push_back(kind.name);
  context.message_names =
      std::make_shared<models::ValueNames>(models::ValueNames{"message", context.families.kind_names(words)});
}

/// The local memory of a GPU's threads is in that GPU: where no links join GPUs, nobody reaches it elsewhere.
void GpuPlan::give_local_memory() {
  const MemoryRegion& local = layout_.at(local_memory);
  const std::uint64_t each = local.bytes / spec_.modules.gpus;
  for (unsigned gpu = 0; gpu < spec_.modules.gpus; ++gpu)
    pages_->give(local.base + gpu * each, local.base + (gpu + 1) * each, gpu);
}

const models::HomeMap& GpuPlan::homes() const {
  if (options_.own_homes != nullptr) return *options_.own_homes;
  if (module_homes_ != nullptr) return *module_homes_;
  if (pages_ != nullptr) return *pages_;
  return map_;
}

void GpuPlan::require_no_way_between_gpus() const {
  const auto refuse = [](const char* what) {
    throw base::UserError(
        fmt::format("{} reach the memory of all GPUs, and no links join them (`modules.topology` is `none`)", what));
  };
  if (options_.foreign_ports != 0) refuse("foreign initiators");
  if (options_.own_homes != nullptr) refuse("SMs under a home map of the user's");
}

std::vector<unsigned> GpuPlan::ends_grids() const {
  std::vector<unsigned> sms;
  if (!policy_.of_modules) return sms;
  for (unsigned gpu = 0; gpu < modules_.gpus(); ++gpu) sms.push_back(gpu * spec_.sms / modules_.gpus());
  return sms;
}

const models::AddressMap& GpuPlan::address_map() const {
  if (options_.own_homes != nullptr)
    throw base::UserError(
        "memory is not interleaved over this GPU's partitions: a home map of the user's says where it lies");
  if (pages_ != nullptr)
    throw base::UserError("memory is not interleaved over this device's partitions: its pages are placed on modules");
  return map_;
}

std::uint64_t GpuPlan::channel_bytes() const {
  return base::round_up(layout_.bytes_per_partition(), std::uint64_t{spec_.dram.banks} * spec_.dram.row);
}

std::vector<unsigned> GpuPlan::order(unsigned count) const {
  std::vector<unsigned> numbers(count);
  for (unsigned i = 0; i < count; ++i) numbers[i] = options_.reverse_construction ? count - 1 - i : i;
  return numbers;
}

/// Made where there is none of the name; under `perturbation.clock_phase` ahead by a random part of its period.
models::ClockDomain& GpuPlan::clock(const std::string& name, std::uint64_t hertz) {
  models::ClockDomain*& domain = clocks_[name];
  if (domain == nullptr) {
    const std::string full_name = prefix(options_.place) + name;
    const auto period_ps = static_cast<std::uint32_t>(1'000'000'000'000 / hertz);
    const models::PerturbationSpec& perturbation = spec_.perturbation;
    const std::uint64_t phase =
        perturbation.clock_phase ? perturbation.random(context_.seed, "clock_phase." + full_name).below(period_ps) : 0;
    domain = &context_.scheduler.add_domain(full_name, hertz, phase);
  }
  return *domain;
}

}  // namespace syncline::platform
