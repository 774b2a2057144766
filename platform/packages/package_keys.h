// The keys of a package, whatever they are: a Spec (base/fields.h) behind an interface, so that the root of all keys
// holds those of packages that it does not know.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "platform/config/field_list.h"

namespace syncline::platform {

class PackageKeys {
 public:
  virtual ~PackageKeys() = default;
  virtual std::unique_ptr<PackageKeys> copy() const = 0;
  /// Of the group, in docs/configuration.md.
  virtual std::string_view description() const = 0;
  /// As the fields() of a Spec, for the one visitor there is.
  virtual void fields(FieldList& list) = 0;
};

template <class Spec>
class KeysOf final : public PackageKeys {
 public:
  /// `description` is a literal.
  explicit KeysOf(std::string_view description) : description_(description) {}
  std::unique_ptr<PackageKeys> copy() const override { return std::make_unique<KeysOf>(*this); }
  std::string_view description() const override { return description_; }
  void fields(FieldList& list) override { spec.fields(list); }

  Spec spec;

 private:
  std::string_view description_;
};

}  // namespace syncline::platform
