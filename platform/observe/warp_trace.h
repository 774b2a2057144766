// The part of an event trace that shows kernels, CTAs and warps: what each warp issues, and what it waits for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/sm/sm.h"
#include "models/sm/trace.h"
#include "models/transport/message_listener.h"
#include "platform/gpu/compute_side.h"
#include "platform/observe/trace_filter.h"
#include "platform/observe/trace_tracks.h"

namespace syncline::platform {

/// On the track of a warp slot: its warps, and in each of them a slice for every instruction that is issued, a cycle
/// long and called by its PTX, and between them slices that are called by what the warp waits for
/// (models::Sm::reason). The states of warps are looked at after each cycle of the SM clock.
class WarpTrace final : private tlm::tlm_analysis_if<models::InstructionEvent> {
 public:
  /// The launch of a grid that has not ended; null: it has.
  using GridOf = std::function<const models::GridLaunch*(base::GridId)>;

  /// Subscribes to those SMs of the side that are the library's and that the filter lets pass.
  WarpTrace(TraceFilter& filter, TraceWriter& writer, TraceTracks& tracks, const ComputeSide& side, GridOf grid_of);

  void cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId grid, base::Dim3 cta);
  void cta_ended(base::SmId sm, base::CtaSlot slot, base::GridId grid);
  void warp_started(const models::WarpIdentity& warp);
  void exited(const models::WarpIdentity& warp);
  /// The track on which the instruction of the access has a slice, in the cycle in which it was issued; none: it has
  /// none.
  std::optional<TraceWriter::Track> instruction_of(const models::LineAccess& access) const;
  /// After the other blocks.
  void tick(base::Cycle now);
  /// Writes what is still under way.
  void finish(base::Cycle now);

 private:
  struct Issued {
    std::string text, args;
  };
  /// The cycles of which a warp's instructions are shown: behind `after`, `until` included.
  struct Life {
    base::Cycle after = base::never, until = base::never;
  };
  struct Slot {
    bool lives = false, shown = false;   ///< in the trace: its beginning is written
    bool starts = false, exits = false;  ///< in this cycle
    models::WarpState state = models::WarpState::empty;
    base::Cycle since = 0;  ///< of what it waits for
    base::Cycle began = 0;
    Life life, life_before;  ///< of the warp that was the last to live here, and of the one before: it may have stores
                             ///< that are still under way
    std::string title;       ///< of the warp that starts or lives
    std::vector<Issued> issued;  ///< in this cycle
    TraceWriter::Track track{};
  };
  struct Cta {
    bool shown = false;
    std::uint64_t from_ps = 0;
    std::string title;
  };
  struct Watched {
    models::Sm* sm = nullptr;  ///< null: not watched
    unsigned process = 0;
    std::vector<Slot> slots;
    models::WarpMask busy = 0;  ///< slots with a warp that lives or starts
    std::vector<Cta> ctas;
  };
  struct Kernel {
    std::string name;
    TraceWriter::Track track;
    std::uint64_t from_ps, until_ps;
  };

  void write(const models::InstructionEvent& event) override;
  void step(Watched& watched, unsigned number, base::Cycle now);
  void write_wait(Watched& watched, unsigned number, base::Cycle now);
  void write_slice(Watched& watched, unsigned number, base::Cycle from, base::Cycle until, std::string_view name,
                   const std::string& args);
  void write_end(Slot& slot, base::Cycle at);
  void end_kernels(bool all);
  std::uint64_t ps_of(base::Cycle cycle) const { return clock_.ps_of(cycle); }

  TraceFilter& filter_;
  TraceWriter& writer_;
  TraceTracks& tracks_;
  const models::ClockDomain& clock_;
  GridOf grid_of_;
  std::vector<Watched> sms_;
  std::map<base::GridId, Kernel> kernels_;  ///< that have not ended
};

}  // namespace syncline::platform
