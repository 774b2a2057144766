// Independent thread scheduling, as NVIDIA's GPUs have it since Volta (sm_70): lanes of a warp may wait for each other.
#pragma once

#include "isa/exec/path_set.h"

namespace syncline::isa {

/// Paths take turns: a path runs until it branches back, waits or ends; then the next one does. Nothing depends on
/// time, so a warp goes the same way in every run.
///
/// Paths that part at a branch agree to meet at its immediate post-dominator: a meeting, which waits for all lanes that
/// had parted (NVIDIA's convergence barrier: Diamos et al., "Execution of divergent threads using a convergence
/// barrier", US 2016/0019066). A path that has waited there for `patience` branches back of other paths of the warp
/// goes on without them. So loops that end at different times still meet, and a lane that has got a lock gives it back
/// in spite of the others, which go round until it does.
///
/// PTX for targets below sm_70 was promised that its lanes meet: there paths wait `older_patience` times as long, and a
/// warp comes to a barrier and stops there as a whole (as CUDA's compute_60 does on a Volta): the first path waits
/// until the others are there, too, or can come no further without it.
class IndependentThreads final : public PathSet {
 public:
  static constexpr unsigned older_patience = 16;
  explicit IndependentThreads(unsigned patience) : patience_(patience) {}
  std::string_view name() const override { return "its"; }
  bool is_fair() const override { return true; }
  void start(Cursor& cursor, const Program& program) override;
  void diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) override;
  void reached(Cursor& cursor) override;
  void jumped(Cursor& cursor, std::uint32_t from, std::uint32_t to) override {
    if (to <= from) looped(cursor);
  }
  void call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame, std::uint32_t return_pc,
            std::uint32_t rest_pc) override;
  void ret(Cursor& cursor, std::uint32_t pc, std::uint32_t frame) override;
  bool comes_to_barrier(Cursor& cursor) override;
  bool wait_at_barrier(Cursor& cursor, base::LaneMask lanes) override;
  void barrier_opened(Cursor& cursor, base::LaneMask lanes) override;

 private:
  /// Where lanes meet that have parted. Those that will come are a subset of those of its parent.
  struct Meeting {
    std::uint32_t pc = no_pc, frame = 0, parent = none;
    base::LaneMask expected = 0;  ///< lanes that have not gone on yet; none: no meeting
  };
  void next(Cursor& cursor) override;
  void settle(Cursor& cursor) override;
  void woken(Path& path) override;
  void depart(std::uint32_t meeting, base::LaneMask lanes, std::uint32_t until) override;
  void join(Path& path) override;
  /// The meeting at `pc` for the cursor's lanes: the one that they have already, or a new one within it.
  std::uint32_t meeting_at(const Cursor& cursor, std::uint32_t pc);
  bool is_at_meeting(const Path& path) const;
  void wait_at_meeting(Path path);
  void meet_up();
  void go_on(Path& path);
  /// A path that waits where it meets others of whom none is in `before_barriers`; or none.
  std::size_t waits_in_vain(base::LaneMask before_barriers) const;
  base::LaneMask lanes_before_barriers() const;
  void looped(Cursor& cursor);

  const unsigned patience_;
  std::uint64_t limit_ = 0;  ///< patience with the program
  bool converges_ = false;   ///< the target was promised that lanes meet
  bool whole_ = false;       ///< the warp waits at a barrier as a whole
  std::vector<Meeting> meetings_;
};

}  // namespace syncline::isa
