#include "models/bridge/lt_memory_adapter.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

LtMemoryAdapter::LtMemoryAdapter(const sc_core::sc_module_name& name, PlatformContext& context, std::size_t queue)
    : Block(name, context), target("target"), initiator("initiator"), queue_(queue) {
  if (queue == 0) throw base::UserError(fmt::format("{} needs room for at least one request", this->name()));
  target.register_nb_transport_fw(this, &LtMemoryAdapter::nb_transport_fw);
  target.register_b_transport(this, &LtMemoryAdapter::b_transport);
  target.register_transport_dbg(this, &LtMemoryAdapter::transport_dbg);
  statistic("reads", "requests", "read requests passed on", reads_);
  statistic("writes", "requests", "write requests passed on", writes_);
  statistic("back_pressure", "requests", "requests that found the queue full and waited for END_REQ", back_pressure_);
  traced("dram", "queued", 16, [this] { return std::uint64_t{queue_.size()}; });
  SC_THREAD(run);
}

tlm::tlm_sync_enum LtMemoryAdapter::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (answering_ != &payload)
      throw base::ModelError(fmt::format("{}: END_RESP for a transaction without BEGIN_RESP", name()));
    answering_ = nullptr;
    payload.release();
    answered_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ)
    throw base::ModelError(fmt::format("{}: a phase that the base protocol forbids on the forward path", name()));
  if (waiting_.payload != nullptr)
    throw base::ModelError(fmt::format("{}: BEGIN_REQ before END_REQ of the previous request (LRM 15.2.6)", name()));
  payload.acquire();
  (payload.is_write() ? writes_ : reads_).add();
  const Request request{&payload, sc_core::sc_time_stamp() + delay};
  if (queue_.full()) {
    waiting_ = request;
    back_pressure_.add();
    return tlm::TLM_ACCEPTED;
  }
  queue_.push_back(request);
  work_.notify(sc_core::SC_ZERO_TIME);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void LtMemoryAdapter::run() {
  for (;;) {
    while (queue_.empty()) wait(work_);
    const Request request = queue_.front();
    queue_.pop_front();
    serving_ = request.payload;
    if (waiting_.payload != nullptr) {
      const Request next = waiting_;
      waiting_ = {};
      queue_.push_back(next);
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time at_arrival = delay_until(next.arrival);  // not before an annotated BEGIN_REQ (LRM 15.2.7)
      target->nb_transport_bw(*next.payload, phase, at_arrival);
    }
    sc_core::sc_time delay = delay_until(request.arrival);
    initiator->b_transport(*request.payload, delay);
    answer(*request.payload, delay);
    serving_ = nullptr;
    ++tile().progress;
  }
}

void LtMemoryAdapter::answer(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  answering_ = &payload;
  const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    answering_ = nullptr;
    payload.release();
  }
  while (answering_ != nullptr) wait(answered_);
}

std::vector<std::string> LtMemoryAdapter::describe_waiting() const {
  std::vector<std::string> lines;
  if (!queue_.empty()) lines.push_back(fmt::format("{}: {} requests wait", name(), queue_.size()));
  if (waiting_.payload != nullptr) lines.push_back(fmt::format("{}: the initiator waits for END_REQ", name()));
  if (answering_ != nullptr) {
    lines.push_back(fmt::format("{}: BEGIN_RESP waits for END_RESP", name()));
  } else if (serving_ != nullptr) {
    lines.push_back(fmt::format("{}: the memory is in b_transport at {:#x}", name(), serving_->get_address()));
  }
  return lines;
}

}  // namespace syncline::models
