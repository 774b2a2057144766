#include "models/transactions/getm/stall_buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::models {

GetmStallBuffer::GetmStallBuffer(const sc_core::sc_module_name& name, PlatformContext& context,
                                 const protocols::getm::GetmSpec& spec)
    : Block(name, context), socket("socket"), machine_(spec), buffer_(spec, machine_) {
  socket.register_nb_transport_fw(this, &GetmStallBuffer::nb_transport_fw);
  socket.register_b_transport(this, &GetmStallBuffer::b_transport);
  statistic("parked", "requests", "that began to wait", parked_);
  statistic("no_room", "requests", "that would have had to wait, and found no room", no_room_);
  gauge("most_addresses", "granules", "the most for which requests waited at once",
        [this] { return static_cast<double>(most_addresses_); });
  gauge("most_requests", "requests", "the most that waited for one granule",
        [this] { return static_cast<double>(most_requests_); });
  traced("transactions", "addresses", 16, [this] { return buffer_.addresses(); });
  traced("transactions", "requests", 16, [this] { return buffer_.size(); });
  traced("transactions", "may_go", 1, [this] { return std::uint64_t{buffer_.may_one_go()}; });
}

tlm::tlm_sync_enum GetmStallBuffer::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time&) {
  if (phase != tlm::BEGIN_REQ)
    throw base::ModelError(fmt::format("{}: only BEGIN_REQ is for a target that answers in the call", name()));
  perform(payload);
  return tlm::TLM_COMPLETED;
}

void GetmStallBuffer::perform(tlm::tlm_generic_payload& payload) {
  touched();
  StallWork& work = stall_work_of(payload);
  work.taken = false;
  switch (work.command) {
    case StallCommand::park:
      park(work);
      break;
    case StallCommand::changed:
      buffer_.changed(work.metadata);
      break;
    case StallCommand::release:
      buffer_.release_all();
      break;
    case StallCommand::take:
      if (const auto request = buffer_.take(); request) {
        work.request = *request;
        work.taken = true;
      }
      break;
  }
  work.may_one_go = buffer_.may_one_go();
  work.addresses = static_cast<std::uint32_t>(buffer_.addresses());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void GetmStallBuffer::park(StallWork& work) {
  work.taken = buffer_.park(work.request);
  const std::size_t waiting = buffer_.waiting_for(work.request.granule);
  work.waiting = static_cast<std::uint32_t>(waiting);
  (work.taken ? parked_ : no_room_).add();
  most_addresses_ = std::max(most_addresses_, buffer_.addresses());
  most_requests_ = std::max(most_requests_, waiting);
}

std::vector<std::string> GetmStallBuffer::describe_waiting() const {
  if (buffer_.empty()) return {};
  return {fmt::format("{}: {} requests wait for {} granules{}", name(), buffer_.size(), buffer_.addresses(),
                      buffer_.may_one_go() ? ", and one may go" : "")};
}

StallWork& stall_work_of(const tlm::tlm_generic_payload& payload) {
  StallWork* const work = payload.get_extension<StallWork>();
  if (work == nullptr) throw base::ModelError("a stall buffer got a payload that carries no command for it");
  return *work;
}

Made<StallBufferPorts> make_stall_buffer(const sc_core::sc_module_name& name, const StallBufferSite& site) {
  auto buffer = std::make_unique<GetmStallBuffer>(name, site.context, site.spec);
  const StallBufferPorts ports{&buffer->socket};
  return {std::move(buffer), ports};
}

}  // namespace syncline::models
