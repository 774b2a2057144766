// What keys may say where a block is modelled in RTL.
#pragma once

#include "models/block/block_model.h"
#include "models/rtl/rtl_blocks.h"
#include "platform/packages/package.h"

namespace syncline::platform {

/// The rule that a model is there, for the block of the keys below `group`. `blocks` is null where the program was
/// built without Verilator.
void check_model(models::BlockModel model, const std::string& group, const rtl::RtlBlocks* blocks,
                 const Require& require);

/// The rules of the atomic unit and of the Z-unit; that of other blocks is the affair of their packages.
void check_block_models(const PlatformSpec& spec, const rtl::RtlBlocks* blocks, const Require& require);

}  // namespace syncline::platform
