// Reads the values that only some of the things have that a key counts (PartialSettings).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/config/field_list.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {

/// `sms: {count: 8, 0-3: {l1.size: 64 KiB}, 5: {l1: {ways: 8}}}`: the count may be left out, and keys stand with dots
/// or below their groups. Such a mapping is one value: a stronger one replaces it.
class PartialReader {
 public:
  /// `rule`: null for none.
  PartialReader(const FieldList& fields, const PartialRule* rule) : fields_(fields), rule_(rule) {}

  /// Whether `value` of the key `path` is one.
  bool takes(const std::string& path, const YamlNode& value) const {
    return rule_ != nullptr && path == rule_->key && value.kind == YamlNode::Kind::mapping;
  }
  /// UserError for ranges that overlap or are none, and for keys that do not exist or cannot differ. The entry of the
  /// count; null where none is given.
  const YamlEntry* read(const YamlNode& mapping);
  /// Whether an override of the key `path` is of some of the things: "sms.0-3.l1.size".
  bool takes(const std::string& path) const {
    return rule_ != nullptr && path.compare(0, rule_->key.size(), rule_->key) == 0 && path.size() > rule_->key.size() &&
           path[rule_->key.size()] == '.';
  }
  /// Such an override, which is stronger than what was said before of the same key, and leaves all other values. Errors
  /// as of `read`.
  void override_with(const std::string& path, const YamlNode& value, const base::SourceLocation& where);
  const std::vector<PartialSettings>& settings() const { return settings_; }

 private:
  PartialSettings range(const YamlEntry& entry) const;
  void read_values_of(const YamlEntry& entry, PartialSettings& into) const;
  void read_values(const YamlNode& mapping, const std::string& group, PartialSettings& into) const;
  [[noreturn]] void reject(const YamlEntry& entry, const std::string& path) const;

  const FieldList& fields_;
  const PartialRule* rule_;
  std::vector<PartialSettings> settings_;
};

/// UserError where a range goes beyond what there is.
void check_partial(const std::vector<PartialSettings>& settings, std::uint64_t count, std::string_view key);

/// A value as it was written.
std::string yaml_text(const YamlNode& value);

}  // namespace syncline::platform
