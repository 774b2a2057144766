#include "models/block/block.h"

#include <algorithm>

namespace syncline::models {

Block::Block(const sc_core::sc_module_name& name, PlatformContext& context)
    : sc_core::sc_module(name), context_(context), tile_(context.tiles.current()) {
  context_.blocks.push_back(this);
}

Block::~Block() {
  context_.blocks.erase(std::remove(context_.blocks.begin(), context_.blocks.end(), this), context_.blocks.end());
}

}  // namespace syncline::models
