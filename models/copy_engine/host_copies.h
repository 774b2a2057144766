// Moves bytes between memories that no link joins: over the host.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/copy_engine/copy_sink.h"

namespace syncline::models {

/// Each copy is one to the host and then one from it, and takes as long as both: all of it is read when the first one
/// ends, and written when the second one does, without time, as the host itself reads and writes (CUDA stages copies
/// between devices without peer access in the same way).
class HostCopies final : public Block, public Ticked, public CopySink {
 public:
  /// What a copy between device and host takes.
  using Seconds = std::function<double(std::uint64_t bytes)>;
  /// Device memory as the host sees it.
  struct Memory {
    std::function<void(std::uint64_t address, void* to, std::uint64_t bytes)> read;
    std::function<void(std::uint64_t address, const void* from, std::uint64_t bytes)> write;
  };
  HostCopies(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, Seconds seconds,
             Memory memory);

  void copy(Copy copy) override;

  base::Cycle tick(base::Cycle now) override;
  base::Cycle woken_by_tiles_in() const override { return base::never; }
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  void begin(base::Cycle now);
  void end(base::Cycle now);

  const Seconds seconds_;
  const Memory memory_;
  std::deque<Copy> waiting_;  ///< the first is under way
  bool read_ = false;
  base::Cycle read_at_ = 0, written_at_ = 0;
  std::vector<std::uint8_t> bytes_on_host_;
  base::Counter copies_, bytes_;
};

}  // namespace syncline::models
