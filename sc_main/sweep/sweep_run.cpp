#include "sc_main/sweep/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

#include "platform/config/configuration.h"
#include "platform/script/workload_script.h"
#include "platform/spec/platform_spec.h"
#include "workloads/registry.h"

namespace syncline::sweep {
namespace {

namespace fs = std::filesystem;
using base::UserError;

/// `ask()`, whose mistakes are those of the word.
template <class Ask>
decltype(auto) located(const Word& word, Ask&& ask) {
  try {
    return ask();
  } catch (const UserError& error) {
    if (!error.where().file.empty()) throw;
    throw UserError(word.where, error.what());
  }
}

/// One after the other, the last axis first.
class Odometer {
 public:
  explicit Odometer(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)), at_(sizes_.size()) {}
  std::size_t operator[](std::size_t axis) const { return at_[axis]; }
  /// False: all combinations have been there.
  bool advance() {
    for (std::size_t axis = sizes_.size(); axis-- > 0;) {
      if (++at_[axis] < sizes_[axis]) return true;
      at_[axis] = 0;
    }
    return false;
  }

 private:
  std::vector<std::size_t> sizes_, at_;
};

class Expansion {
 public:
  explicit Expansion(const SweepFile& file) : file_(file) {}

  std::vector<SweepRun> all() {
    for (const Matrix& matrix : file_.matrices) expand(matrix);
    return std::move(runs_);
  }

 private:
  void expand(const Matrix& matrix) {
    std::vector<std::size_t> sizes{matrix.platforms.size(), matrix.workloads.size(), matrix.sizes.size()};
    for (const Axis& axis : matrix.options) sizes.push_back(axis.values.size());
    for (const Axis& axis : matrix.settings) sizes.push_back(axis.values.size());
    sizes.push_back(matrix.input_seeds.size());
    sizes.push_back(std::max<std::size_t>(matrix.seeds.size(), 1));
    std::size_t count = 1;
    for (const std::size_t size : sizes) {
      count *= size;  // of two numbers below 2^21 (platform::max_yaml_bytes) at most
      if (runs_.size() + count > most_runs)
        throw UserError({file_.path.string(), 1, 1}, fmt::format("the sweep has more than {} runs", most_runs));
    }
    for (Odometer at(sizes);;) {
      add(matrix, at);
      if (!at.advance()) return;
    }
  }

  void add(const Matrix& matrix, const Odometer& at) {
    const Word &platform = matrix.platforms[at[0]], &workload = matrix.workloads[at[1]];
    const Word& size = matrix.sizes[at[2]];
    std::size_t axis = 3;
    std::vector<const Word*> words;
    SweepRun run;
    run.case_name = matrix.name;
    run.platform = platform.text;
    run.workload = workload.text;
    if (fs::path(workload.text).extension() == ".ptx")
      throw UserError(workload.where,
                      "`workloads` expects programs of the suite and workload scripts, found a PTX file; a script says "
                      "what its kernels get");
    const bool scripted = platform::is_workload_script(workload.text);
    // A script has no sizes and no options: it has one run where programs of the suite have several.
    if (scripted && at[2] != 0) return;
    for (const Axis& one : matrix.options) {
      const std::size_t value = at[axis++];
      if (scripted && value != 0) return;
      if (!scripted)
        run.options.emplace_back(one.name.text, one.values[value].text), words.push_back(&one.values[value]);
    }
    std::vector<platform::Override> overrides;
    for (const Axis& one : matrix.settings) {
      const Word& value = one.values[at[axis++]];
      run.settings.emplace_back(one.name.text, value.text);
      overrides.emplace_back(one.name.text + "=" + value.text, value.where, one.name.where);
    }
    run.input_seed = matrix.input_seeds[at[axis++]];
    if (!matrix.seeds.empty()) run.seed = matrix.seeds[at[axis]];
    const fs::path file =
        located(platform, [&] { return platform::find_platform(platform.text, folder(), platform.where); });
    run.configuration = configuration(file, overrides, run.seed.has_value());
    run.arguments = {fs::absolute(file).string()};
    if (scripted)
      check_script(workload, run);
    else
      check_program(workload, size, words, run);
    run.arguments.insert(run.arguments.end(), {"--input-seed", std::to_string(run.input_seed)});
    if (run.seed) run.arguments.insert(run.arguments.end(), {"--seed", std::to_string(*run.seed)});
    for (const auto& [key, value] : run.settings)
      run.arguments.insert(run.arguments.end(), {"--set", fmt::format("{}={}", key, value)});
    const auto [same, is_new] = places_.emplace(run.identity(), runs_.size());
    if (!is_new)
      throw UserError(workload.where, fmt::format("two runs are the same: {}, of the cases `{}` and `{}`", run.title(),
                                                  runs_[same->second].case_name, run.case_name));
    refuse_equal(run, overrides);
    runs_.push_back(std::move(run));
  }

  /// Values that are written in two ways would be two runs, and means of them count one twice.
  void refuse_equal(const SweepRun& run, const std::vector<platform::Override>& overrides) {
    const auto [equal, is_new] = equals_.emplace(run.case_name + "\n" + run.identity_of_values(), runs_.size());
    if (is_new) return;
    const std::vector<Chosen>& other = runs_[equal->second].settings;
    const auto differs = std::mismatch(run.settings.begin(), run.settings.end(), other.begin()).first;
    const auto n = static_cast<std::size_t>(differs - run.settings.begin());
    throw UserError(overrides[n].where,
                    fmt::format("two runs are the same: `{}` is `{}` in one and `{}` in the other, and all keys have "
                                "the same values",
                                differs->first, other[n].second, differs->second));
  }

