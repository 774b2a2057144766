#include "sc_main/sweep/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/error.h"
#include "base/random.h"
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
  void add(const fs::path& file) {
    const std::string path = fs::absolute(file).lexically_normal().string();
    if (std::none_of(all.begin(), all.end(), [&](const InputFile& one) { return one.path == path; }))
      all.push_back({path, hash_of(text_of(file))});
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

InputFiles files_of_platform(const platform::Settings& settings) {
  Files files;
  for (const fs::path& file : settings.files()) files.add(file);
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
