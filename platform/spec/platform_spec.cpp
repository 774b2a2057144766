#include "platform/spec/platform_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

#include "models/clock/lane.h"
#include "platform/config/field_text.h"
#include "platform/packages/composition.h"
#include "platform/spec/block_models.h"

namespace syncline::platform {
namespace {

/// What programs and policies take from all SMs alike, and lines, which travel between caches.
std::string same_for_all_sms(const std::string& path) {
  static constexpr std::string_view capacities[] = {"sm.warp_size",     "sm.max_warps",
                                                    "sm.max_threads",   "sm.max_ctas",
                                                    "sm.registers",     "sm.register_allocation_unit",
                                                    "sm.reconvergence", "sm.its_patience",
                                                    "sm.shared.bytes",  "sm.shared.allocation_unit"};
  if (path.rfind("l1.", 0) != 0 && path.rfind("sm.", 0) != 0) return "only keys of `l1` and `sm` can";
  if (path == "l1.line") return "lines travel between the caches";
  if (std::find(std::begin(capacities), std::end(capacities), path) != std::end(capacities))
    return "programs and policies count on the same in all SMs";
  return {};
}

/// `spec` with the values of a part of its SMs.
PlatformSpec changed(PlatformSpec spec, const PartialSettings& part) {
  const FieldList fields = FieldList::of(spec);
  for (const PartialSettings::Value& one : part.values) set_field(*fields.find(one.path), one.value);
  const FieldList checked = FieldList::of(spec);
  for (const Violation& violation : checked.violations()) {
    const auto blamed = std::find_if(part.values.begin(), part.values.end(),
                                     [&](const auto& one) { return one.path == violation.path; });
    throw base::UserError(blamed == part.values.end() ? part.where : blamed->where,
                          "`" + violation.path + "` " + violation.message);
  }
  return spec;
}

/// The policy that the keys name, without the mutant, which may be a mistake that others tell.
protocols::CoherencePolicy policy_of(protocols::CoherenceSpec spec) {
  spec.mutant.clear();
  return protocols::make_coherence_policy(spec);
}

/// What a device of several modules has the same many of in each, and what has been tried on none.
void check_modules(const PlatformSpec& spec, const Require& require) {
  const unsigned modules = spec.modules.count();
  const bool between_l2s = protocols::needs_modules(spec.coherence.policy);
  require(modules > 1 || !between_l2s, "coherence.policy",
          "keeps L2s of several modules coherent, and there is one (`modules.gpus` times `modules.gpms`)");
  if (modules == 1) return;
  if (!spec.modules.linked()) {
    require(!between_l2s, "coherence.policy",
            "keeps L2s of GPUs coherent over links, and there are none (`modules.topology` is `none`)");
    require(!policy_of(spec.coherence).home_ring, "coherence.policy",
            "begins its logical time anew on all GPUs together, over links, and there are none (`modules.topology` is "
            "`none`)");
  }
  if (between_l2s) {
    const unsigned most = protocols::JointFence::max_l1s - 1;  // and the copy engine of a GPU
    require(spec.sms / modules <= most, "sms",
            fmt::format("may be {} a module at most under `{}`, whose releases are joined by module", most,
                        spec.coherence.policy));
    constexpr unsigned most_modules = std::numeric_limits<decltype(protocols::NodeMeta::asked_by)>::digits;
    require(modules <= most_modules, "modules.gpus",
            fmt::format("times `modules.gpms` may be {} at most under `{}`, whose homes note modules", most_modules,
                        spec.coherence.policy));
    const protocols::CoherencePolicy policy = policy_of(spec.coherence);
    const protocols::RoleMachine& home = policy.at(protocols::Role::home);
    const std::uint32_t slices = spec.memory.partitions / modules;
    require(!home.directory || slices == 0 || spec.coherence.nhcc.directory_sets % slices == 0,
            "coherence.nhcc.directory_sets",
            fmt::format("has {} sets, which cannot be dealt to the {} L2 slices of a module",
                        spec.coherence.nhcc.directory_sets, slices));
    const std::uint32_t entry = home.lines_of_entry() * spec.l2.line;
    require(
        spec.memory.chunk >= entry, "memory.chunk",
        fmt::format("must hold the {} bytes of an entry of the directory (`coherence.nhcc.directory_lines`)", entry));
    // One for lines that are at home, one for the home of a GPU, one for others.
    require(spec.l2.ways >= 3, "l2.ways", "must be 3 or more where L2s have lines of other modules");
    require(spec.l2.mshr_entries >= 3, "l2.mshr_entries", "must be 3 or more where L2s have lines of other modules");
  }
  const auto dealt_to = [&](std::uint32_t count, const char* key, const char* what) {
    require(count % modules == 0, key,
            "has " + std::to_string(count) + " " + what + ", which cannot be dealt to " + std::to_string(modules) +
                " modules (`modules.gpus` times `modules.gpms`)");
  };
  dealt_to(spec.sms, "sms", "SMs");
  dealt_to(spec.memory.partitions, "memory.partitions", "partitions");
  require(spec.modules.pages.bytes >= spec.memory.chunk, "modules.pages.bytes", "must hold a `memory.chunk`");
  for (const FamilySpec* const family : spec.families()) {
    require(family->chosen().name() == "none", family->family().key(),
            "has to be `none` on a device of several modules: no other one has been tried there");
  }
}

const SmGroup* group_of(const std::vector<SmGroup>& groups, unsigned sm) {
  for (const SmGroup& group : groups) {
    if (group.first <= sm && sm <= group.last) return &group;
  }
  return nullptr;
}

}  // namespace

void check_platform(const PlatformSpec& spec, const Require& require) {
  // What travels between the caches is a line, and a line has one home.
  require(spec.l1.line == spec.l2.line, "l1.line", "must equal `l2.line`");
  require(spec.z_unit.cache_size % (spec.z_unit.ways * spec.l2.line) == 0, "z_unit.cache_size",
          "must be a whole number of sets of `z_unit.ways` lines of `l2.line`");
  require(spec.memory.chunk >= spec.l2.line, "memory.chunk", "must hold at least one line of the L2");
  require(spec.crossbar.allocation_period < spec.crossbar.latency, "crossbar.allocation_period",
          fmt::format("must be less than `crossbar.latency`, of which it is a part, here {} cycles",
                      spec.crossbar.latency));
  require(spec.coherence.nhcc.order == protocols::MessageOrder::pair, "coherence.nhcc.order",
          "must be `pair` on a machine that runs, whose networks keep that order; others are for `syncline check`");
  check_modules(spec, require);
  check_composition({spec}, require);
  check_memory(memory_layout(spec, requested_units(spec)), require);
  check_block_models(spec, rtl::rtl_blocks(), require);
}

const models::SmSpec& PlatformSpec::sm_of(unsigned index) const {
  const SmGroup* const group = group_of(sm_groups, index);
  return group == nullptr ? sm : group->sm;
}

const models::L1Spec& PlatformSpec::l1_of(unsigned index) const {
  const SmGroup* const group = group_of(sm_groups, index);
  return group == nullptr ? l1 : group->l1;
}

template <>
Configuration<PlatformSpec> read_configuration<PlatformSpec>(const ConfigurationInput& input) {
  const PartialRule rule{"sms", same_for_all_sms};
  ConfigurationInput with_groups = input;
  with_groups.partial = &rule;
  Configuration<PlatformSpec> configuration;
  PlatformSpec& spec = configuration.spec;
  configuration.settings = read_configuration(with_groups, FieldList::of(spec));
  check_rules(FieldList::of(spec), configuration.settings, input.file);
  std::vector<SmGroup> groups;
  for (const PartialSettings& part : configuration.settings.partial()) {
    const PlatformSpec of_these = changed(spec, part);
    groups.push_back(
        {static_cast<std::uint32_t>(part.first), static_cast<std::uint32_t>(part.last), of_these.sm, of_these.l1});
  }
  spec.sm_groups = std::move(groups);
  return configuration;
}

bool are_threads(const std::string& text) {
  if (text == "auto") return true;
  const bool is_number = !text.empty() && text.size() <= 2 && text.front() != '0' &&
                         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number && std::stoul(text) <= models::max_lanes;
}

unsigned host_threads(const PlatformSpec& spec) {
  if (spec.host.threads != "auto") return static_cast<unsigned>(std::stoul(spec.host.threads));
  constexpr unsigned worth_a_thread = 16;  // SMs: docs/speed.md
  const unsigned offered = std::max(1U, std::thread::hardware_concurrency());
  return std::min({std::max(1U, spec.sms / worth_a_thread), offered, models::max_lanes});
}

Configuration<PlatformSpec> read_with_seed(ConfigurationInput& input) {
  Configuration<PlatformSpec> configuration = read_configuration<PlatformSpec>(input);
  const bool chooses_chance =
      std::any_of(configuration.settings.begin(), configuration.settings.end(), [](const Setting& one) {
        return !one.is_default && one.path.rfind("perturbation.", 0) == 0 && one.path != "perturbation.seed";
      });
  if (chooses_chance) return configuration;
  input.overrides.emplace_back("perturbation.chance=injection");
  return read_configuration<PlatformSpec>(input);
}

template std::string configuration_reference<PlatformSpec>();

}  // namespace syncline::platform
