#include "sc_main/cli/policy_keys.h"

#include "platform/config/configuration.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"

namespace syncline::cli {
namespace {

/// The part of a platform's keys that a policy has.
struct PolicySpec {
  protocols::CoherenceSpec coherence;
  template <class V>
  void fields(V& v) {
    v.group("coherence", coherence, "coherence and consistency inside the GPU");
  }
};

}  // namespace

protocols::CoherenceSpec policy_keys(const std::string& policy, const std::vector<std::string_view>& settings,
                                     const std::vector<std::string>& overrides, const std::string& command) {
  std::vector<std::string> all{"coherence.policy=" + policy};
  for (const std::string_view setting : settings) all.push_back("coherence." + std::string(setting));
  all.insert(all.end(), overrides.begin(), overrides.end());
  protocols::CoherenceSpec spec =
      platform::parse_configuration<PolicySpec>("coherence: {}\n", command, all).spec.coherence;
  if (spec.policy != policy)
    throw base::UserError({"--set coherence.policy"},
                          "POLICY is `" + policy + "` already, found `" + std::string(spec.policy) + "`");
  return spec;
}

std::vector<protocols::CoherenceSpec> stress_keys(const std::string& policy, const std::vector<std::string>& overrides,
                                                  const std::string& command) {
  const protocols::CoherenceEntry& entry = policy_entry(policy);
  std::vector<std::vector<std::string_view>> settings{{}, {}, entry.small};
  settings.insert(settings.end(), entry.rare.begin(), entry.rare.end());
  std::vector<protocols::CoherenceSpec> specs;
  specs.reserve(settings.size());
  for (const auto& list : settings) specs.push_back(policy_keys(policy, list, overrides, command));
  return specs;
}

const protocols::CoherenceEntry& policy_entry(const std::string& policy) {
  for (const protocols::CoherenceEntry& entry : protocols::coherence_policies()) {
    if (entry.name == policy) return entry;
  }
  const platform::PolicyName found = platform::find_policy(policy);
  if (found.family->name == "coherence")
    throw base::UserError("`" + policy + "`: give the name alone, `" + std::string(found.package->name()) + "`");
  throw base::UserError("`" + policy + "` is a policy of " + found.family->key() + "; this is about coherence");
}

}  // namespace syncline::cli
