#include "platform/config/partial_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/nearest.h"
#include "platform/config/field_text.h"

namespace syncline::platform {
namespace {

using base::UserError;

/// All of `text`.
std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string name(const PartialSettings& range) {
  return range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
}

}  // namespace

const YamlEntry* PartialReader::read(const YamlNode& mapping) {
  const YamlEntry* count = nullptr;
  settings_.clear();
  for (const YamlEntry& entry : mapping.entries) {
    if (entry.key == "count") {
      count = &entry;
      continue;
    }
    PartialSettings one = range(entry);
    for (const PartialSettings& other : settings_) {
      if (one.first <= other.last && other.first <= one.last)
        throw UserError(one.where, fmt::format("`{}` of `{}` overlaps `{}` in line {}", name(one), rule_->key,
                                               name(other), other.where.line));
    }
    read_values_of(entry, one);
    settings_.push_back(std::move(one));
  }
  return count;
}

void PartialReader::override_with(const std::string& path, const YamlNode& value, const base::SourceLocation& where) {
  const std::string rest = path.substr(rule_->key.size() + 1);
  const std::size_t dot = std::min(rest.find('.'), rest.size());
  if (rest == "count")
    throw UserError(where, fmt::format("`{0}` itself takes the number: `{0}={1}`", rule_->key, value.text));
  YamlEntry entry{rest.substr(0, dot), where, value};
  if (dot != rest.size()) {
    entry.value = {};
    entry.value.kind = YamlNode::Kind::mapping;
    entry.value.where = where;
    entry.value.entries.push_back({rest.substr(dot + 1), where, value});
  }
  PartialSettings added = range(entry);
  read_values_of(entry, added);

  // No two may overlap: what is there is cut at the ends of the range, and gaps within it are the override's alone.
  std::vector<PartialSettings> all;
  const auto keep = [&all](const PartialSettings& from, std::uint64_t first, std::uint64_t last) {
    if (first > last) return;
    all.push_back(from);
    all.back().first = first;
    all.back().last = last;
  };
  std::sort(settings_.begin(), settings_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::uint64_t next = added.first;  // of the range, the first that no other holds
  for (const PartialSettings& one : settings_) {
    if (one.last < added.first || one.first > added.last) {
      all.push_back(one);
      continue;
    }
    if (one.first < added.first) keep(one, one.first, added.first - 1);
    if (one.first > next) keep(added, next, one.first - 1);
    keep(one, std::max(one.first, added.first), std::min(one.last, added.last));
    for (const PartialSettings::Value& value_of : added.values) {
      auto& values = all.back().values;
      values.erase(
          std::remove_if(values.begin(), values.end(), [&](const auto& old) { return old.path == value_of.path; }),
          values.end());
      values.push_back(value_of);
    }
    keep(one, added.last + 1, one.last);
    next = one.last + 1;
  }
  keep(added, next, added.last);
  settings_ = std::move(all);
}

void PartialReader::read_values_of(const YamlEntry& entry, PartialSettings& into) const {
  if (entry.value.kind != YamlNode::Kind::mapping)
    throw UserError(entry.value.where, fmt::format("`{}.{}` expects keys with their values, found {}", rule_->key,
                                                   entry.key, entry.value.found()));
  read_values(entry.value, "", into);
}

PartialSettings PartialReader::range(const YamlEntry& entry) const {
  const std::string_view text = entry.key;
  const std::size_t dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
  if (!first || !last || *last < *first)
    throw UserError(entry.key_where,
                    fmt::format("{} is no part of `{}`; expected `count`, a number, or a range such as "
                                "`0-3`",
                                quoted_for_message(text), rule_->key));
  return {*first, *last, entry.key_where, {}};
}

void PartialReader::read_values(const YamlNode& mapping, const std::string& group, PartialSettings& into) const {
  for (const YamlEntry& entry : mapping.entries) {
    const std::string path = group.empty() ? entry.key : group + "." + entry.key;
    if (fields_.is_group(path) && entry.value.kind == YamlNode::Kind::mapping) {
      read_values(entry.value, path, into);
      continue;
    }
    if (fields_.find(path) == nullptr) reject(entry, path);
    if (const std::string why = rule_->same_for_all(path); !why.empty())
      throw UserError(entry.key_where, fmt::format("`{}` cannot differ within `{}`: {}", path, rule_->key, why));
    if (std::any_of(into.values.begin(), into.values.end(), [&](const auto& one) { return one.path == path; }))
      throw UserError(entry.key_where, fmt::format("`{}` is given twice", path));
    into.values.push_back({path, entry.value, entry.key_where});
  }
}

void PartialReader::reject(const YamlEntry& entry, const std::string& path) const {
  if (fields_.is_group(path))
    throw UserError(entry.value.where, fmt::format("`{}` is a group of keys, found {}; its keys: {}", path,
                                                   entry.value.found(), fmt::join(fields_.names_below(path), ", ")));
  std::vector<std::string> names;
  for (const FieldRef& field : fields_.fields()) {
    if (rule_->same_for_all(field.path).empty()) names.push_back(field.path);
  }
  throw UserError(entry.key_where, fmt::format("unknown key {} in `{}`{}", quoted_for_message(path), rule_->key,
                                               base::suggestion(path, names)));
}

void check_partial(const std::vector<PartialSettings>& settings, std::uint64_t count, std::string_view key) {
  for (const PartialSettings& one : settings) {
    if (one.last >= count)
      throw UserError(one.where,
                      fmt::format("`{}` of `{}` goes beyond what there is: 0 to {}", name(one), key, count - 1));
  }
}

std::string yaml_text(const YamlNode& value) {
  if (value.kind != YamlNode::Kind::sequence) return value.quoted ? yaml_quoted(value.text) : value.text;
  std::vector<std::string> items;
  for (const YamlNode& item : value.items) items.push_back(yaml_text(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace syncline::platform
