// Reading a mapping with a fixed set of keys: what is missing, unknown or contradictory is told with its location.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/config/field_list.h"
#include "platform/config/field_text.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {

/// A value by the rules of configuration keys (units, ranges, spelling); `name` is the key in messages.
template <class T>
T read_value(const YamlNode& node, std::string_view name, const base::FieldInfo& info) {
  T value{};
  FieldList list;
  list.field(name, value, info);
  set_field(list.fields().front(), node);
  return value;
}

class MappingReader {
 public:
  /// `what` is the mapping's name in messages. Throws UserError when `node` is no mapping or has a key beyond `keys`.
  MappingReader(const YamlNode& node, std::string what, std::vector<std::string> keys);

  const YamlNode* find(std::string_view key) const;     ///< null when absent
  const YamlNode& require(std::string_view key) const;  ///< UserError when absent
  /// The one of `keys` that is present, null when none is; UserError when there are several.
  const YamlEntry* at_most_one_of(const std::vector<std::string>& keys) const;
  const YamlEntry& exactly_one_of(const std::vector<std::string>& keys) const;

  template <class T>
  T value(std::string_view key, const base::FieldInfo& info) const {
    return read_value<T>(require(key), key, info);
  }
  template <class T>
  T value_or(std::string_view key, T absent, const base::FieldInfo& info) const {
    const YamlNode* node = find(key);
    return node == nullptr ? absent : read_value<T>(*node, key, info);
  }
  const base::SourceLocation& where() const { return node_.where; }

 private:
  const YamlNode& node_;
  std::string what_;
};

}  // namespace syncline::platform
