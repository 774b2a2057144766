// The units of GETM in a memory partition.
#pragma once

#include "models/transactions/getm/getm_spec.h"
#include "models/transactions/getm/stall_work.h"
#include "platform/packages/package.h"

namespace syncline::platform::getm {

/// Of a specification that chooses it.
const models::GetmKeys& keys_of(const PlatformSpec& spec);

/// Validation units, each with the stall buffer that `make` gives behind it: what stands in the place of the library's
/// stall buffer in GpuOptions::unit_factories, at "validation_unit". The buffers are called part0_stall_buffer and so
/// on. Null: the library's.
UnitFactory validation_units(models::MakeStallBuffer make = nullptr);

UnitRequest validation_unit(const PlatformSpec& spec);
UnitRequest commit_unit(const PlatformSpec& spec);

}  // namespace syncline::platform::getm
