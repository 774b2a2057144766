// What the sides of a GPU ask of what factories have made.
#pragma once

#include <string>

#include "base/error.h"
#include "models/block/made.h"

namespace syncline::platform {

/// `own` is the user's factory, or null.
template <class Ports, class Site>
models::Made<Ports> make_block(const models::Factory<Ports, Site>& own,
                               models::Made<Ports> (*library)(const sc_core::sc_module_name&, const Site&),
                               const std::string& name, const Site& site) {
  if (!own) return library(name.c_str(), site);
  site.context.scheduler.keep_time("`" + name + "` is a block of another maker");
  return own(name.c_str(), site);
}

/// The library's block; UserError where something else stands in its place.
template <class Block, class Ports>
Block& library_block(const models::Made<Ports>& made, const std::string& name) {
  if (auto* const block = dynamic_cast<Block*>(made.block.get())) return *block;
  throw base::UserError("`" + name + "` is a block of the user's own, not the library's");
}

/// A port that the block called `name` must have.
template <class Port>
Port& given(Port* port, const std::string& name, const char* what) {
  if (port == nullptr) throw base::UserError("no port `" + std::string(what) + "` is given for `" + name + "`");
  return *port;
}

}  // namespace syncline::platform
