// Which registers decide what a warp does in a loop.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/exec/program.h"

namespace syncline::isa {

/// Of instructions that a warp has executed: the registers on which branches, addresses, and what goes to memory or to
/// other lanes depend (a slice: Weiser, "Program slicing", ICSE 1981). When these have the same values again, and
/// memory has too, the warp executes the same instructions again, whatever the others hold: a counter of attempts does
/// not decide unless somebody compares it.
class LoopSlice {
 public:
  void clear();
  /// `op`, at `pc`, was executed in a call frame.
  void executed(std::uint32_t frame, std::uint32_t pc, const Op& op);
  /// Whether register `id` of the frame (RegisterUse) decides.
  bool decides(std::uint32_t frame, std::uint32_t id, const Program& program);

 private:
  struct FrameSlice {
    std::vector<const Op*> ops;
    std::vector<bool> deciding;  ///< by register
    bool whole = false;          ///< calls and returns: all of them
  };
  static void find(FrameSlice& slice, std::size_t module_registers);

  std::unordered_map<std::uint32_t, FrameSlice> frames_;
  std::unordered_set<std::uint64_t> known_;
  bool found_ = false;  ///< `deciding` is that of `ops`
};

}  // namespace syncline::isa
