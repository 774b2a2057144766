// Who waits for what: lines of global memory, and PTX instructions, by the time that warps spend on them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/exec/memory_access.h"
#include "isa/exec/program.h"
#include "models/sm/seams/warp_events.h"
#include "platform/timed/launch_listener.h"

namespace syncline::platform {

/// An instruction of a program that has run.
struct PtxPlace {
  std::shared_ptr<const isa::Program> program;
  std::uint32_t pc = 0;
};

/// What warps did at an instruction. Times in core cycles, summed over the warps.
struct InstructionUse {
  PtxPlace place;
  std::uint64_t issued = 0;         ///< times
  std::uint64_t threads = 0;        ///< that executed it
  std::uint64_t stood = 0;          ///< cycles in which a warp that had issued the one before did not issue this one
  std::uint64_t memory_cycles = 0;  ///< from its issue until all its line accesses were answered
};

/// What warps did with a line of global memory. A warp waits for a line while an instruction of it that touches the
/// line is not answered, whichever of its lines it is that takes the time.
struct LineWaits {
  std::uint64_t line = 0;  ///< address of its first byte
  std::uint64_t loads = 0, stores = 0, atomics = 0;
  std::uint64_t waited = 0, longest = 0;              ///< core cycles
  std::vector<std::uint64_t> waited_by;               ///< SM
  std::map<std::uint32_t, std::uint64_t> waiting_at;  ///< cycles by place in Contention::places()
};

/// Listens to the warps of one GPU. Made before the GPU; `start` before it runs.
class Contention : public models::WarpEvents, public LaunchListener {
 public:
  explicit Contention(unsigned line_bytes) : line_bytes_(line_bytes) {}
  /// `now`: the present core cycle.
  void start(unsigned sms, std::function<base::Cycle()> now);

  /// The `most` lines for which warps have waited longest, that first; lines with equal times by address.
  std::vector<LineWaits> lines(std::size_t most) const;
  /// The `most` instructions at which warps have stood longest, that first.
  std::vector<InstructionUse> instructions(std::size_t most) const;
  const PtxPlace& place(std::uint32_t number) const { return places_[number].place; }

  void launch_began(const models::GridLaunch& grid) override;
  void launch_ended(const models::GridLaunch&) override {}
  void warp_started(const models::WarpIdentity& warp) override;
  void issued(const models::WarpIdentity& warp, const isa::Op& op, base::LaneMask lanes) override;
  void memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) override;
  void memory_answered(const models::WarpIdentity& warp, const models::WarpMemory& memory) override;

 private:
  struct UnderWay {
    base::Cycle since = 0;
    std::uint32_t place = 0;
    isa::AccessKind kind{};
    std::vector<std::uint64_t> lines;  ///< addresses; none of an access that is not to global memory
  };
  using InstructionId = std::tuple<std::uint16_t, unsigned, std::uint64_t>;  ///< SM, warp slot, Message::order

  /// Null of a grid that no device has launched, but a block of the user's: nothing is told of it.
  const isa::Program* program_of(base::GridId grid) const;
  base::Cycle& last_issue(const models::WarpIdentity& warp);
  std::uint32_t number_of(base::GridId grid, std::uint32_t pc);
  std::vector<std::uint64_t> lines_of(const isa::MemoryAccess& access) const;

  unsigned line_bytes_, sms_ = 0;
  std::function<base::Cycle()> now_;
  std::vector<std::shared_ptr<const isa::Program>> programs_;                    ///< by grid
  std::unordered_map<const isa::Program*, std::vector<std::uint32_t>> numbers_;  ///< by pc; ~0: none yet
  std::vector<InstructionUse> places_;
  std::vector<std::vector<base::Cycle>> last_issue_;  ///< by SM and warp slot
  std::map<InstructionId, UnderWay> under_way_;
  std::unordered_map<std::uint64_t, LineWaits> lines_;
};

}  // namespace syncline::platform
