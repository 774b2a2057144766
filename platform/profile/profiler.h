// Watches a functional run and works out the profile of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/exec/warp.h"
#include "isa/trace/trace_event.h"
#include "platform/profile/kernel_profile.h"

namespace syncline::platform {

/// Lines are those of the machine's L1, and accesses of them what its coalescer makes of an instruction. Nothing here
/// depends on time: what CTAs share is told by which of them touch a line in one launch, at any moment of it.
class Profiler final : public isa::TraceSink {
 public:
  explicit Profiler(const ProfiledMachine& machine);

  void begins(const isa::GridContext& grid) override;
  void event(const isa::TraceEvent& event) override;
  void ended() override;

  /// Of the launches that have ended.
  const ProgramProfile& profile() const { return profile_; }

 private:
  KernelProfile& kernel_of(const isa::GridContext& grid);
  LaunchShape& shape_of(KernelProfile& kernel, const isa::GridContext& grid) const;
  void count_work(const isa::TraceEvent& event, std::uint64_t cta);
  void add_work();
  void add_lines();
  void global_access(const isa::MemoryAccess& access, std::uint64_t cta);

  ProgramProfile profile_;
  std::vector<std::shared_ptr<const isa::Program>> programs_;  ///< of profile_.kernels; they stay as long as these

  // Of the launch under way.
  base::Dim3 grid_;
  KernelProfile* kernel_ = nullptr;
  LaunchShape* shape_ = nullptr;
  InstructionMix mix_;
  std::array<GlobalAccesses, line_uses> global_{};
  std::uint64_t local_touched_ = 0;
  std::unordered_map<std::uint64_t, SharedLine> lines_;  ///< by line address
  std::vector<std::uint64_t> work_;                      ///< warp instructions, CTA after CTA, warp after warp
  std::vector<models::LinePart> parts_;
};

}  // namespace syncline::platform
