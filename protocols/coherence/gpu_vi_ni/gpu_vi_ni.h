// The policy `gpu_vi_ni`: GPU-VIni, GPU-VI with a directory that is decoupled from the home's data. The directory knows
// more lines than the home has data of, so data may leave without a recall; only a line that leaves the directory is
// recalled. Everything else is `gpu_vi`, of which this is an overlay.
//
// Sources: Singh et al., "Cache Coherence for GPU Architectures", HPCA 2013 (GPU-VIni); RCC, chapter 3 (as a baseline);
// the table and the directory's size are those of the simulator that the RCC authors released (VI_wt_ni), in this
// project's words.
#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "protocols/coherence/gpu_vi/gpu_vi.h"

namespace syncline::protocols {

/// The keys `coherence.gpu_vi_ni.*`.
struct GpuViNiSpec {
  std::uint32_t directory_ways = 8;
  std::uint32_t directory_sets = 512;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("directory_ways", directory_ways,
            param::count("entries per set of the directory of an L2 slice", "simulator of RCC").between(1, 1024));
    v.field("directory_sets", directory_sets,
            param::count("sets of the directory of an L2 slice", "simulator of RCC").between(1, 1 << 20));
    v.require(std::uint64_t{directory_sets} * directory_ways <= DirectoryGeometry::most_lines, "directory_sets",
              "times `coherence.gpu_vi_ni.directory_ways` may be " + std::to_string(DirectoryGeometry::most_lines) +
                  " at most");
  }
};

namespace gpu_vi_ni {

/// Those of gpu_vi::HomeState and, behind them, the states that only this home has.
enum class HomeState : std::uint8_t { NP, S, SS, ISS, IM, IMA, SM, SMA, MI, II, S_D, SS_D, SDM, SDMA, IDM };
/// As gpu_vi::HomeEvent; what was Replacement concerns the data alone.
enum class HomeEvent : std::uint8_t {
  Load,
  Store,
  Atomic,
  Inv_Ack,
  Inv_Ack_All,
  L2_Replacement,
  Mem_Data,
  Dir_Replacement
};

std::shared_ptr<const TransitionTable> home_table();

}  // namespace gpu_vi_ni

CoherencePolicy make_gpu_vi_ni(const GpuViNiSpec& spec);

}  // namespace syncline::protocols
