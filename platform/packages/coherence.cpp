#include "platform/packages/coherence.h"

#include <deque>

#include "platform/packages/package.h"
#include "protocols/coherence/engine/describe.h"
#include "protocols/coherence/registry.h"

namespace syncline::platform {
namespace {

class CoherencePackage final : public Package {
 public:
  explicit CoherencePackage(const protocols::CoherenceEntry& entry) : entry_(entry) {}
  std::string_view name() const override { return entry_.name; }
  std::string_view summary() const override { return entry_.summary; }
  std::string page(std::string_view) const override { return protocols::describe_markdown(policy()); }
  std::string graph() const override { return protocols::describe_dot(policy()); }

 private:
  protocols::CoherencePolicy policy() const {
    protocols::CoherenceSpec spec;
    spec.policy = entry_.name;
    return protocols::make_coherence_policy(spec);
  }
  const protocols::CoherenceEntry& entry_;
};

}  // namespace

const Package& coherence_package(const protocols::CoherenceEntry& entry) {
  static std::deque<CoherencePackage> all;
  return all.emplace_back(entry);
}

std::vector<const Package*> coherence_packages() {
  std::vector<const Package*> packages;
  for (const protocols::CoherenceEntry& entry : protocols::coherence_policies())
    packages.push_back(&coherence_package(entry));
  return packages;
}

}  // namespace syncline::platform
