// Payloads of the sockets behind which modules in RTL may stand, as the bits of the packages in SystemVerilog.
#pragma once

#include "models/transactor/rtl_server.h"

namespace syncline::rtl {

/// AtomicWork as `request_t` and `response_t` of atomic_pins.sv. A request that has no code there, of floating point or
/// of other than 32 and 64 bits, is a UserError.
models::ServerCodec atomic_codec();
/// StallWork as those of stall_pins.sv.
models::ServerCodec stall_codec();

}  // namespace syncline::rtl
