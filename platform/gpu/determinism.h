// The determinism policy of a GPU: what it puts at the seams of the SMs and of the work distributor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpudet/lock_commit.h"
#include "models/gpudet/quantum_controller.h"
#include "models/partition/address_map.h"
#include "models/sm/sm.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

class Determinism {
 public:
  /// `memory_end`: first device address behind the memory of programs and threads.
  Determinism(models::PlatformContext& context, models::ClockDomain& core, const PlatformSpec& spec,
              const models::AddressMap& map, std::uint64_t memory_end);

  std::shared_ptr<models::CtaDealer> dealer() const { return controller_.dealer(); }
  /// Adds the policy's part to the seams of an SM. Once for each.
  void add_to(models::SmSeams& seams, unsigned sm);
  /// First device address behind what the policy keeps in memory.
  std::uint64_t memory_end() const { return memory_end_; }

 private:
  const PlatformSpec& spec_;
  std::uint64_t logs_, log_bytes_;  ///< of one SM
  models::LockMemory locks_;
  std::uint64_t memory_end_;
  std::vector<base::LineAddress> partitions_;  ///< a line of each
  models::QuantumController controller_;
  std::vector<std::shared_ptr<models::SmQuanta>> sms_;
};

}  // namespace syncline::platform
