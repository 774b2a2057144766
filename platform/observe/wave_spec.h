// Which waves of a run are written, and when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"

namespace syncline::platform {

/// The options of the command line that begin with --wave, as the user wrote them. Empty: not given.
struct WaveSpec {
  std::string path;                  ///< --wave: ends in ".vcd" or ".fst"
  std::vector<std::string> groups;   ///< --wave-groups: `default` and `all` are names, too; empty: default
  std::vector<std::string> blocks;   ///< --wave-blocks: globs over names of blocks and of signals; empty: all
  std::vector<std::uint64_t> lines;  ///< --watch-line: addresses in lines whose life is to be seen (wave_lines.h)
  std::string view;                  ///< --wave-view: a view for GTKWave of what is written (wave_view.h)
  std::string from, to;              ///< --wave-from, --wave-to: a cycle of the SM clock, or a time with its unit
  std::uint64_t kernel = 0;          ///< --wave-kernel: while this one is in flight, counted from 1; 0: always
  std::uint64_t limit = 0;           ///< --wave-limit: bytes of the file; 0: as many as it takes
  std::string trigger;               ///< --wave-trigger: from when this holds first (wave_condition.h)
  base::Cycle before = 0;            ///< --wave-before: and so many cycles of the SM clock before
};

}  // namespace syncline::platform
