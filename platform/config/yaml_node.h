// A YAML text as a tree whose nodes know where they stand.
//
// The subset of YAML that configurations and workload scripts use: one document of mappings, sequences and scalars.
// What YAML offers beyond that (anchors, aliases, merge keys, tags, keys that are not scalars, several documents) and
// what hides mistakes (duplicate keys) is an error. Scalars stay text: their meaning is decided by the key that takes
// them (platform/config/field_text.h), never by how they look.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace syncline::platform {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, mapping };
  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< the scalar was written in quotes or as a block
  base::SourceLocation where;
  std::vector<YamlNode> items;     ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a mapping, in the order of the text

  const YamlEntry* find(std::string_view key) const;  ///< null when the mapping lacks it
  /// "a mapping", "a list", "nothing" or the scalar in backquotes (long ones shortened): for error messages.
  std::string found() const;
};

struct YamlEntry {
  std::string key;
  base::SourceLocation key_where;
  YamlNode value;
};

/// Deepest nesting of mappings and sequences that is read.
inline constexpr unsigned max_yaml_depth = 32;
/// Longest file that is read. yaml-cpp takes some 240 bytes of memory for each byte of brackets, before it tells of the
/// first; this is far above what people write, and no text of it takes more than half a gigabyte and a second.
inline constexpr std::uint64_t max_yaml_bytes = std::uint64_t{1} << 21;

/// Parses one document. `file` names the text in locations. Throws UserError on anything outside the subset, on text
/// that is not UTF-8 or holds control characters, and on an empty text.
YamlNode parse_yaml(std::string_view text, const std::string& file);

/// The contents of a regular file. Throws UserError, located at `asked_from` if that is known, when it is missing, is
/// not a regular file, is larger than `max_bytes` or cannot be read.
std::string read_file(const std::filesystem::path& path, const base::SourceLocation& asked_from = {},
                      std::uint64_t max_bytes = max_yaml_bytes);

/// `text` in backquotes, shortened and with control characters made visible.
std::string quoted_for_message(std::string_view text);

}  // namespace syncline::platform
