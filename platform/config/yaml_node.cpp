#include "platform/config/yaml_node.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "base/readable.h"
#include "platform/config/utf8.h"

namespace syncline::platform {
namespace {

using base::SourceLocation;
using base::UserError;

// Builds the tree from yaml-cpp's events, which carry marks and, unlike its Node, every duplicate key.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& file) : text_(text), file_(file) {}
  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw UserError(at(mark), "text after the end of the document; a file holds one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    start(YamlNode::Kind::null, mark, "", anchor);
    finish();
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw UserError(at(mark), "an alias (`*name`) is not supported; write the value out or use `include`");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode& node = start(YamlNode::Kind::scalar, mark, tag, anchor);
    node.text = value;
    node.quoted = tag == "!";
    if (node.quoted) check_end_of_quotes(mark, node.where);
    check_escapes(node);
    finish();
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(YamlNode::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { finish(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(YamlNode::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { finish(); }

 private:
  // A mapping under construction takes a key, then its value, in turn.
  struct Level {
    YamlNode node;
    bool has_key = false;
    YamlEntry entry;
    std::unordered_map<std::string, std::uint32_t> lines;  ///< of the keys so far
  };

  SourceLocation at(const YAML::Mark& mark) const {
    return {file_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }

  // yaml-cpp 0.7 takes the end of the text for the end of a quoted scalar when the text ends in a line break.
  void check_end_of_quotes(const YAML::Mark& mark, const SourceLocation& where) const {
    const auto begin = static_cast<std::size_t>(mark.pos);
    const char quote = begin < text_.size() ? text_[begin] : '\0';
    if (quote == '!') throw UserError(where, "a tag (`!`) is not supported; the type of a value follows from its key");
    if (quote != '"' && quote != '\'') return;  // a block scalar
    for (std::size_t i = begin + 1; i < text_.size(); ++i) {
      if (text_[i] == quote && quote == '\'' && i + 1 < text_.size() && text_[i + 1] == quote)
        ++i;  // '' is a quote within single quotes
      else if (text_[i] == quote)
        return;
      else if (text_[i] == '\\' && quote == '"')
        ++i;
    }
    throw UserError(where, "this quoted text has no end");
  }

  // The file is UTF-8, but yaml-cpp 0.7 makes of each of two escapes a byte that is none.
  static void check_escapes(const YamlNode& node) {
    if (!is_utf8(node.text))
      throw UserError(node.where, "the escapes `\\N` and `\\_` are not supported; write the character itself");
  }

  YamlNode& start(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const SourceLocation where = at(mark);
    if (anchor != 0) throw UserError(where, "an anchor (`&name`) is not supported; use `include` to share values");
    // "?" and "!" are yaml-cpp's marks of plain and of quoted nodes without a tag.
    if (!tag.empty() && tag != "?" && tag != "!")
      throw UserError(
          where, "a tag (" + quoted_for_message(tag) + ") is not supported; the type of a value follows from its key");
    if (levels_.size() > max_yaml_depth)
      throw UserError(where, fmt::format("nested deeper than {} levels", max_yaml_depth));
    levels_.emplace_back();
    levels_.back().node.kind = kind;
    levels_.back().node.where = where;
    return levels_.back().node;
  }

  void finish() {
    YamlNode node = std::move(levels_.back().node);
    levels_.pop_back();
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& parent = levels_.back();
    if (parent.node.kind == YamlNode::Kind::sequence) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.has_key) {
      // The mark of an absent value is that of whatever follows; its key is what the reader wants to see.
      if (node.kind == YamlNode::Kind::null) node.where = parent.entry.key_where;
      parent.entry.value = std::move(node);
      parent.node.entries.push_back(std::move(parent.entry));
      parent.entry = {};
      parent.has_key = false;
    } else {
      take_key(parent, std::move(node));
    }
  }

  static void take_key(Level& mapping, YamlNode node) {
    if (node.kind != YamlNode::Kind::scalar)
      throw UserError(node.where, "expected the name of a key, found " + node.found());
    if (node.text == "<<" && !node.quoted)
      throw UserError(node.where, "a merge key (`<<`) is not supported; use `include` to share values");
    if (const auto [first, is_new] = mapping.lines.emplace(node.text, node.where.line); !is_new)
      throw UserError(node.where, fmt::format("duplicate key {}; it stands first in line {}",
                                              quoted_for_message(node.text), first->second));
    mapping.entry.key = std::move(node.text);
    mapping.entry.key_where = std::move(node.where);
    mapping.has_key = true;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Level> levels_;
  YamlNode root_;
  unsigned documents_ = 0;
};

/// What is wrong at a place. Of a line that a tab indents yaml-cpp may say that there is a `:` too many.
UserError not_yaml(SourceLocation where, std::string_view text, const std::string& message) {
  for (std::uint32_t line = 1; line < where.line && !text.empty(); ++line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t tab = text.find_first_not_of(' ');
  if (message != YAML::ErrorMsg::MAP_VALUE || tab >= text.size() || text[tab] != '\t')
    return UserError(std::move(where), "not valid YAML: " + message);
  where.column = static_cast<std::uint32_t>(tab + 1);
  return UserError(std::move(where), "not valid YAML: illegal tab when looking for indentation");
}

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

std::string YamlNode::found() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::sequence:
      return "a list";
    case Kind::mapping:
      return "a mapping";
    case Kind::scalar:
      break;
  }
  return quoted_for_message(text);
}

YamlNode parse_yaml(std::string_view text, const std::string& file) {
  check_utf8(text, file);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  TreeBuilder builder(text, file);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) throw UserError({file, 1, 1}, "the file is empty");
    parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& e) {
    SourceLocation where{file, 0, 0};
    if (!e.mark.is_null()) {
      where.line = static_cast<std::uint32_t>(e.mark.line + 1);
      where.column = static_cast<std::uint32_t>(e.mark.column + 1);
    }
    throw not_yaml(std::move(where), text, e.msg);
  }
  return builder.take();
}

std::string read_file(const std::filesystem::path& path, const SourceLocation& asked_from, std::uint64_t max_bytes) {
  const auto fail = [&](const std::string& why) {
    const std::string message = "cannot read `" + path.string() + "`: " + why;
    return asked_from.file.empty() ? UserError(message) : UserError(asked_from, message);
  };
  return base::read_whole(path, fail, max_bytes);
}

std::string quoted_for_message(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "`";
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Shorten between characters, not within one.
    if (i >= longest && (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return out + "...`";
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += text[i];
  }
  return out + "`";
}

}  // namespace syncline::platform
