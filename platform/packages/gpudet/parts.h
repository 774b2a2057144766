// GPUDet in one GPU: what it puts at the seams of the SMs and of the work distributor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpudet/gpudet_spec.h"
#include "models/gpudet/lock_commit.h"
#include "models/gpudet/quantum_controller.h"
#include "models/sm/sm.h"
#include "platform/packages/package.h"

namespace syncline::platform::gpudet {

/// The regions of device memory that the policy keeps.
constexpr const char *logs_region = "logs of stores", *locks_region = "locks of lines",
                     *depths_region = "depths of words";

/// Bytes of the logs of one SM.
std::uint64_t log_bytes(const PlatformSpec& spec);

class Parts final : public PolicyParts {
 public:
  explicit Parts(const GpuSite& site);

  std::shared_ptr<models::CtaDealer> dealer() override { return controller_.dealer(); }
  void add_to(models::SmSeams& seams, unsigned sm) override;

 private:
  bool locks() const { return keys_.commit == models::CommitKind::lock; }

  const PlatformSpec& spec_;
  const models::GpudetSpec& keys_;
  std::uint64_t logs_, log_bytes_;  ///< of one SM
  models::LockMemory locks_;
  std::vector<base::LineAddress> partitions_;  ///< a line of each
  models::QuantumController controller_;
  std::vector<std::shared_ptr<models::SmQuanta>> sms_;
};

}  // namespace syncline::platform::gpudet