  fs::path folder() const { return file_.path.parent_path(); }

  const std::shared_ptr<const Configuration>& configuration(const fs::path& file,
                                                            const std::vector<platform::Override>& overrides,
                                                            bool by_chance) {
    std::string key = by_chance ? "chance" : "";
    key.append("\n").append(file.string());
    for (const platform::Override& one : overrides) key.append("\n").append(one.text);
    std::shared_ptr<const Configuration>& known = configurations_[key];
    if (known == nullptr) {
      platform::ConfigurationInput input{file, nullptr, overrides};
      const auto read =
          by_chance ? platform::read_with_seed(input) : platform::read_configuration<platform::PlatformSpec>(input);
      const std::string text = read.settings.dump();
      known =
          std::make_shared<const Configuration>(Configuration{text, hash_of(text), files_of_platform(read.settings)});
    }
    return known;
  }

  void check_program(const Word& workload, const Word& size, const std::vector<const Word*>& options, SweepRun& run) {
    const workloads::Workload& program =
        located(workload, [&]() -> const workloads::Workload& { return workloads::find_workload(workload.text); });
    located(size.where.file.empty() ? workload : size,
            [&] { workloads::require_size(program, workloads::find_size(size.text)); });
    run.size = size.text;
    run.arguments.insert(run.arguments.end(), {workload.text, "--size", size.text});
    for (std::size_t n = 0; n < run.options.size(); ++n) {
      const std::string option = run.options[n].first + "=" + run.options[n].second;
      located(*options[n], [&] { return workloads::choices_of(program, {option}); });
      run.arguments.insert(run.arguments.end(), {"--option", option});
    }
  }

  void check_script(const Word& workload, SweepRun& run) {
    const fs::path file = folder() / workload.text;
    std::shared_ptr<const Program>& program = scripts_[file.string()];
    if (program == nullptr) {
      const platform::WorkloadScript script = located(workload, [&] { return platform::load_workload_script(file); });
      refuse_dumps(script.steps);
      program = std::make_shared<const Program>(program_of(file, script));
    }
    run.program = program;
    run.arguments.push_back(fs::absolute(file).string());
  }

  static Program program_of(const fs::path& file, const platform::WorkloadScript& script) {
    InputFiles files = files_of_script(file, script);
    std::string all = platform::read_file(file) + platform::read_file(script.module, {}, ~std::uint64_t{0});
    for (std::size_t n = 2; n < files.size(); ++n) all += files[n].hash;  // behind the two
    return {hash_of(all), std::move(files)};
  }

  static void refuse_dumps(const std::vector<platform::Step>& steps) {
    for (const platform::Step& step : steps) {
      if (std::holds_alternative<platform::DumpStep>(step.action))
        throw UserError(step.where,
                        "a script of a sweep cannot write files, for all its runs would write the same ones");
      if (const auto* repeat = std::get_if<platform::RepeatStep>(&step.action)) refuse_dumps(repeat->steps);
    }
  }

  const SweepFile& file_;
  std::vector<SweepRun> runs_;
  std::map<std::string, std::size_t> places_;                                   ///< by identity
  std::map<std::string, std::size_t> equals_;                                   ///< by case and identity of values
  std::map<std::string, std::shared_ptr<const Configuration>> configurations_;  ///< by file and overrides
  std::map<std::string, std::shared_ptr<const Program>> scripts_;               ///< by file
};

nlohmann::ordered_json object_of(const std::vector<Chosen>& chosen) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : chosen) json[name] = value;
  return json;
}

nlohmann::ordered_json values_of(const SweepRun& run) {
  nlohmann::ordered_json json{
      {"platform", run.platform}, {"configuration", run.configuration->hash}, {"workload", run.workload}};
  if (run.program != nullptr) json["program"] = run.program->hash;
  if (run.size) json["size"] = *run.size;
  json["input_seed"] = run.input_seed;
  if (run.seed) json["seed"] = *run.seed;
  json["options"] = object_of(run.options);
  return json;
}

}  // namespace

std::string SweepRun::identity() const {
  nlohmann::ordered_json json = values_of(*this);
  json["settings"] = object_of(settings);
  return json.dump();
}

std::string SweepRun::identity_of_values() const {
  return values_of(*this).dump();
}

InputFiles SweepRun::files() const {
  InputFiles all = configuration->files;
  if (program != nullptr) all.insert(all.end(), program->files.begin(), program->files.end());
  return all;
}

std::string SweepRun::title() const {
  std::string text = workload + (size ? " (" + *size + ")" : "") + " on " + platform;
  for (const auto* all : {&options, &settings}) {
    for (const auto& [name, value] : *all) text.append(", ").append(name).append("=").append(value);
  }
  if (input_seed != 1) text += fmt::format(", input seed {}", input_seed);
  if (seed) text += fmt::format(", seed {}", *seed);
  return text;
}

std::vector<SweepRun> runs_of(const SweepFile& file) {
  return Expansion(file).all();
}

}  // namespace syncline::sweep
