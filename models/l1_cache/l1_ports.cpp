#include "models/l1_cache/l1_ports.h"

#include "models/l1_cache/l1_cache.h"

namespace syncline::models {

L1Ports ports_of(L1Cache& l1) {
  const NetworkEnd network{&l1.to_network.socket, &l1.from_network.socket,
                           l1.to_peers ? &l1.to_peers->socket : nullptr};
  return {&l1.from_sm.socket, &l1.to_sm.socket, network,
          [&l1](base::ByteAddress address, std::uint8_t* data, std::size_t bytes) {
            l1.debug_overlay(address, data, bytes);
          }};
}

Made<L1Ports> make_l1_cache(const sc_core::sc_module_name& name, const L1Site& site) {
  auto l1 = std::make_unique<L1Cache>(name, site.context, site.clock, site.spec, site.policy, site.sm, site.homes,
                                      site.place);
  L1Ports ports = ports_of(*l1);
  return {std::move(l1), std::move(ports)};
}

}  // namespace syncline::models
