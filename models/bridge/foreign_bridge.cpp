#include "models/bridge/foreign_bridge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::models {

ForeignBridge::ForeignBridge(const sc_core::sc_module_name& name, PlatformContext& context,
                             const ForeignBridgeSpec& spec, const HomeMap& homes, std::uint64_t size)
    : Block(name, context),
      target_("socket", *this, *this, {size, spec.line, spec.queue, spec.outstanding}),
      to_l1("to_l1", *this),
      from_l1("from_l1", *this),
      homes_(homes),
      size_(size) {
  for (unsigned i = 0; i < homes.homes(); ++i)
    debug_.push_back(std::make_unique<tlm_utils::simple_initiator_socket_optional<ForeignBridge>>(
        fmt::format("debug{}", i).c_str()));
  target_.statistics([this](const char* what, const char* unit, const char* description, const auto& counter) {
    statistic(what, unit, description, counter);
  });
  statistic("line_accesses", "accesses", "accesses to lines that they were split into", line_accesses_);
  traced("bridge", "jobs", 16, [this] { return target_.jobs(); });
}

ForeignBridge::~ForeignBridge() = default;

void ForeignBridge::begin(const SplitTarget::Access& access) {
  line_accesses_.add();
  Message& message = tile().messages().get();
  message.message_class = access.reads() ? MessageClass::load_request : MessageClass::store_request;
  set_l1_kind(message, L1Kind::global);
  message.network = sm_l1_network;
  message.line = base::LineAddress(access.block);
  message.tag = access.tag;
  message.semantics = isa::Semantics::relaxed;
  message.scope = isa::Scope::sys;
  message.mask = access.mask;
  if (!access.reads()) access.gather(message.data);
  to_l1.send(message);
}

bool ForeignBridge::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  const SplitTarget::Access* const access = target_.find(message.tag);
  if (access == nullptr)
    throw base::ModelError(fmt::format("{}: a {} of line {:#x} for an access that was never made", name(),
                                       describe(message), message.line.value()));
  if (access->reads()) access->scatter(message.data);
  const std::uint32_t tag = message.tag;
  message.payload()->release();
  target_.done(tag, arrival);
  return true;
}

unsigned ForeignBridge::debug(tlm::tlm_generic_payload& payload) {
  if ((!payload.is_read() && !payload.is_write()) || payload.get_data_ptr() == nullptr) return 0;
  unsigned done = 0;
  while (done < payload.get_data_length() && payload.get_address() + done < size_) {
    const std::uint64_t address = payload.get_address() + done;
    const auto part = static_cast<unsigned>(
        std::min({homes_.together(address), std::uint64_t{payload.get_data_length() - done}, size_ - address}));
    auto& link = *debug_.at(homes_.home(address).index);
    if (link.size() == 0) break;
    tlm::tlm_generic_payload piece;
    piece.set_command(payload.get_command());
    piece.set_address(address);
    piece.set_data_ptr(payload.get_data_ptr() + done);
    piece.set_data_length(part);
    piece.set_streaming_width(part);
    const unsigned moved = link->transport_dbg(piece);
    done += moved;
    if (moved != part) break;
  }
  payload.set_response_status(done != 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return done;
}

}  // namespace syncline::models
