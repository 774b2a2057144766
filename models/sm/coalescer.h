// From lane addresses to line accesses.
//
// Each part is what the L1 serves at once: one line, and of it the bytes within one aligned segment (32, 64 or 128
// bytes: compute capability 2.x reads L1 lines of 128 bytes, uncached accesses go in segments of 32).
#pragma once

#include <cstdint>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "base/lane_mask.h"
#include "base/line_data.h"
#include "isa/exec/memory_access.h"

namespace syncline::models {

/// Which lanes may share a part: those of the whole warp, of the same half (compute capability 1.x), or none.
enum class CoalesceMode : std::uint8_t { warp, half_warp, lane };
const base::ChoiceTable<CoalesceMode>& coalesce_modes();

struct CoalescerSpec {
  std::uint32_t segment_bytes = 128;
  CoalesceMode mode = CoalesceMode::warp;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("segment_bytes", segment_bytes,
            param::bytes("lanes of one access share a message when they touch the same aligned segment",
                         "GPUDet T5.2: L1 lines of 128 B")
                .between(32, base::max_line_bytes)
                .power_of_two());
    v.choice("mode", mode, coalesce_modes(), param::text("lanes that may share a message", "Fermi: warp"));
  }
};

/// One line access of a warp. The lanes touch `lane_bytes` bytes each, of which the first is byte `data_offset` of the
/// lane's value.
struct LinePart {
  base::LineAddress line;
  base::LaneMask lanes = 0;
  base::ByteMask mask;
  std::uint8_t lane_bytes = 0;
  std::uint8_t data_offset = 0;
};

/// Appends to `parts` the parts of an access of `lane_bytes` (at most a segment) at `address[lane]` of each lane in
/// `lanes`. Addresses are aligned to lane_bytes. Parts are in the order of the lowest lane that needs them.
void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, base::LaneMask lanes,
              const std::uint64_t* address, unsigned lane_bytes, unsigned data_offset, std::vector<LinePart>& parts);

/// The same for an access of global memory. A vector atomic is atomic element by element, and a store may leave
/// elements out: each element of such a one makes parts of its own.
void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, const isa::MemoryAccess& access,
              std::vector<LinePart>& parts);

}  // namespace syncline::models
