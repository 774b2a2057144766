// Seam: may this warp issue this instruction now? Sequential consistency, quantum ends and transaction tokens are
// gates.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "isa/exec/op.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

/// What a gate may ask about a warp that wants to issue.
struct IssueQuery {
  unsigned slot = 0;                ///< warp slot of the SM
  const isa::Op* op = nullptr;      ///< its next instruction
  unsigned accesses_in_flight = 0;  ///< memory instructions of the warp that are not performed yet
  base::Cycle now = 0;
};

/// How a policy has warps looked at again. The SM implements it.
class IssueControl {
 public:
  virtual ~IssueControl() = default;
  /// The gate may decide otherwise now for the warps of `slots`: they ask again in the SM's next cycle.
  virtual void reopen(WarpMask slots) = 0;
  /// Memory instructions of all warps that are not performed yet.
  virtual unsigned accesses_in_flight() const = 0;
};

class IssueGate {
 public:
  /// Answer of `check`: open, or closed for the n-th of `reasons()`.
  using Verdict = std::uint8_t;
  static constexpr Verdict open = 0xFF;

  virtual ~IssueGate() = default;
  /// Names for which warps can be held back; the SM counts stalled cycles under `stall_gate_<name>`. At most 8.
  virtual std::vector<std::string_view> reasons() const { return {}; }
  /// Asked when the warp could issue otherwise. A warp that is denied asks again after IssueControl::reopen, after one
  /// of its own memory instructions is performed, and never else.
  virtual Verdict check(const IssueQuery& query) = 0;
  /// `op` of the warp in `slot` is at fault (base::ProgramFault), and had no effect. True: the gate tells the fault
  /// later, and lets the warp issue nothing any more; false: it ends the run now.
  virtual bool keep_fault(unsigned slot, const isa::Op& op, std::exception_ptr fault) {
    (void)slot, (void)op, (void)fault;
    return false;
  }
  /// Called once, before simulation starts.
  virtual void attach(IssueControl& control) { (void)control; }
};

/// `none`: every warp may always issue.
class OpenGate final : public IssueGate {
 public:
  Verdict check(const IssueQuery&) override { return open; }
};

/// Naive sequential consistency (Ren 2018, 3.5: "execute global memory instructions sequentially"): a warp has at most
/// one memory instruction in flight, and stalls its local ones too.
class SequentialGate final : public IssueGate {
 public:
  std::vector<std::string_view> reasons() const override { return {"sc_order"}; }
  Verdict check(const IssueQuery& query) override {
    return query.op->is_memory && query.accesses_in_flight != 0 ? 0 : open;
  }
};

}  // namespace syncline::models
