#include "models/rtl/rtl_blocks.h"

#ifdef SYNCLINE_VERILATED
#include "models/rtl/factories.h"
#endif

namespace syncline::rtl {

const RtlBlocks* rtl_blocks() {
#ifdef SYNCLINE_VERILATED
  static const RtlBlocks blocks{make_atomic_unit, make_stall_buffer, make_z_unit};
  return &blocks;
#else
  return nullptr;
#endif
}

}  // namespace syncline::rtl
