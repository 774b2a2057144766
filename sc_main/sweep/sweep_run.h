// The runs of a sweep: what each is, down to every key of its platform.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sc_main/sweep/input_files.h"
#include "sc_main/sweep/sweep_file.h"

namespace syncline::sweep {

/// NAME=VALUE
using Chosen = std::pair<std::string, std::string>;

/// All keys of a platform, as YAML.
struct Configuration {
  std::string text, hash;
  InputFiles files;  ///< where they stand
};

/// A workload script.
struct Program {
  std::string hash;  ///< of all its files
  InputFiles files;
};

struct SweepRun {
  std::string case_name;  ///< empty: the sweep has no cases
  std::string platform;   ///< as the sweep file has it
  std::string workload;
  std::optional<std::string> size;  ///< of a program of the suite
  std::optional<std::uint64_t> seed;
  std::uint64_t input_seed = 1;
  std::vector<Chosen> options, settings;
  std::shared_ptr<const Configuration> configuration;
  std::shared_ptr<const Program> program;  ///< null: one of the suite
  std::vector<std::string> arguments;      ///< behind `syncline run`

  /// All that decides what comes out, but the program that simulates, as one line of JSON. Equal for equal runs.
  std::string identity() const;
  /// The same of runs whose settings say the same in other words: `2 KiB` and `2048`.
  std::string identity_of_values() const;
  /// All files that decide about it.
  InputFiles files() const;
  /// For people: "bfs on gtx480, coherence.policy=mesi, seed 3".
  std::string title() const;
};

/// Most runs of a sweep.
inline constexpr std::size_t most_runs = 200'000;

/// All runs, in the order of the file: the last list goes fastest. Every key, value, program and option is checked.
/// Throws UserError (file:line:column).
std::vector<SweepRun> runs_of(const SweepFile& file);

}  // namespace syncline::sweep
