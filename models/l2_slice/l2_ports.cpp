#include "models/l2_slice/l2_ports.h"

#include "models/l2_slice/l2_slice.h"

namespace syncline::models {

Made<L2Ports> make_l2_slice(const sc_core::sc_module_name& name, const L2Site& site) {
  auto l2 = std::make_unique<L2Slice>(name, site.context, site.clock, site.spec, site.policy, site.partition,
                                      site.homes, site.place);
  L2Slice& slice = *l2;
  L2Ports ports;
  ports.requests = &slice.requests.socket;
  ports.replies = &slice.replies.socket;
  if (slice.to_network) ports.to_network = &slice.to_network->socket;
  if (slice.from_network) ports.from_network = &slice.from_network->socket;
  if (slice.to_next) ports.to_next = &slice.to_next->socket;
  if (slice.from_previous) ports.from_previous = &slice.from_previous->socket;
  ports.memory = &slice.memory.socket;
  ports.atomics = &slice.atomics.socket;
  ports.debug = &slice.debug;
  ports.debug_read = [&slice](base::ByteAddress address, std::uint8_t* data, std::size_t bytes) {
    return slice.debug_read(address, data, bytes);
  };
  ports.debug_write = [&slice](base::ByteAddress address, const std::uint8_t* data, std::size_t bytes) {
    return slice.debug_write(address, data, bytes);
  };
  if (slice.to_network != nullptr)
    ports.debug_write_copies = [&slice](base::ByteAddress address, const std::uint8_t* data, std::size_t bytes) {
      slice.debug_write_copies(address, data, bytes);
    };
  ports.debug_write_back = [&slice](base::ByteAddress address, std::size_t bytes) {
    return slice.debug_write_back(address, bytes);
  };
  ports.debug_refresh = [&slice](base::ByteAddress address, std::size_t bytes) {
    return slice.debug_refresh(address, bytes);
  };
  return {std::move(l2), std::move(ports)};
}

}  // namespace syncline::models
