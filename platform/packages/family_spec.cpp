#include "platform/packages/family_spec.h"

#include "platform/packages/package.h"

namespace syncline::platform {

FamilySpec::FamilySpec(std::string_view family) : family_(&policy_family(family)) {
  for (const Package* const package : family_->packages) {
    if (auto keys = package->family_keys(); keys != nullptr && (keys_.empty() || !keys_.front().package.empty()))
      keys_.insert(keys_.begin(), {std::string_view(), std::move(keys)});
    if (auto keys = package->keys()) keys_.push_back({package->name(), std::move(keys)});
  }
}

FamilySpec& FamilySpec::operator=(const FamilySpec& other) {
  if (this == &other) return *this;
  policy = other.policy;
  family_ = other.family_;
  keys_.clear();
  for (const Entry& entry : other.keys_) keys_.push_back({entry.package, entry.keys->copy()});
  return *this;
}

const Package& FamilySpec::chosen() const {
  return family_->find(policy);
}

}  // namespace syncline::platform
