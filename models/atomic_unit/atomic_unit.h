// The atomic unit of a memory partition: read-modify-write of the lanes of one request on the bytes of a line, and the
// time that this takes. The L2 slice owns one and asks it when the line is there.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/ids.h"
#include "base/line_data.h"
#include "base/stats.h"
#include "models/transport/message.h"

namespace syncline::models {

struct AtomicUnitSpec {
  base::Cycle latency = 4;
  std::uint32_t same_address_rate = 1;
  std::uint32_t line_rate = 16;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("latency", latency,
            param::latency("L2", "from the arrival of a request at the unit to the new value in the line", "choice"));
    v.field("same_address_rate", same_address_rate,
            param::count("operations per L2 cycle on one address",
                         "Fermi: one per clock for one address (NVIDIA, Fermi tuning "
                         "guide)")
                .between(1, 1024));
    v.field("line_rate", line_rate,
            param::count("operations per L2 cycle on different addresses of one line",
                         "choice: as many as lanes of half a warp")
                .between(1, 1024));
  }
};

/// Applies the atomics of `message` to `line` in the order of `message.atomics` (ascending lanes: PTX leaves the order
/// of lanes open, this fixes it). Each `operand` becomes the old value when `message.returns_value`. The changed bytes
/// are added to `message.mask`. True if a value is another than before. An access that leaves the line or that is not
/// naturally aligned is a ModelError: the SM checks programs before they get here.
bool apply_atomics(Message& message, base::LineData& line);

/// Largest number of lanes that hit one address, and how many lanes there are: what the unit's time depends on.
struct AtomicContention {
  unsigned lanes = 0;
  unsigned worst_address = 0;
};
AtomicContention atomic_contention(const Message& message);

/// The unit as a resource: requests go through it one after the other.
class AtomicUnit {
 public:
  explicit AtomicUnit(const AtomicUnitSpec& spec) : spec_(spec) {}

  /// Reserves the unit for `message`, which is ready at `cycle`; returns the cycle at which the new values are in the
  /// line and the reply may leave.
  base::Cycle reserve(const Message& message, base::Cycle cycle);
  /// Cycles for which a request holds the unit.
  base::Cycle occupancy(const AtomicContention& contention) const;
  /// First cycle at which the unit is free.
  base::Cycle free_at() const { return free_at_; }

  const AtomicUnitSpec& spec() const { return spec_; }
  const base::Counter& requests() const { return requests_; }
  const base::Counter& operations() const { return operations_; }
  const base::Counter& busy_cycles() const { return busy_cycles_; }
  const base::Distribution& contention() const { return contention_; }  ///< lanes on the most wanted address
  const base::Distribution& queueing() const { return queueing_; }      ///< cycles until the unit was free

  /// Registers the statistics of the unit for the block that owns it: `add(name, unit, description, statistic)`.
  template <class Add>
  void statistics(Add&& add) const {
    add("atomic_requests", "requests", "atomic requests applied", requests_);
    add("atomic_operations", "operations", "lanes of atomic requests applied", operations_);
    add("atomic_busy_cycles", "cycles", "cycles in which the atomic unit worked", busy_cycles_);
    add("atomic_contention", "lanes", "lanes of a request on its most wanted address", contention_);
    add("atomic_queueing", "cycles", "wait until the atomic unit was free", queueing_);
  }

 private:
  AtomicUnitSpec spec_;
  base::Cycle free_at_ = 0;
  base::Counter requests_, operations_, busy_cycles_;
  base::Distribution contention_, queueing_;
};

}  // namespace syncline::models
