#include "protocols/coherence/registry.h"

#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "protocols/coherence/engine/mutant.h"
#include "protocols/coherence/hmg/hmg.h"
#include "protocols/coherence/ideal_remote/ideal_remote.h"
#include "protocols/coherence/no_remote_caching/no_remote_caching.h"
#include "protocols/coherence/sw/sw.h"
#include "protocols/coherence/sw_hierarchical/sw_hierarchical.h"

namespace syncline::protocols {
namespace {

/// So few entries that all lines go for the same, of one line and of several.
const std::vector<std::vector<std::string_view>> directories_of_modules{
    {"nhcc.directory_sets=1", "nhcc.directory_ways=2", "nhcc.directory_lines=1"},
    {"nhcc.directory_sets=2", "nhcc.directory_ways=1", "nhcc.directory_lines=4"}};

std::deque<CoherenceEntry>& all_entries() {
  static std::deque<CoherenceEntry> entries{
      {"none", "no coherence between L1 caches, as in real GPUs", false,
       [](const CoherenceSpec& spec, const CoherenceContext&) { return make_none(spec.none); }},
      {"mesi", "MESI directory, write-through L1, acknowledgements counted there", false,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_mesi(spec.mesi, context); }},
      {"gpu_vi", "GPU-VI: write-through invalidation, inclusive L2", false,
       [](const CoherenceSpec&, const CoherenceContext&) { return make_gpu_vi(); }},
      {"gpu_vi_ni",
       "GPU-VIni: GPU-VI with a directory apart from the L2's data",
       false,
       [](const CoherenceSpec& spec, const CoherenceContext&) { return make_gpu_vi_ni(spec.gpu_vi_ni); },
       {},
       {{"gpu_vi_ni.directory_sets=2", "gpu_vi_ni.directory_ways=3"}}},
      {"tc_strong",
       "TC-Strong: leases in physical time, stores wait until they are over",
       false,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_tc_strong(spec.tc, context); },
       {"tc.lease=2", "tc.predictor=fixed"},
       {{"tc.lease=100", "tc.predictor=fixed"},
        {"tc.lease=100", "tc.recycle_cycles=10"},
        {"tc.lease=2000", "tc.recycle_cycles=3"}}},
      {"tc_weak",
       "TC-Weak: leases in physical time, fences wait until they are over",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_tc_weak(spec.tc, context); },
       {"tc.lease=2", "tc.predictor=fixed"},
       // Leases that outlast fences if these do not wait; and fences of the paper, which promise less.
       {{"tc.lease=3000", "tc.predictor=fixed"}, {"tc.fence=warp"}}},
      {"rcc",
       "Relativistic Cache Coherence: leases in logical time",
       false,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_rcc(spec.rcc, context); },
       {"rcc.lease_min=1", "rcc.lease_max=2", "rcc.timestamp_bits=8"},
       {{"rcc.timestamp_bits=8"},
        {"rcc.timestamp_bits=8", "rcc.predictor=fixed", "rcc.lease_fixed=6"},
        {"rcc.timestamp_bits=8", "rcc.tick=40"}}},
      {"rcc_wo",
       "RCC, weakly ordered: a logical clock for loads and one for stores",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_rcc_wo(spec.rcc, context); },
       {"rcc.lease_min=1", "rcc.lease_max=2", "rcc.timestamp_bits=8"},
       {{"rcc.timestamp_bits=8"},
        {"rcc.timestamp_bits=8", "rcc.predictor=fixed", "rcc.lease_fixed=6"},
        {"rcc.timestamp_bits=8", "rcc.tick=40"}}},
      {"ideal", "SC-IDEAL: as mesi, but acknowledgements and unblocks leave at once", false,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_ideal(spec.mesi, context); }},
      {"ideal_free", "as mesi, but permissions cost nothing: a bound of ideal", false,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_ideal_free(spec.mesi, context); }},
      {"no_remote_caching",
       "no coherence between the L2s of modules: none keeps lines of another one",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) {
         return make_no_remote_caching(spec.nhcc, context);
       },
       {},
       {},
       true},
      {"sw",
       "software coherence between the L2s of modules: an acquire empties an L2 of other modules' lines",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_sw(spec.nhcc, context); },
       {},
       {},
       true},
      {"sw_hierarchical",
       "software coherence between the L2s of modules, with a home in each GPU, which acquires of the system empty",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) {
         return make_sw_hierarchical(spec.nhcc, context);
       },
       {},
       {},
       true},
      {"nhcc",
       "NHCC: invalidation between the L2s of modules, without acknowledgements; releases ask",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_nhcc(spec.nhcc, context); },
       {"nhcc.directory_lines=1"},
       directories_of_modules,
       true},
      {"hmg",
       "HMG: as nhcc between the L2s of modules, with a home in each GPU, which ends what has the GPU's scope",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_hmg(spec.nhcc, context); },
       {"nhcc.directory_lines=1"},
       directories_of_modules,
       true},
      {"ideal_remote",
       "hmg between the L2s of modules, but coherence costs nothing: a bound of what copies in L2s gain",
       true,
       [](const CoherenceSpec& spec, const CoherenceContext& context) { return make_ideal_remote(spec.nhcc, context); },
       {},
       {},
       true},
  };
  return entries;
}

