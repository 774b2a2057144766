// Waves: the traced signals of the blocks in a VCD or FST file for GTKWave.
#pragma once

#include <systemc>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "platform/observe/outputs.h"

namespace syncline::platform {

/// Samples the chosen signals at every edge of the SM clock and hands them to SystemC's VCD writer, whose scopes follow
/// the hierarchy of the blocks. Made before simulation starts, and only when somebody asked for waves.
class WaveWriter : public models::Ticked {
 public:
  /// `path` ends in ".vcd" or ".fst". An empty `groups` means all. UserError for an unknown group (with the nearest),
  /// for a path that cannot be written or has another ending.
  WaveWriter(Outputs& outputs, const std::string& path, const std::vector<models::TracedSignal>& signals,
             const std::vector<std::string>& groups);
  WaveWriter(const WaveWriter&) = delete;
  WaveWriter& operator=(const WaveWriter&) = delete;
  ~WaveWriter() override;
  /// Closes the file, which appears with the other outputs; UserError when the disk is full.
  void finish();
  base::Cycle tick(base::Cycle now) override;
  std::size_t signals() const { return samples_.size(); }

 private:
  struct Sample {
    const models::TracedSignal* signal;
    std::uint64_t value;
  };
  void close();

  OutputPath& path_;
  TemporaryFile before_fst_;   ///< the waves as VCD, where they become FST in the end
  std::filesystem::path vcd_;  ///< what SystemC writes
  sc_core::sc_trace_file* file_ = nullptr;
  std::deque<Sample> samples_;  ///< addresses are known to the trace file
};

/// The names of all groups, sorted.
std::vector<std::string> wave_groups(const std::vector<models::TracedSignal>& signals);

}  // namespace syncline::platform
