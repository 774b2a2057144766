// The blocks that a platform can be made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncline::platform {

/// What is spoken over a socket.
enum class SocketProtocol {
  message,  ///< models/transport/message_port.h
  base,     ///< the TLM-2.0 base protocol
  atomic,   ///< models/atomic_unit/atomic_work.h
  stall,    ///< models/transactions/getm/stall_work.h
  debug     ///< the base protocol's transport_dbg alone
};
std::string_view name(SocketProtocol protocol);

struct CatalogueSocket {
  std::string_view name;  ///< where it is one of several, "in*", where * is a number
  bool is_initiator;
  SocketProtocol protocol;
  std::string_view condition = {};  ///< where the block has it only sometimes: "where L1s send to each other"
};

struct CatalogueEntry {
  std::string_view name;
  std::string_view folder;
  /// In a GPU: names of the instances below it, "sm*_l1", where * is a number; several with a blank between. They begin
  /// the names of their statistics. Empty: a part of another block, or made by who composes a platform by hand.
  std::string_view instances;
  std::string_view keys;  ///< the group of its parameters; empty: it has none of its own
  std::string_view summary;
  std::vector<CatalogueSocket> sockets = {};
};

/// Of each unit between crossbar and L2.
std::vector<CatalogueSocket> sockets_of_a_unit();

/// Whether `name` is `pattern` with a number for each *.
bool matches(std::string_view pattern, std::string_view name);

/// All blocks, in the order of a load's way, and behind them those that only one policy makes.
std::vector<CatalogueEntry> catalogue();

/// The entry whose instance `block` is, as "gpu.sm3_l1"; null when there is none.
const CatalogueEntry* entry_of(const std::vector<CatalogueEntry>& entries, const std::string& block);

}  // namespace syncline::platform
