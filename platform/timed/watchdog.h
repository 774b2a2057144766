// A simulation that stops making progress ends with an error that says who waits for whom, never with a hang; and of a
// program whose warps only wait for each other the user is told while it runs.
#pragma once

#include <functional>

#include "models/block/block.h"
#include "models/clock/scheduler.h"

namespace syncline::platform {

/// Looks every `window` cycles of the SM clock: while the GPU is busy, the platform's progress counter must have moved,
/// or a warp sleeps as long as its program said (else ModelError with what every block says it waits for), and the
/// cycle limit must not be reached (ProgramFault). Where instructions issue, but the platform's count of effects stands
/// for a spin window, it says so, once in a run; and when from then on all warps only wait, some lanes for others of
/// their own warp that go round for ever, it ends the run (ProgramFault).
class Watchdog : public models::Ticked {
 public:
  struct Limits {
    base::Cycle window = 1'000'000;  ///< cycles without any progress that are taken for a hang
    base::Cycle cycles = 0;          ///< limit of the run, or of each stretch of work; 0: none
    base::Cycle spin_window = 0;     ///< cycles without any effect that are told; 0: never
  };
  /// Takes what the user has to hear while the program runs: a sentence, and the lines of who_waits.
  using Tell = std::function<void(const std::string& what, const std::string& who)>;
  /// Finds out, while nothing has an effect, whether that can change.
  class SpinJudge {
   public:
    virtual ~SpinJudge() = default;
    virtual void look(bool looks) = 0;
    /// Who waits for whom for ever, if nobody can change that any more since it looks; else empty.
    virtual std::string verdict() const = 0;
  };
  /// `busy`: whether the GPU has work. `judge`: null for none; outlives the watchdog.
  Watchdog(const models::PlatformContext& context, const Limits& limits, std::function<bool()> busy, Tell tell,
           SpinJudge* judge = nullptr);
  base::Cycle tick(base::Cycle now) override;
  /// From now on it sleeps while there is no work, until `work_begins`: a simulation that is somebody else's is to end
  /// when nothing else happens.
  void sleep_without_work() { sleeps_ = true; }
  /// Another stretch of work: the limit of cycles is one of each.
  void work_begins(base::Cycle now);
  /// The lines of all blocks that wait for something, in the order of their names.
  static std::string who_waits(const models::PlatformContext& context);

 private:
  bool spins(base::Cycle now) const { return limits_.spin_window != 0 && now - effect_ >= limits_.spin_window; }
  std::string spinning() const;
  void judge(base::Cycle now);

  const models::PlatformContext& context_;
  Limits limits_;
  std::function<bool()> busy_;
  std::uint64_t progress_ = ~std::uint64_t{0};
  base::Cycle since_ = 0;
  Tell tell_;
  std::uint64_t effects_ = ~std::uint64_t{0};
  base::Cycle effect_ = 0;  ///< the last look at which there had been one
  bool told_ = false;
  SpinJudge* judge_;
  bool sleeps_ = false;
  base::Cycle begun_ = 0;  ///< the stretch of work that it looks at
  bool looks_ = false;
};

}  // namespace syncline::platform
