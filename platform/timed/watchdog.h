// A simulation that stops making progress ends with an error that says who waits for whom, never with a hang.
#pragma once

#include <functional>

#include "models/block/block.h"
#include "models/clock/scheduler.h"

namespace syncline::platform {

/// Looks every `window` cycles of the SM clock: while the GPU is busy, the platform's progress counter must have moved,
/// or a warp sleeps as long as its program said (else ModelError with what every block says it waits for), and the
/// cycle limit must not be reached (ProgramFault).
class Watchdog : public models::Ticked {
 public:
  struct Limits {
    base::Cycle window = 1'000'000;  ///< cycles without any progress that are taken for a hang
    base::Cycle cycles = 0;          ///< limit of the whole run; 0: none
  };
  Watchdog(const models::PlatformContext& context, const Limits& limits, std::function<bool()> busy);
  base::Cycle tick(base::Cycle now) override;
  /// The lines of all blocks that wait for something, in the order of their names.
  static std::string who_waits(const models::PlatformContext& context);

 private:
  const models::PlatformContext& context_;
  Limits limits_;
  std::function<bool()> busy_;
  std::uint64_t progress_ = ~std::uint64_t{0};
  base::Cycle since_ = 0;
};

}  // namespace syncline::platform
