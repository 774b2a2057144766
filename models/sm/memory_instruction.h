// One memory instruction of a warp while it is under way between the load/store unit and the L1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "isa/exec/memory_access.h"
#include "isa/exec/op.h"
#include "models/sm/coalescer.h"
#include "models/sm/l1_interface.h"
#include "models/sm/lane_values.h"

namespace syncline::models {

struct MemoryInstruction {
  isa::MemoryAccess access;  ///< its `data` collects what comes back
  std::uint32_t pc = 0;
  unsigned slot = 0;  ///< warp
  L1Kind kind = L1Kind::global;
  bool waits_for_registers = false;  ///< brings a value
  bool writes_memory = false;        ///< store, atomic or reduction
  bool under_way = false;            ///< started and not performed
  bool handed_on = false;            ///< marked by a fence: FencePlan::hand_on
  bool acquires = false;             ///< later memory accesses of the warp wait for it
  bool staged = false;               ///< under way already in the lane stages, which have a say in when it is performed
  base::LaneMask results = 0;        ///< lanes whose registers get what comes back
  std::vector<LinePart> parts;
  std::size_t sent = 0, answered = 0;
  base::Cycle ready_at = 0;  ///< when the first part can leave
  base::Cycle issued_at = 0;
  base::Cycle delay = 0;        ///< that lane stages add
  std::uint32_t index = 0;      ///< in the table of its SM
  std::uint64_t order = 0;      ///< Message::order; `no_order`: nothing of it has started towards the L1
  unsigned shift_per_byte = 0;  ///< local memory: distance of a thread's successive words, divided by 4
  AddressRange range;           ///< shared and local memory: of all addresses that its lanes have had
  std::array<std::uint64_t, base::max_lanes> physical{};  ///< local and constant accesses: device addresses

  static constexpr std::uint64_t no_order = ~std::uint64_t{0};

  const std::uint64_t* addresses() const { return kind == L1Kind::local ? physical.data() : access.address.data(); }
  /// Device address of the first byte of a lane in `part`.
  std::uint64_t address_in(const LinePart& part, unsigned lane) const {
    return addresses()[lane] + std::uint64_t{part.data_offset} * shift_per_byte;
  }
};

/// Whether registers get something back.
inline bool brings_value(isa::AccessKind kind) {
  return kind == isa::AccessKind::load || kind == isa::AccessKind::atomic;
}

/// Copies the bytes that the lanes of `part` want from the line to the instruction's values.
void scatter(MemoryInstruction& instruction, const LinePart& part, const base::LineData& line);
/// Copies the values of the lanes of `part` to their places in the line; of two lanes at one place the higher stays.
void gather(const MemoryInstruction& instruction, const LinePart& part, base::LineData& line);
/// Fills the message's atomics with the elements of the lanes of `part`.
void gather_atomics(const MemoryInstruction& instruction, const LinePart& part, Message& message);
/// Brings the old values that `message` carries to the instruction's values.
void scatter_atomics(MemoryInstruction& instruction, const LinePart& part, const Message& message);

}  // namespace syncline::models
