// All units and cores of a GPU start again from time 0 together (Ren's thesis, 4.5.2; protocols::getm::Rollover). One
// core carries its messages to the units; the cores hear of it at once.
#pragma once

#include <string>
#include <vector>

#include "models/block/block.h"
#include "protocols/transactions/getm/rollover.h"

namespace syncline::models {

class GetmCore;

class GetmRollover final : public Block {
 public:
  GetmRollover(const sc_core::sc_module_name& name, PlatformContext& context, unsigned units, unsigned cores);
  /// Once for each core, before simulation starts.
  void add(GetmCore& core) { cores_.push_back(&core); }

  /// A unit has no timestamps left.
  void ask();
  /// All units have done what they were told.
  void units_told();
  /// No warp of a core has anything under way.
  void core_stopped();
  bool under_way() const { return machine_.phase() != protocols::getm::Rollover::Phase::none || restarting_; }

  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  const unsigned units_;
  protocols::getm::Rollover machine_;
  bool restarting_ = false;
  std::vector<GetmCore*> cores_;
  base::Counter rollovers_;
};

}  // namespace syncline::models
