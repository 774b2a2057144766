// A sweep file: lists of platforms, programs, keys and seeds, of which every combination is a run
// (docs/how-to-sweep.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace syncline::sweep {

/// A word of the file, and where it stands.
struct Word {
  std::string text;
  base::SourceLocation where;
};

/// What else runs differ in, or have in common where there is one value.
struct Axis {
  Word name;
  std::vector<Word> values;
};

/// Every combination of one of each is a run.
struct Matrix {
  std::string name;  ///< of the case; empty where the file has no cases
  std::vector<Word> platforms, workloads, sizes;
  std::vector<Axis> options;   ///< of the programs
  std::vector<Axis> settings;  ///< keys of the platforms
  std::vector<std::uint64_t> input_seeds;
  std::vector<std::uint64_t> seeds;  ///< empty: nothing is left to chance
};

struct SweepFile {
  std::filesystem::path path;
  std::string text;
  std::filesystem::path database;
  std::vector<Matrix> matrices;
  std::vector<std::string> keep;  ///< patterns of names of statistics that results have beside the measures
};

/// Reads and checks the form; what platforms and programs do not know is told by `runs_of`. Throws UserError
/// (file:line:column).
SweepFile read_sweep(const std::filesystem::path& path);
/// `SweepFile::keep` of the text of a sweep file that was read once, maybe by a build that took any pattern.
std::vector<std::string> keep_of(const std::string& text);

}  // namespace syncline::sweep
