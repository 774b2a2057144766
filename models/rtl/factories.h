// What stands behind `rtl_blocks` where there is Verilator, a file each: the pins of a module and its place.
#pragma once

#include "models/rtl/rtl_blocks.h"

namespace syncline::rtl {

models::Made<models::AtomicUnitPorts> make_atomic_unit(const sc_core::sc_module_name& name,
                                                       const models::AtomicUnitSite& site);
models::Made<models::StallBufferPorts> make_stall_buffer(const sc_core::sc_module_name& name,
                                                         const models::StallBufferSite& site);
std::unique_ptr<models::PartitionUnit> make_z_unit(const sc_core::sc_module_name& name, const ZUnitSite& site);

}  // namespace syncline::rtl
