// Whether a machine on which nothing has an effect any more can ever have one.
#pragma once

#include "platform/gpu/system.h"
#include "platform/timed/host_process.h"
#include "platform/timed/watchdog.h"

namespace syncline::platform {

/// All warps of all SMs wait at barriers or repeat themselves, and the host program waits for a GPU: then memory stays
/// as it is. A flag that never comes is no fault of this kind: somebody must wait for lanes of his own warp.
class SpinJudge final : public Watchdog::SpinJudge {
 public:
  SpinJudge(System& system, const HostProcess& host) : system_(system), host_(host) {}
  /// Others than the GPUs and the host can write to memory: there is never a verdict.
  void open() { closed_ = false; }
  void look(bool looks) override;
  std::string verdict() const override;

 private:
  System& system_;
  const HostProcess& host_;
  bool closed_ = true;
};

}  // namespace syncline::platform
