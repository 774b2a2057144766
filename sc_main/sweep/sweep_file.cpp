#include "sc_main/sweep/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "platform/config/field_text.h"
#include "platform/config/yaml_node.h"
#include "platform/script/node_reader.h"

namespace syncline::sweep {
namespace {

using base::UserError;
using platform::MappingReader;
using platform::YamlEntry;
using platform::YamlNode;

/// Seeds of a list, with ranges, are written out.
constexpr std::size_t most_seeds = 1'000'000;

const std::vector<std::string>& matrix_keys() {
  static const std::vector<std::string> keys{"platforms", "workloads",   "sizes", "options",
                                             "set",       "input_seeds", "vary",  "seeds"};
  return keys;
}

/// As `--set` takes it.
Word word_of(const YamlNode& node, const std::string& key) {
  if (node.kind == YamlNode::Kind::scalar)
    return {node.quoted ? platform::yaml_quoted(node.text) : node.text, node.where};
  if (node.kind != YamlNode::Kind::sequence)
    throw UserError(node.where, fmt::format("`{}` expects a value or a list of values, found {}", key, node.found()));
  std::vector<std::string> items;
  for (const YamlNode& item : node.items) items.push_back(word_of(item, key).text);
  return {fmt::format("[{}]", fmt::join(items, ", ")), node.where};
}

/// A list, or the only item of one.
std::vector<const YamlNode*> items_of(const YamlNode& node, const std::string& key) {
  if (node.kind == YamlNode::Kind::scalar) return {&node};
  if (node.kind != YamlNode::Kind::sequence || node.items.empty())
    throw UserError(node.where, fmt::format("`{}` expects a value or a list of some, found {}", key,
                                            node.kind == YamlNode::Kind::sequence ? "an empty list" : node.found()));
  std::vector<const YamlNode*> items;
  for (const YamlNode& item : node.items) items.push_back(&item);
  return items;
}

void require_different(const std::vector<Word>& words, const std::string& key) {
  std::unordered_map<std::string_view, std::uint32_t> lines;
  for (const Word& word : words) {
    if (const auto [first, is_new] = lines.emplace(word.text, word.where.line); !is_new)
      throw UserError(word.where, fmt::format("`{}` has {} twice, the first time in line {}", key,
                                              platform::quoted_for_message(word.text), first->second));
  }
}

std::vector<Word> words_of(const YamlNode& node, const std::string& key) {
  std::vector<Word> words;
  for (const YamlNode* item : items_of(node, key)) words.push_back(word_of(*item, key));
  require_different(words, key);
  return words;
}

/// Names, which are plain texts.
std::vector<Word> names_of(const YamlNode& node, const std::string& key) {
  std::vector<Word> names;
  for (const YamlNode* item : items_of(node, key)) {
    if (item->kind != YamlNode::Kind::scalar || item->text.empty())
      throw UserError(item->where, fmt::format("`{}` expects names, found {}", key,
                                               item->kind == YamlNode::Kind::scalar ? "an empty one" : item->found()));
    names.push_back({item->text, item->where});
  }
  require_different(names, key);
  return names;
}

/// A name where a list makes no sense.
Word name_of(const YamlNode& node, const std::string& key) {
  if (node.kind != YamlNode::Kind::scalar)
    throw UserError(node.where, fmt::format("`{}` expects a name, found {}", key, node.found()));
  return names_of(node, key).front();
}

std::uint64_t seed_of(const YamlNode& node, std::string_view text, const std::string& key) {
  YamlNode one = node;
  one.text = text;
  return platform::read_value<std::uint64_t>(one, key, base::param::text("seed"));
}

/// Numbers, and ranges of them such as `1-20`.
std::vector<std::uint64_t> seeds_of(const YamlNode& node, const std::string& key) {
  std::vector<std::uint64_t> seeds;
  for (const YamlNode* item : items_of(node, key)) {
    const std::size_t dash = item->kind == YamlNode::Kind::scalar ? item->text.find('-', 1) : std::string::npos;
    const std::uint64_t first = seed_of(*item, std::string_view(item->text).substr(0, dash), key);
    const std::uint64_t last =
        dash == std::string::npos ? first : seed_of(*item, std::string_view(item->text).substr(dash + 1), key);
    if (last < first)
      throw UserError(item->where, fmt::format("`{}`: the range `{}` ends before it begins", key, item->text));
    if (last - first >= most_seeds - std::min(most_seeds, seeds.size()))
      throw UserError(item->where, fmt::format("`{}` has more than {} numbers", key, most_seeds));
    for (std::uint64_t seed = first; seed <= last; ++seed) {
      seeds.push_back(seed);
      if (seed == last) break;  // of the largest number there is
    }
  }
  std::vector<std::uint64_t> sorted = seeds;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw UserError(node.where, fmt::format("`{}` has {} twice", key, *twice));
  return seeds;
}

const std::vector<YamlEntry>& entries_of(const YamlNode& node, const std::string& key, std::string_view of) {
  if (node.kind != YamlNode::Kind::mapping)
    throw UserError(node.where, fmt::format("`{}` expects a mapping of {}, found {}", key, of, node.found()));
  return node.entries;
}

/// In the place of the one of this name, if there is one.
void put(std::vector<Axis>& axes, Axis axis) {
  const auto same =
      std::find_if(axes.begin(), axes.end(), [&](const Axis& one) { return one.name.text == axis.name.text; });
  if (same == axes.end())
    axes.push_back(std::move(axis));
  else
    *same = std::move(axis);
}

/// `common` with what the mapping says.
Matrix matrix_of(const MappingReader& keys, Matrix common) {
  const auto list = [&](const char* key, auto& into, const auto& reader) {
    if (const YamlNode* node = keys.find(key)) into = reader(*node, key);
  };
  list("platforms", common.platforms, names_of);
  list("workloads", common.workloads, names_of);
  list("sizes", common.sizes, names_of);
  list("input_seeds", common.input_seeds, seeds_of);
  list("seeds", common.seeds, seeds_of);
  if (const YamlNode* node = keys.find("options")) {
    for (const YamlEntry& entry : entries_of(*node, "options", "options and their values"))
      put(common.options, {{entry.key, entry.key_where}, words_of(entry.value, entry.key)});
  }
  const YamlNode* const set = keys.find("set");
  if (set != nullptr) {
    for (const YamlEntry& entry : entries_of(*set, "set", "keys and their values"))
      put(common.settings, {{entry.key, entry.key_where}, {word_of(entry.value, entry.key)}});
  }
  if (const YamlNode* node = keys.find("vary")) {
    for (const YamlEntry& entry : entries_of(*node, "vary", "keys and lists of their values")) {
      if (entry.value.kind != YamlNode::Kind::sequence)
        throw UserError(entry.value.where, fmt::format("`{}` below `vary` expects a list of values, found {}",
                                                       entry.key, entry.value.found()));
      if (set != nullptr && set->find(entry.key) != nullptr)
        throw UserError(entry.key_where, fmt::format("`{}` stands below `set` and below `vary`", entry.key));
      put(common.settings, {{entry.key, entry.key_where}, words_of(entry.value, entry.key)});
    }
  }
  return common;
}

/// fnmatch takes what it does not understand for itself.
void require_pattern(const Word& pattern) {
  bool in_brackets = false;
  for (std::size_t n = 0; n < pattern.text.size(); ++n) {
    const char c = pattern.text[n];
    if (c == '\\' && ++n == pattern.text.size())
      throw UserError(pattern.where, fmt::format("`keep`: the pattern `{}` ends with a `\\`", pattern.text));
    if (!in_brackets && c == '[') {
      in_brackets = true;
      if (n + 1 < pattern.text.size() && (pattern.text[n + 1] == '!' || pattern.text[n + 1] == '^')) ++n;
      if (n + 1 < pattern.text.size() && pattern.text[n + 1] == ']') ++n;  // one of the characters
    } else if (c == ']') {
      in_brackets = false;
    }
  }
  if (in_brackets)
    throw UserError(pattern.where, fmt::format("`keep`: the pattern `{}` has a `[` without `]`", pattern.text));
}

void require_complete(const Matrix& matrix, const base::SourceLocation& where) {
  const std::string whose = matrix.name.empty() ? "the sweep" : "the case `" + matrix.name + "`";
  if (matrix.platforms.empty()) throw UserError(where, whose + " lacks the key `platforms`");
  if (matrix.workloads.empty()) throw UserError(where, whose + " lacks the key `workloads`");
}

}  // namespace

SweepFile read_sweep(const std::filesystem::path& path) {
  SweepFile file;
  file.path = path;
  file.text = platform::read_file(path);
  const YamlNode root = platform::parse_yaml(file.text, path.string());
  std::vector<std::string> known = matrix_keys();
  known.insert(known.end(), {"database", "cases", "keep"});
  const MappingReader keys(root, "the sweep", known);
  file.database = std::filesystem::path(path).replace_extension(".db");
  if (const YamlNode* node = keys.find("database"))
    file.database = path.parent_path() / name_of(*node, "database").text;
  if (const YamlNode* node = keys.find("keep")) {
    for (const Word& pattern : names_of(*node, "keep")) {
      require_pattern(pattern);
      file.keep.push_back(pattern.text);
    }
  }
  Matrix common;
  common.input_seeds = {1};
  common.sizes = {{"small", {}}};
  common = matrix_of(keys, std::move(common));
  const YamlNode* const cases = keys.find("cases");
  if (cases == nullptr) {
    require_complete(common, keys.where());
    file.matrices.push_back(std::move(common));
    return file;
  }
  for (const YamlEntry& entry : entries_of(*cases, "cases", "names and what is different there")) {
    common.name = entry.key;
    file.matrices.push_back(
        matrix_of(MappingReader(entry.value, "the case `" + entry.key + "`", matrix_keys()), common));
    require_complete(file.matrices.back(), entry.key_where);
  }
  if (file.matrices.empty()) throw UserError(cases->where, "`cases` expects a mapping of names, found an empty one");
  return file;
}

std::vector<std::string> keep_of(const std::string& text) {
  const YamlNode root = platform::parse_yaml(text, "an earlier sweep");
  std::vector<std::string> patterns;
  if (const YamlEntry* const keep = root.find("keep")) {
    for (const Word& pattern : names_of(keep->value, "keep")) patterns.push_back(pattern.text);
  }
  return patterns;
}

}  // namespace syncline::sweep
