// Views: save files of GTKWave for the waves of the platform that ran.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/block/traced_signal.h"
#include "platform/observe/output_file.h"

namespace syncline::platform {

/// A view of what a file of waves holds, by themes: the work, SMs and their warps, lines, caches, networks, DRAM,
/// policies and RTL. Numbers are drawn as curves; values that have names are shown by them, which FST has in itself.
/// For VCD there is a file of names for each enumeration beside the view, "out.stall_cause.txt" of "out.gtkw".
class WaveView {
 public:
  /// `path` ends in ".gtkw". UserError for another ending, and for what cannot be written. `waves` is the file that the
  /// view belongs to, `signals` what that holds.
  WaveView(Outputs& outputs, const std::string& path, const std::string& waves,
           const std::vector<const models::TracedSignal*>& signals);
  /// The view opens at that time, in picoseconds.
  void finish(std::uint64_t opens_at_ps);

 private:
  struct Names {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  void put_theme(const std::string& title, const std::vector<std::string>& groups, std::size_t blocks);
  void put_signal(const models::TracedSignal& signal);

  OutputFile view_;
  std::string waves_;
  bool is_fst_;
  const std::vector<const models::TracedSignal*>& signals_;
  std::map<const models::ValueNames*, Names> names_;
};

}  // namespace syncline::platform
