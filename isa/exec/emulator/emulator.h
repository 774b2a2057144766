// Runs a launch as fast as the host can: no time, every access takes effect at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "isa/exec/cta_barriers.h"
#include "isa/exec/emulator/flat_memory.h"
#include "isa/exec/memory_map.h"
#include "isa/exec/system_call.h"
#include "isa/exec/warp.h"
#include "isa/trace/trace_event.h"

namespace syncline::isa {

struct EmulatorConfig {
  unsigned warp_lanes = 32;  ///< 1..64
  ReconvergenceSpec reconvergence;
  unsigned resident_ctas = 1024;       ///< CTAs of a grid that may be under way at once
  unsigned sms = 1;                    ///< %nsmid: of the machine that the program believes to run on
  unsigned warps_per_sm = 64;          ///< %nwarpid, likewise
  std::uint64_t cta_slice = 1 << 16;   ///< warp instructions a CTA runs before the next resident one has its turn
  std::uint64_t warp_slice = 1 << 12;  ///< the same for the warps of a CTA
  std::uint64_t instruction_limit = std::uint64_t{1} << 40;  ///< warp instructions per launch; then ProgramFault
  std::string limit_key;                    ///< where that limit is set, for the message: " (limits.instructions)"
  std::uint64_t local_limit = 1 << 20;      ///< bytes of local memory per thread
  unsigned call_limit = most_nested_calls;  ///< nested calls
  /// When nothing that warps do has changed memory for so many warp instructions, they are looked at: a launch in which
  /// all only wait, some of them for lanes that spin, ends.
  std::uint64_t spin_window = 4 << 20;
};

struct LaunchTotals {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// How far a launch is.
struct LaunchProgress {
  std::uint64_t warp_instructions = 0;
  std::uint64_t ctas_done = 0, ctas = 0;
};

class EmulatedCta;

/// One emulator runs one launch at a time, on memory that its owner lays out.
class Emulator {
 public:
  Emulator(FlatMemory& memory, const MemoryMap& map, SystemServices& services, EmulatorConfig config = {});
  ~Emulator();

  /// Runs a launch to its end. Throws base::ProgramFault for faults of the program: bad address, barrier deadlock,
  /// trap, failed assertion, instruction limit, lanes that wait for lanes that spin.
  LaunchTotals run(const GridContext& grid);

  /// Observes every instruction from the next launch on; null ends it. A traced launch runs without fast paths.
  void subscribe(TraceSink* sink) { sink_ = sink; }
  /// Is told from time to time how far a launch is; null ends it.
  void watch(std::function<void(const LaunchProgress&)> watcher) { watcher_ = std::move(watcher); }
  const EmulatorConfig& config() const { return config_; }

 private:
  friend class EmulatedCta;
  std::unique_ptr<EmulatedCta> take_cta();
  /// A CTA has had its turn. True when warps are to be looked at until something happens.
  bool nothing_happens();

  FlatMemory& memory_;
  const MemoryMap& map_;
  SystemServices& services_;
  EmulatorConfig config_;
  TraceSink* sink_ = nullptr;
  std::function<void(const LaunchProgress&)> watcher_;
  std::uint64_t clock_ = 0;  ///< warp instructions so far: what %clock shows
  std::uint64_t limit_ = 0;  ///< value of clock_ at which the launch has run too long
  /// Counts what a warp that only waits for others does not do: stores, atomics that change something, barriers, exits,
  /// system calls, and CTAs that start. Local memory is left out.
  std::uint64_t effects_ = 0;
  std::uint64_t effects_seen_ = 0, effect_at_ = 0;  ///< value of clock_ when there had been one last
  LaunchTotals totals_;
  std::vector<std::unique_ptr<EmulatedCta>> idle_;
};

}  // namespace syncline::isa
