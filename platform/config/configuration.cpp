#include "platform/config/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "platform/config/field_text.h"
#include "platform/config/partial_reader.h"
#include "platform/config/utf8.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;
using base::SourceLocation;
using base::UserError;

// Bounds the work of includes that fan out; far above what a configuration needs.
constexpr unsigned max_files = 100;

// Applies sources to the fields in ascending priority and notes where each value was set.
class Reader {
 public:
  Reader(const FieldList& fields, const PartialRule* rule) : fields_(fields), partial_(fields, rule) {}

  void read_file(const fs::path& path, const SourceLocation& asked_from) {
    files_.push_back(path);
    read_text(platform::read_file(path, asked_from), path, asked_from);
  }

  void read_text(const std::string& text, const fs::path& path, const SourceLocation& asked_from) {
    std::error_code unknown;
    const fs::path canonical = fs::weakly_canonical(path, unknown);
    const fs::path identity = unknown ? path : canonical;
    if (const auto open = std::find(open_files_.begin(), open_files_.end(), identity); open != open_files_.end()) {
      std::string circle;
      for (auto file = open; file != open_files_.end(); ++file) circle += file->filename().string() + " -> ";
      throw UserError(asked_from, "files include each other in a circle: " + circle + identity.filename().string());
    }
    if (++texts_ > max_files) throw UserError(asked_from, fmt::format("more than {} files are included", max_files));
    open_files_.push_back(identity);
    const YamlNode root = parse_yaml(text, path.string());
    if (root.kind == YamlNode::Kind::null) throw UserError({path.string(), 1, 1}, "the file is empty");
    if (root.kind != YamlNode::Kind::mapping)
      throw UserError(root.where, "expected `key: value` lines, found " + root.found());
    if (const YamlEntry* include = root.find("include")) read_includes(*include, path.parent_path());
    apply_group(root, "");
    open_files_.pop_back();
  }

  void apply_override(const Override& override) {
    const std::string& text = override.text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError({"--set " + text, 0, 0}, "expected key=value, for example --set sms=2");
    const std::string path = text.substr(0, equals);
    const bool is_given = override.where.file.empty();  // on the command line
    const SourceLocation where = is_given ? SourceLocation{"--set " + path} : override.where;
    const bool of_some = partial_.takes(path);
    const FieldRef* field = fields_.find(path);
    if (field == nullptr && !of_some) reject_path(path, is_given ? where : override.key_where);
    const std::string value = text.substr(equals + 1);
    if (value.empty()) throw UserError(where, "`" + path + "` has no value; give one after the `=`");
    if (of_some) return partial_.override_with(path, override_value(value, where), where);
    apply_field(*field, override_value(value, where), where);
  }

  const std::map<std::string, SourceLocation>& origins() const { return origins_; }
  const std::vector<PartialSettings>& partial() const { return partial_.settings(); }
  const std::vector<fs::path>& files() const { return files_; }

 private:
  void read_includes(const YamlEntry& include, const fs::path& folder) {
    const bool is_list = include.value.kind == YamlNode::Kind::sequence;
    const std::vector<YamlNode> files = is_list ? include.value.items : std::vector<YamlNode>{include.value};
    for (const YamlNode& file : files) {
      if (file.kind != YamlNode::Kind::scalar || file.text.empty())
        throw UserError(file.where, "`include` expects the name of a file or a list of names, found " + file.found());
      read_file(platform_file(file.text, folder, file.where), file.where);
    }
  }

  void apply_group(const YamlNode& group, const std::string& path) {
    for (const YamlEntry& entry : group.entries) {
      if (path.empty() && entry.key == "include") continue;
      const std::string child = path.empty() ? entry.key : path + "." + entry.key;
      if (entry.key.find('.') != std::string::npos) {
        throw UserError(entry.key_where, "unknown key " + quoted_for_message(entry.key) +
                                             "; in a file, a key within a group is written below it, not with a dot");
      }
      if (const FieldRef* field = fields_.find(child)) {
        if (partial_.takes(child, entry.value)) {
          if (const YamlEntry* const count = partial_.read(entry.value))
            apply_field(*field, count->value, count->key_where);
          continue;
        }
        apply_field(*field, entry.value, entry.key_where);
      } else if (fields_.is_group(child)) {
        if (entry.value.kind != YamlNode::Kind::mapping)
          throw UserError(entry.value.where,
                          "`" + child + "` is a group of keys, found " + entry.value.found() + expected_names(child));
        apply_group(entry.value, child);
      } else {
        reject_key(entry.key, path, entry.key_where);
      }
    }
  }

  void apply_field(const FieldRef& field, const YamlNode& value, const SourceLocation& where) {
    if (field.kind == FieldKind::choice && value.kind == YamlNode::Kind::scalar) check_choice(field, value);
    set_field(field, value);
    origins_[field.path] = where;
  }

