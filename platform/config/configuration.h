// Typed configuration: YAML files and overrides become a Spec, and every value remembers where it was set.
//
//   auto configuration = load_configuration<PlatformSpec>("gtx480", {"l1.size=16 KiB"});
//   Gpu gpu("gpu", configuration.spec.gpu);
//
// Which value of a key wins, weakest first: the Spec's default; the files that `include:` names, in their order; the
// including file's own keys; the overrides, in their order. Every value is checked where it stands, also one that a
// stronger one replaces. `include: NAME` or `include: [NAME, ...]` stands at the top of a file; a NAME is that of a
// platform in configs/, or the path of a file, which counts from the including file's folder. A list is one value: it
// replaces a list, it does not extend it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "platform/config/field_list.h"
#include "platform/config/places.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {

/// One key of a resolved configuration.
struct Setting {
  std::string path;
  std::string value;    ///< as YAML, with unit
  std::string unit;     ///< name of the unit: "bytes", "Hz", "core cycles"; empty for plain values
  std::string allowed;  ///< what the key takes
  std::string description;
  std::string source;          ///< where the default comes from
  bool is_default = true;      ///< nobody set it
  base::SourceLocation where;  ///< where it was set; the file "--set KEY" for an override
};

/// Values that only some of the things have that a key counts: `sms: {0-3: {l1.size: 64 KiB}}`.
struct PartialSettings {
  struct Value {
    std::string path;  ///< "l1.size"
    YamlNode value;
    base::SourceLocation where;
  };
  std::uint64_t first = 0, last = 0;  ///< both included
  base::SourceLocation where;
  std::vector<Value> values;
};

/// Of which key such values may be given, and of what.
struct PartialRule {
  std::string_view key;  ///< a count
  /// Why the value of a key is that of all; empty: it may differ. It exists.
  std::function<std::string(const std::string& path)> same_for_all;
};

/// All keys of a configuration, in the order of the Spec.
class Settings {
 public:
  Settings() = default;
  explicit Settings(std::vector<Setting> settings) : settings_(std::move(settings)) {}
  const std::vector<PartialSettings>& partial() const { return partial_; }
  /// `key`: the one of the rule.
  void set_partial(std::string_view key, std::vector<PartialSettings> partial) {
    counted_ = key;
    partial_ = std::move(partial);
  }
  /// What was read: the file, and those that it includes.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  void set_files(std::vector<std::filesystem::path> files) { files_ = std::move(files); }
  std::vector<Setting>::const_iterator begin() const { return settings_.begin(); }
  std::vector<Setting>::const_iterator end() const { return settings_.end(); }
  std::size_t size() const { return settings_.size(); }
  const Setting& at(const std::string& path) const;  ///< throws ModelError for a key that does not exist
  /// Every key as YAML. Loading it gives the identical configuration.
  std::string dump() const;
  /// A table for people: key, value, and where it was set.
  std::string list() const;
  /// An error about the value of `path`, located where that value was set.
  base::UserError error(const std::string& path, const std::string& message) const;

 private:
  std::string dump_partial(const std::string& count) const;
  std::vector<Setting> settings_;
  std::string counted_;
  std::vector<PartialSettings> partial_;
  std::vector<std::filesystem::path> files_;
};

/// A Spec and the story of its values.
template <class Spec>
struct Configuration {
  Spec spec;
  Settings settings;
};

/// A value beside those of files.
struct Override {
  std::string text;                       ///< "key=value"
  base::SourceLocation where, key_where;  ///< of value and key; empty: the command line
  // NOLINTNEXTLINE(google-explicit-constructor): most have nothing but their text
  Override(std::string said) : text(std::move(said)) {}
  Override(std::string said, base::SourceLocation at, base::SourceLocation key_at)
      : text(std::move(said)), where(std::move(at)), key_where(std::move(key_at)) {}
};

/// Where the values come from.
struct ConfigurationInput {
  std::filesystem::path file;         ///< the YAML file, or the name of `text`
  const std::string* text = nullptr;  ///< when set, the contents; relative includes count from `file`'s folder
  std::vector<Override> overrides;
  const PartialRule* partial = nullptr;  ///< null: no key takes such values
};

/// Reads all sources into the listed parameters. Throws UserError at the first mistake. Not for direct use.
Settings read_configuration(const ConfigurationInput& input, const FieldList& fields);
/// Throws UserError for the first rule (`require`) that the values break. Not for direct use.
void check_rules(const FieldList& fields, const Settings& settings, const std::filesystem::path& file);
/// Markdown of the listed parameters. Not for direct use.
std::string reference_markdown(const FieldList& fields);

template <class Spec>
Configuration<Spec> read_configuration(const ConfigurationInput& input) {
  Configuration<Spec> configuration;
  configuration.settings = read_configuration(input, FieldList::of(configuration.spec));
  check_rules(FieldList::of(configuration.spec), configuration.settings, input.file);
  return configuration;
}

/// Loads a YAML file, or a platform that has a name. Throws UserError (file:line:column) for whatever is wrong with it
/// or with an override.
template <class Spec>
Configuration<Spec> load_configuration(const std::filesystem::path& file,
                                       const std::vector<std::string>& overrides = {}) {
  return read_configuration<Spec>({platform_file(file), nullptr, {overrides.begin(), overrides.end()}});
}

/// The same from a text in memory; `name` stands for the file in locations.
template <class Spec>
Configuration<Spec> parse_configuration(const std::string& text, const std::string& name = "configuration",
                                        const std::vector<std::string>& overrides = {}) {
  return read_configuration<Spec>({name, &text, {overrides.begin(), overrides.end()}});
}

/// The reference of all keys of a Spec as Markdown: one table per group with key, default, meaning, source.
template <class Spec>
std::string configuration_reference() {
  Spec defaults;
  return reference_markdown(FieldList::of(defaults));
}

}  // namespace syncline::platform
