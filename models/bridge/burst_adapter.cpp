#include "models/bridge/burst_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace syncline::models {
namespace {

SplitTarget::Spec split_spec(const BurstAdapterSpec& spec, const char* adapter) {
  const bool power_of_two = (spec.burst & (spec.burst - 1)) == 0;
  if (!power_of_two || spec.burst < 8 || spec.burst > base::max_line_bytes)
    throw base::UserError(fmt::format("{}: a burst of {} bytes; it may have 8 to {}, a power of two", adapter,
                                      spec.burst, base::max_line_bytes));
  if (spec.queue == 0 || spec.outstanding == 0)
    throw base::UserError(fmt::format("{} needs room for at least one transaction and one burst", adapter));
  const std::uint64_t size = spec.capacity != 0 ? spec.capacity : std::numeric_limits<std::uint64_t>::max();
  return {size, spec.burst, spec.queue, spec.outstanding};
}

}  // namespace

BurstAdapter::BurstAdapter(const sc_core::sc_module_name& name, PlatformContext& context, const BurstAdapterSpec& spec)
    : Block(name, context),
      target_("target", *this, *this, split_spec(spec, this->name())),
      link_("initiator", *this),
      spec_(spec),
      bursts_(spec.outstanding),
      to_write_(spec.outstanding),
      due_("due") {
  for (std::uint32_t i = 0; i < spec.outstanding; ++i) {
    Request& made = *requests_.emplace_back(std::make_unique<Request>());
    made.payload.set_mm(this);
    free_.push_back(&made);
  }
  target_.statistics([this](const char* what, const char* unit, const char* description, const auto& counter) {
    statistic(what, unit, description, counter);
  });
  statistic("bursts_read", "bursts", "bursts read from the memory", reads_);
  statistic("bursts_written", "bursts", "bursts written to the memory", writes_);
  statistic("partial_writes", "bursts", "bursts that were read to be written in part", partial_writes_);
  traced("dram", "queued", 16, [this] { return target_.jobs(); });
  SC_METHOD(work);
  sensitive << work_ << due_.get_event();
  dont_initialize();
}

BurstAdapter::~BurstAdapter() = default;

void BurstAdapter::begin(const SplitTarget::Access& access) {
  Burst& burst = bursts_[access.tag];
  burst.access = access;
  burst.used = true;
  burst.host = {};
  if (access.reads()) return send(burst, tlm::TLM_READ_COMMAND);
  if (!spec_.byte_enables && access.mask != base::ByteMask::all(spec_.burst)) {
    partial_writes_.add();
    return send(burst, tlm::TLM_READ_COMMAND);
  }
  access.gather(burst.data);
  send(burst, tlm::TLM_WRITE_COMMAND);
}

void BurstAdapter::send(const Burst& burst, tlm::tlm_command command) {
  Request& request = *free_.back();
  free_.pop_back();
  request.tag = burst.access.tag;
  tlm::tlm_generic_payload& payload = request.payload;
  payload.acquire();
  payload.set_command(command);
  payload.set_address(burst.access.block);
  payload.set_data_ptr(request.data.data());
  payload.set_data_length(spec_.burst);
  payload.set_streaming_width(spec_.burst);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (command == tlm::TLM_WRITE_COMMAND) {
    request.data = burst.data;
    if (spec_.byte_enables && burst.access.mask != base::ByteMask::all(spec_.burst)) {
      for (unsigned i = 0; i < spec_.burst; ++i)
        request.enables[i] = burst.access.mask.test(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      payload.set_byte_enable_ptr(request.enables.data());
      payload.set_byte_enable_length(spec_.burst);
    }
  }
  (command == tlm::TLM_WRITE_COMMAND ? writes_ : reads_).add();
  if (const auto at = link_.begin(payload)) answered(payload, *at);
}

BurstAdapter::Request& BurstAdapter::owner_of(const tlm::tlm_generic_payload& payload) {
  for (const auto& request : requests_) {
    if (&request->payload == &payload) return *request;
  }
  throw base::ModelError(fmt::format("{}: the memory answered a transaction that was never sent", name()));
}

void BurstAdapter::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  owner_of(payload);
  due_.notify(payload, delay_until(at));
}

