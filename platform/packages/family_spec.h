// The keys of a family of policies: which policy, those that packages share, and below each package's name its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "platform/packages/package_keys.h"
#include "platform/packages/registry.h"

namespace syncline::platform {

class FamilySpec {
 public:
  /// With the defaults of all packages that the family has now. ModelError when there is no such family.
  explicit FamilySpec(std::string_view family);
  FamilySpec(const FamilySpec& other) { *this = other; }
  FamilySpec& operator=(const FamilySpec& other);

  std::string policy = "none";

  const PolicyFamily& family() const { return *family_; }
  /// The package that `policy` names; UserError with the nearest name when there is none.
  const Package& chosen() const;

  /// The keys of the package that has such ones; ModelError when none has.
  template <class Spec>
  Spec& keys() {
    for (Entry& entry : keys_) {
      if (auto* const keys = dynamic_cast<KeysOf<Spec>*>(entry.keys.get())) return keys->spec;
    }
    throw base::ModelError("no package of the family `" + std::string(family_->name) + "` has these keys");
  }
  template <class Spec>
  const Spec& keys() const {
    return const_cast<FamilySpec*>(this)->keys<Spec>();
  }

  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, family_->names(), base::param::text(family_->meaning));
    for (Entry& entry : keys_) {
      if (entry.package.empty())
        entry.keys->fields(v);
      else
        v.group(entry.package, *entry.keys, entry.keys->description());
    }
  }

 private:
  struct Entry {
    std::string_view package;  ///< empty: those that packages share
    std::unique_ptr<PackageKeys> keys;
  };

  const PolicyFamily* family_ = nullptr;
  std::vector<Entry> keys_;
};

}  // namespace syncline::platform