/// Null: there is none.
const CoherenceEntry* entry_of(std::string_view policy) {
  for (const CoherenceEntry& entry : all_entries()) {
    if (entry.name == policy) return &entry;
  }
  return nullptr;
}

base::ChoiceTable<std::string>& all_names() {
  static base::ChoiceTable<std::string> names = [] {
    base::ChoiceTable<std::string> table;
    for (const CoherenceEntry& entry : all_entries()) table.emplace_back(entry.name, std::string(entry.name));
    return table;
  }();
  return names;
}

}  // namespace

const std::deque<CoherenceEntry>& coherence_policies() {
  return all_entries();
}

const CoherenceEntry& add_coherence_entry(CoherenceEntry entry) {
  if (entry.name.empty()) throw base::ModelError("a policy of coherence has no name");
  if (entry_of(entry.name) != nullptr)
    throw base::ModelError("the policy `" + std::string(entry.name) + "` of coherence.policy is there already");
  all_names().emplace_back(entry.name, std::string(entry.name));
  return all_entries().emplace_back(std::move(entry));
}

const base::ChoiceTable<ConsistencyChoice>& consistency_choices() {
  static const base::ChoiceTable<ConsistencyChoice> table{
      {"policy", ConsistencyChoice::policy}, {"wo", ConsistencyChoice::wo}, {"sc", ConsistencyChoice::sc}};
  return table;
}

std::string_view name(Consistency consistency) {
  return consistency == Consistency::sc ? "sc" : "wo";
}

bool is_weak(const std::string& policy) {
  const CoherenceEntry* const entry = entry_of(policy);
  return entry != nullptr && entry->weak;
}

bool needs_modules(std::string_view policy) {
  const CoherenceEntry* const entry = entry_of(policy);
  return entry != nullptr && entry->of_modules;
}

const base::ChoiceTable<std::string>& coherence_policy_names() {
  return all_names();
}

CoherencePolicy make_coherence_policy(const CoherenceSpec& spec, const CoherenceContext& context) {
  const CoherenceEntry* const entry = entry_of(spec.policy);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const CoherenceEntry& one : all_entries()) names.emplace_back(one.name);
    throw base::UserError("unknown coherence policy `" + spec.policy + "`" + base::suggestion(spec.policy, names));
  }
  CoherencePolicy policy = entry->make(spec, context);
  policy.l1s = context.l1s;
  if (entry->weak) policy.consistency = Consistency::wo;
  if (spec.consistency != ConsistencyChoice::policy)
    policy.consistency = spec.consistency == ConsistencyChoice::sc ? Consistency::sc : Consistency::wo;
  policy.header_bytes = static_cast<std::uint16_t>(spec.header_bytes);
  return spec.mutant.empty() ? policy : mutated(policy, mutant_named(policy, spec.mutant));
}

}  // namespace syncline::protocols