  /// A choice that keys of the same name have in other groups is worth more than one of this key that merely looks
  /// alike, and this more than one of theirs that looks alike: policies have families, and one forgets which.
  void check_choice(const FieldRef& field, const YamlNode& value) const {
    const auto has = [](const FieldRef& one, const std::string& choice) {
      return std::find(one.choices.begin(), one.choices.end(), choice) != one.choices.end();
    };
    const auto name = [](const FieldRef& one) { return one.path.substr(one.path.rfind('.') + 1); };
    if (has(field, value.text)) return;
    const std::string message = fmt::format("`{}` has no choice {}; ", field.path, quoted_for_message(value.text));
    std::vector<std::string> elsewhere;
    const auto key_of = [&](const std::string& choice) {
      const auto& all = fields_.fields();
      const auto found = std::find_if(all.begin(), all.end(), [&](const FieldRef& other) {
        return other.kind == FieldKind::choice && name(other) == name(field) && has(other, choice);
      });
      return found == all.end() ? std::string() : found->path;
    };
    if (const std::string key = key_of(value.text); !key.empty())
      throw UserError(value.where, message + fmt::format("it is a choice of `{}`", key));
    if (!base::nearest_name(value.text, field.choices).empty()) return;
    for (const FieldRef& other : fields_.fields()) {
      if (other.kind == FieldKind::choice && name(other) == name(field))
        elsewhere.insert(elsewhere.end(), other.choices.begin(), other.choices.end());
    }
    const std::string nearest = base::nearest_name(value.text, elsewhere);
    if (!nearest.empty())
      throw UserError(value.where,
                      message + fmt::format("did you mean `{}`, a choice of `{}`?", nearest, key_of(nearest)));
  }

  std::string expected_names(const std::string& group) const {
    return fmt::format("; its keys: {}", fmt::join(fields_.names_below(group), ", "));
  }

  [[noreturn]] void reject_key(const std::string& key, const std::string& group, const SourceLocation& where) const {
    std::string message = "unknown key " + quoted_for_message(key);
    if (!group.empty()) message += " in `" + group + "`";
    const std::vector<std::string> names = fields_.names_below(group);
    if (names.empty()) throw UserError(where, message + "; this group has no keys");
    // A known key at the wrong place is worth more than a name that merely looks alike.
    if (base::nearest_name(key, names).empty()) {
      for (const FieldRef& field : fields_.fields()) {
        const std::size_t tail = field.path.size() - std::min(field.path.size(), key.size());
        if (tail > 0 && field.path[tail - 1] == '.' && field.path.compare(tail, key.size(), key) == 0)
          throw UserError(where, message + "; did you mean `" + field.path + "`?");
      }
    }
    throw UserError(where, message + base::suggestion(key, names));
  }

  [[noreturn]] void reject_path(const std::string& path, const SourceLocation& where) const {
    if (fields_.is_group(path)) throw UserError(where, "`" + path + "` is a group of keys" + expected_names(path));
    // Blame the first part of the path that does not exist.
    std::string group;
    for (std::size_t begin = 0;;) {
      const std::size_t dot = std::min(path.find('.', begin), path.size());
      if (dot == begin) reject_key("", group, where);
      const std::string child = path.substr(0, dot);
      if (!fields_.is_group(child)) {
        if (fields_.find(child) != nullptr)
          throw UserError(where, "`" + child + "` is a single value and has no keys below it");
        reject_key(path.substr(begin, dot - begin), group, where);
      }
      group = child;
      begin = dot + 1;
    }
  }

  // Lists and quoted texts are YAML; everything else is the value as it stands, so that no character surprises.
  static YamlNode override_value(const std::string& text, const SourceLocation& where) {
    check_utf8(text, where.file);
    YamlNode node;
    if (text[0] == '[' || text[0] == '"' || text[0] == '\'') {
      node = parse_yaml(text, where.file);
    } else {
      node.kind = YamlNode::Kind::scalar;
      node.text = text;
    }
    forget_positions(node, where);
    return node;
  }

  static void forget_positions(YamlNode& node, const SourceLocation& where) {
    node.where = where;
    for (YamlNode& item : node.items) forget_positions(item, where);
  }

  const FieldList& fields_;
  PartialReader partial_;
  std::map<std::string, SourceLocation> origins_;
  std::vector<fs::path> open_files_;
  std::vector<fs::path> files_;
  unsigned texts_ = 0;
};

std::string unit_of(const FieldRef& field) {
  const std::string name(unit_name(field.info.unit));
  return field.info.cycle_of.empty() ? name : std::string(field.info.cycle_of) + " " + name;
}

