#include "models/block/block.h"

#include <algorithm>

#include "models/block/watched_port.h"

namespace syncline::models {

void keep_time_for(const sc_core::sc_object& port) {
  if (auto* const block = dynamic_cast<Block*>(port.get_parent_object()))
    block->context().scheduler.keep_time("an observer follows events of blocks");
}

PlatformContext::~PlatformContext() {
  for (Block* const block : blocks) block->context_ = nullptr;
}

Block::Block(const sc_core::sc_module_name& name, PlatformContext& context)
    : sc_core::sc_module(name), context_(&context), tile_(context.tiles.current()) {
  context.blocks.push_back(this);
}

Block::~Block() {
  if (context_ == nullptr) return;
  std::vector<Block*>& blocks = context_->blocks;
  blocks.erase(std::remove(blocks.begin(), blocks.end(), this), blocks.end());
}

}  // namespace syncline::models
