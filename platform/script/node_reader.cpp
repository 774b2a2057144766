#include "platform/script/node_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace syncline::platform {

using base::UserError;

MappingReader::MappingReader(const YamlNode& node, std::string what, std::vector<std::string> keys)
    : node_(node), what_(std::move(what)) {
  if (node.kind != YamlNode::Kind::mapping)
    throw UserError(node.where, fmt::format("{} expects a mapping with the keys {}, found {}", what_,
                                            fmt::join(keys, ", "), node.found()));
  for (const YamlEntry& entry : node.entries)
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end())
      throw UserError(entry.key_where, fmt::format("unknown key {} in {}{}", quoted_for_message(entry.key), what_,
                                                   base::suggestion(entry.key, keys)));
}

const YamlNode* MappingReader::find(std::string_view key) const {
  const YamlEntry* entry = node_.find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

const YamlNode& MappingReader::require(std::string_view key) const {
  const YamlNode* node = find(key);
  if (node == nullptr) throw UserError(node_.where, fmt::format("{} lacks the key `{}`", what_, key));
  return *node;
}

const YamlEntry* MappingReader::at_most_one_of(const std::vector<std::string>& keys) const {
  const YamlEntry* found = nullptr;
  for (const YamlEntry& entry : node_.entries) {
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) continue;
    if (found != nullptr)
      throw UserError(entry.key_where, fmt::format("{} takes only one of `{}` and `{}`", what_, found->key, entry.key));
    found = &entry;
  }
  return found;
}

const YamlEntry& MappingReader::exactly_one_of(const std::vector<std::string>& keys) const {
  const YamlEntry* found = at_most_one_of(keys);
  if (found == nullptr) throw UserError(node_.where, fmt::format("{} needs one of: {}", what_, fmt::join(keys, ", ")));
  return *found;
}

}  // namespace syncline::platform