/// The first of the keys that a message names, as `a.b` or `a.b: value`, which somebody has set; null: there is none.
const Setting* first_given(const Settings& settings, const std::string& message) {
  for (std::size_t from = 0, to; (from = message.find('`', from)) != std::string::npos; from = to + 1) {
    to = message.find('`', ++from);
    if (to == std::string::npos) break;
    const std::string path = message.substr(from, std::min(to, message.find_first_of(": ", from)) - from);
    const auto found =
        std::find_if(settings.begin(), settings.end(), [&](const Setting& one) { return one.path == path; });
    if (found != settings.end() && !found->is_default) return &*found;
  }
  return nullptr;
}

}  // namespace

Settings read_configuration(const ConfigurationInput& input, const FieldList& fields) {
  Reader reader(fields, input.partial);
  if (input.text != nullptr)
    reader.read_text(*input.text, input.file, {});
  else
    reader.read_file(input.file, {});
  for (const Override& override : input.overrides) reader.apply_override(override);

  std::vector<Setting> settings;
  for (const FieldRef& field : fields.fields()) {
    Setting setting;
    setting.path = field.path;
    setting.value = field_text(field);
    setting.unit = unit_of(field);
    setting.allowed = allowed_values(field);
    setting.description = field.info.description;
    setting.source = field.info.source;
    if (const auto origin = reader.origins().find(field.path); origin != reader.origins().end()) {
      setting.is_default = false;
      setting.where = origin->second;
    }
    settings.push_back(std::move(setting));
  }
  Settings all(std::move(settings));
  if (!reader.partial().empty()) {
    check_partial(reader.partial(),
                  std::get<Integer>(fields.find(input.partial->key)->get().front()).as<std::uint64_t>(),
                  input.partial->key);
    all.set_partial(input.partial->key, reader.partial());
  }
  all.set_files(reader.files());
  return all;
}

void check_rules(const FieldList& fields, const Settings& settings, const fs::path& file) {
  if (fields.violations().empty()) return;
  const Violation& violation = fields.violations().front();
  const Setting& setting = settings.at(violation.path);
  const std::string message = fmt::format("`{}` {}, found `{}`{}", violation.path, violation.message, setting.value,
                                          setting.is_default ? " (its default)" : "");
  const Setting* const blamed = setting.is_default ? first_given(settings, violation.message) : &setting;
  throw UserError(blamed == nullptr ? SourceLocation{file.string(), 0, 0} : blamed->where, message);
}

const Setting& Settings::at(const std::string& path) const {
  const auto found =
      std::find_if(settings_.begin(), settings_.end(), [&](const Setting& setting) { return setting.path == path; });
  if (found == settings_.end()) throw base::ModelError("no configuration key is called `" + path + "`");
  return *found;
}

UserError Settings::error(const std::string& path, const std::string& message) const {
  const Setting& setting = at(path);
  const std::string text =
      fmt::format("`{}` is {}{}: {}", path, setting.value, setting.is_default ? " (its default)" : "", message);
  return setting.is_default ? UserError(text) : UserError(setting.where, text);
}

std::string Settings::dump() const {
  std::string text;
  std::vector<std::string> open;  // the groups that the last line stands in
  for (const Setting& setting : settings_) {
    std::vector<std::string> groups;
    std::size_t begin = 0;
    for (std::size_t dot; (dot = setting.path.find('.', begin)) != std::string::npos; begin = dot + 1)
      groups.push_back(setting.path.substr(begin, dot - begin));
    const auto common = static_cast<std::size_t>(
        std::mismatch(groups.begin(), groups.end(), open.begin(), open.end()).first - groups.begin());
    for (std::size_t depth = common; depth < groups.size(); ++depth)
      text += std::string(2 * depth, ' ') + groups[depth] + ":\n";
    const std::string value =
        !partial_.empty() && setting.path == counted_ ? dump_partial(setting.value) : " " + setting.value + "\n";
    text += std::string(2 * groups.size(), ' ') + setting.path.substr(begin) + ":" + value;
    open = std::move(groups);
  }
  return text.empty() ? "{}\n" : text;
}

std::string Settings::dump_partial(const std::string& count) const {
  std::string text = "\n  count: " + count + "\n";
  for (const PartialSettings& one : partial_) {
    text += fmt::format("  {}-{}:\n", one.first, one.last);
    for (const PartialSettings::Value& value : one.values)
      text += fmt::format("    {}: {}\n", value.path, yaml_text(value.value));
  }
  return text;
}

std::string Settings::list() const {
  std::size_t path_width = 0;
  std::size_t value_width = 0;
  for (const Setting& setting : settings_) {
    path_width = std::max(path_width, setting.path.size());
    value_width = std::max(value_width, setting.value.size());
  }
  std::string text;
  for (const Setting& setting : settings_)
    text += fmt::format("{:<{}}  {:<{}}  {}\n", setting.path, path_width, setting.value, value_width,
                        setting.is_default ? "default" : setting.where.str());
  return text;
}

}  // namespace syncline::platform