void BurstAdapter::free(tlm::tlm_generic_payload* payload) {
  free_.push_back(&owner_of(*payload));
  work_.notify(sc_core::SC_ZERO_TIME);
}

void BurstAdapter::work() {
  while (tlm::tlm_generic_payload* const payload = due_.get_next_transaction()) arrived(owner_of(*payload));
  while (may_send() && !to_write_.empty()) {
    const std::uint32_t tag = to_write_.front();
    to_write_.pop_front();
    send(bursts_[tag], tlm::TLM_WRITE_COMMAND);
  }
  target_.advance();
}

void BurstAdapter::arrived(Request& request) {
  Burst& burst = bursts_[request.tag];
  const tlm::tlm_response_status status = request.payload.get_response_status();
  if (status != tlm::TLM_OK_RESPONSE)
    done(burst, status);
  else if (request.payload.is_read())
    read_arrived(burst, request);
  else
    write_arrived(burst);
  request.payload.release();
}

void BurstAdapter::read_arrived(Burst& burst, const Request& request) {
  if (burst.access.reads()) {
    burst.access.scatter(request.data);
    return done(burst, tlm::TLM_OK_RESPONSE);
  }
  burst.data = request.data;
  burst.access.gather(burst.data);
  burst.host.mask.merge(burst.data, burst.host.data);
  burst.host = {};
  to_write_.push_back(burst.access.tag);
}

void BurstAdapter::write_arrived(Burst& burst) {
  const base::ByteMask& newer = burst.host.mask;
  for (unsigned first = 0; first < spec_.burst;) {  // runs of bytes: debug transport knows no byte enables
    unsigned end = first;
    while (end < spec_.burst && newer.test(end)) ++end;
    if (end != first) {
      tlm::tlm_generic_payload piece;
      piece.set_write();
      piece.set_address(burst.access.block + first);
      piece.set_data_ptr(burst.host.data.data() + first);
      piece.set_data_length(end - first);
      piece.set_streaming_width(end - first);
      initiator->transport_dbg(piece);
    }
    first = end + 1;
  }
  done(burst, tlm::TLM_OK_RESPONSE);
}

void BurstAdapter::done(Burst& burst, tlm::tlm_response_status status) {
  burst.used = false;
  target_.done(burst.access.tag, sc_core::sc_time_stamp(), status);
}

unsigned BurstAdapter::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = payload.get_address();
  if (spec_.capacity != 0 && (first >= spec_.capacity || payload.get_data_length() > spec_.capacity - first)) return 0;
  const unsigned moved = initiator->transport_dbg(payload);
  if (!payload.is_write()) return moved;
  for (Burst& burst : bursts_) {
    if (!burst.used || burst.access.reads()) continue;
    const std::uint64_t begin = std::max(first, burst.access.block);
    const std::uint64_t end = std::min(first + moved, burst.access.block + spec_.burst);
    for (std::uint64_t at = begin; at < end; ++at) {
      const auto place = static_cast<unsigned>(at - burst.access.block);
      burst.host.data[place] = payload.get_data_ptr()[at - first];
      burst.host.mask.set(place, 1);
    }
  }
  return moved;
}

std::vector<std::string> BurstAdapter::describe_waiting() const {
  std::vector<std::string> lines = target_.describe_waiting();
  if (link_.busy()) lines.push_back(fmt::format("{}: the memory withholds END_REQ", name()));
  for (const auto& request : requests_) {
    if (request->payload.get_ref_count() > 0)
      lines.push_back(fmt::format("{}: the memory has a {} of the burst at {:#x}", name(),
                                  request->payload.is_read() ? "read" : "write", request->payload.get_address()));
  }
  return lines;
}

}  // namespace syncline::models
