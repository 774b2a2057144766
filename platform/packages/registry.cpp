#include "platform/packages/registry.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "platform/packages/coherence.h"
#include "platform/packages/package.h"
#include "protocols/coherence/registry.h"

namespace syncline::platform {

// A function for each.
#define PACKAGE(family, name) const Package& family##_##name();
#include "platform/packages/list.h"
#undef PACKAGE

namespace {

PolicyFamily& family_in(std::vector<PolicyFamily>& families, std::string_view name) {
  const auto found = std::find_if(families.begin(), families.end(), [&](const auto& one) { return one.name == name; });
  if (found == families.end()) throw base::ModelError("there is no family `" + std::string(name) + "` of policies");
  return *found;
}

std::vector<PolicyFamily>& all_families() {
  static std::vector<PolicyFamily> families = [] {
    std::vector<PolicyFamily> made{
        {"coherence", "coherence", "who keeps copies of a line current, and how", coherence_packages()},
        {"transactions", "transactions", "transactional memory", {}},
        {"local_transactions", "transactions.local", "transactional memory in shared memory", {}},
        {"determinism", "determinism", "deterministic execution", {}},
        {"composition", "composition", "composition of images on many GPUs", {}}};
#define PACKAGE(family, name) family_in(made, #family).packages.push_back(&family##_##name());
#include "platform/packages/list.h"
#undef PACKAGE
    return made;
  }();
  return families;
}

const Package* package_in(const PolicyFamily& family, std::string_view name) {
  for (const Package* const package : family.packages) {
    if (package->name() == name) return package;
  }
  return nullptr;
}

}  // namespace

base::ChoiceTable<std::string> PolicyFamily::names() const {
  base::ChoiceTable<std::string> table;
  for (const Package* const package : packages) table.emplace_back(package->name(), std::string(package->name()));
  return table;
}

const Package& PolicyFamily::find(const std::string& package) const {
  if (const Package* const found = package_in(*this, package)) return *found;
  for (const PolicyFamily& other : all_families()) {
    if (package_in(other, package) != nullptr)
      throw base::UserError("unknown " + std::string(name) + " policy `" + package + "`; it is one of `" + other.key() +
                            "`");
  }
  std::vector<std::string> known;
  known.reserve(packages.size());
  for (const Package* const one : packages) known.emplace_back(one->name());
  throw base::UserError("unknown " + std::string(name) + " policy `" + package + "`" +
                        base::suggestion(package, known));
}

const std::vector<PolicyFamily>& policy_families() {
  return all_families();
}

const PolicyFamily& policy_family(std::string_view name) {
  return family_in(all_families(), name);
}

void add_package(std::string_view family, const Package& package) {
  PolicyFamily& to = family_in(all_families(), family);
  if (to.name == "coherence") throw base::ModelError("a policy of coherence is added by add_coherence_policy");
  if (package_in(to, package.name()) != nullptr)
    throw base::ModelError("the policy `" + std::string(package.name()) + "` of " + to.key() + " is there already");
  to.packages.push_back(&package);
}

void add_coherence_policy(protocols::CoherenceEntry entry) {
  PolicyFamily& to = family_in(all_families(), "coherence");  // with the library's, before there is another entry
  to.packages.push_back(&coherence_package(protocols::add_coherence_entry(std::move(entry))));
}

std::string PolicyName::setting() const {
  return family->key() + "=" + std::string(package->name());
}

PolicyName find_policy(const std::string& text) {
  const std::size_t equals = text.find('=');
  for (const PolicyFamily& family : policy_families()) {
    if (equals != std::string::npos) {
      if (text.compare(0, equals, family.key()) == 0) return {&family, &family.find(text.substr(equals + 1))};
    } else if (const Package* const found = package_in(family, text)) {
      return {&family, found};
    }
  }
  if (equals == std::string::npos)
    throw base::UserError("unknown policy `" + text + "`" + base::suggestion(policy_part(text), policy_names()));
  std::vector<std::string> keys;
  for (const PolicyFamily& family : policy_families()) keys.push_back(family.key());
  const std::string key = text.substr(0, equals);
  throw base::UserError("`" + key + "` chooses no policy" + base::suggestion(key, keys));
}

std::string policy_part(const std::string& text) {
  return text.substr(text.rfind('.') + 1);
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyFamily& family : policy_families()) {
    for (const Package* const package : family.packages) {
      if (std::find(names.begin(), names.end(), package->name()) == names.end()) names.emplace_back(package->name());
    }
  }
  return names;
}

}  // namespace syncline::platform
