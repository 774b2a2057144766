#include "sc_main/sweep/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/error.h"
#include "base/random.h"
#include "platform/config/places.h"
#include "platform/config/yaml_node.h"

namespace syncline::sweep {
namespace {

namespace fs = std::filesystem;
using platform::FileContents;

std::string text_of(const fs::path& file) {
  return platform::read_file(file, {}, ~std::uint64_t{0});
}

class Files {
 public:
  void add(const fs::path& file) { add(file, text_of(file)); }

  void add_platform(const fs::path& file) {
    const std::string text = text_of(file);
    if (!add(file, text)) return;
    const platform::YamlNode root = platform::parse_yaml(text, file.string());
    const platform::YamlEntry* const include = root.find("include");
    if (include == nullptr) return;
    const platform::YamlNode& named = include->value;
    const auto add_one = [&](const std::string& name) {
      add_platform(platform::platform_file(name, file.parent_path(), named.where));
    };
    if (named.kind == platform::YamlNode::Kind::scalar) add_one(named.text);
    for (const platform::YamlNode& one : named.items) add_one(one.text);
  }

  template <class Value>
  void add_contents(const Value& value) {
    if (const auto* from = std::get_if<FileContents>(&value)) add(from->path);
  }

  void add_steps(const std::vector<platform::Step>& steps) {
    for (const platform::Step& step : steps) {
      if (const auto* launch = std::get_if<platform::LaunchStep>(&step.action)) {
        for (const platform::ScriptArgument& argument : launch->args) add_contents(argument);
      }
      if (const auto* write = std::get_if<platform::WriteStep>(&step.action)) add_contents(write->contents);
      if (const auto* check = std::get_if<platform::CheckStep>(&step.action)) add(check->equals);
      if (const auto* repeat = std::get_if<platform::RepeatStep>(&step.action)) add_steps(repeat->steps);
    }
  }

  InputFiles all;

 private:
  /// False: it is there already.
  bool add(const fs::path& file, const std::string& text) {
    const std::string path = fs::absolute(file).lexically_normal().string();
    if (std::any_of(all.begin(), all.end(), [&](const InputFile& one) { return one.path == path; })) return false;
    all.push_back({path, hash_of(text)});
    return true;
  }
};

/// Empty where it cannot be read.
std::string present_hash(const std::string& path) {
  try {
    return hash_of(text_of(path));
  } catch (const base::UserError&) {
    return {};
  }
}

}  // namespace

std::string hash_of(const std::string& text) {
  return fmt::format("{:016x}", base::stream_seed(0, text));
}

InputFiles files_of_platform(const fs::path& file) {
  Files files;
  files.add_platform(file);
  return std::move(files.all);
}

InputFiles files_of_script(const fs::path& file, const platform::WorkloadScript& script) {
  Files files;
  files.add(file);
  files.add(script.module);
  for (const platform::ScriptBuffer& buffer : script.buffers) files.add_contents(buffer.contents);
  for (const platform::ScriptSymbol& symbol : script.symbols) files.add_contents(symbol.value);
  files.add_steps(script.steps);
  return std::move(files.all);
}

std::string changed_file(const InputFiles& files) {
  const auto changed =
      std::find_if(files.begin(), files.end(), [](const InputFile& one) { return present_hash(one.path) != one.hash; });
  return changed == files.end() ? std::string() : changed->path;
}

}  // namespace syncline::sweep
