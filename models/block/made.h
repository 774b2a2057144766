// What a factory gives: a block, the library's or a user's own, and where others meet it.
//
// Each kind of block has a header that says what its factory is asked for, and what it answers with: `...Site`, where
// the block is to stand, and `...Ports`. Ports are sockets and what takes no time; nobody looks behind them, so a block
// that fits them need not derive from the library's.
#pragma once

#include <functional>
#include <memory>
#include <systemc>

namespace syncline::models {

template <class Ports>
struct Made {
  std::unique_ptr<sc_core::sc_module> block;  ///< null: somebody else owns it, and it outlives the simulation
  Ports ports;
};

/// Makes the block of `name`, in its place in the hierarchy, while the platform is composed.
template <class Ports, class Site>
using Factory = std::function<Made<Ports>(const sc_core::sc_module_name& name, const Site& site)>;

}  // namespace syncline::models
