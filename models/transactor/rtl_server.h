// A transactor for a module in RTL behind a socket: requests go in by valid and ready, answers come out, in order.
#pragma once

#include <fmt/format.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/block/block.h"
#include "models/transactor/pins.h"

namespace syncline::models {

/// Between a payload, with its extension, and bits.
struct ServerCodec {
  std::function<void(const tlm::tlm_generic_payload& request, PinBits& bits)> encode;
  std::function<void(PinBits& bits, tlm::tlm_generic_payload& request)> decode;
};

/// `Protocol` has the payload and the phases of the base protocol. A request that finds `queue` others in the block
/// gets END_REQ when one has been answered; answers are BEGIN_RESP in the tick in which the module gives them.
template <class Protocol>
class RtlServer final : public Block, public Ticked {
 public:
  RtlServer(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, TickRank rank,
            const MakePins<ServerPins>& pins, ServerCodec codec, std::size_t queue)
      : Block(name, context), socket("socket"), pins_(pins(this->name())), codec_(std::move(codec)), queue_(queue) {
    socket.register_nb_transport_fw(this, &RtlServer::nb_transport_fw);
    clock.add(*this, rank, this->name());
    statistic("requests", "requests", "requests taken", requests_);
    statistic("cycles", "cycles", "from the arrival of a request to its answer", cycles_);
    statistic("clocked", "cycles", "in which the module had a clock", clocked_);
    traced("rtl", "waiting", 16, [this] { return jobs_.size(); }, {Changes::with_block});
    for (const RtlSignal& signal : pins_->signals())
      traced("rtl", signal.name, signal.width, signal.value, {Changes::with_block});
  }

  tlm_utils::simple_target_socket<RtlServer, 32, Protocol> socket;

  base::Cycle tick(base::Cycle now) override {
    clocked_.add();
    InChannel& request = pins_->request;
    OutChannel& response = pins_->response;
    if (!request.valid && inside_ < jobs_.size() && jobs_[inside_].at <= now) {
      request.valid = true;
      request.payload.clear();
      codec_.encode(*jobs_[inside_].payload, request.payload);
    }
    response.ready = answering_ == nullptr;
    pins_->settle();
    const bool taken = request.taken(), answered = response.taken();
    pins_->edge();
    if (taken) {
      ++inside_;
      request.valid = false;
    }
    if (answered) answer(now);
    if (answering_ != nullptr || inside_ != 0 || pins_->busy()) return now + 1;
    return jobs_.empty() ? base::never : std::max(jobs_.front().at, now + 1);
  }
  std::vector<std::string> describe_waiting() const override {
    if (jobs_.empty()) return {};
    return {fmt::format("{}: {} requests, {} of them in the module", name(), jobs_.size(), inside_)};
  }
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }

 private:
  struct Job {
    tlm::tlm_generic_payload* payload;
    base::Cycle at;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    touched();
    const base::Cycle at = clock()->cycle_at_or_after(time_now() + delay);
    if (phase == tlm::END_RESP && answering_ == &payload) {
      answering_ = nullptr;
      wake(at);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ || refused_.payload != nullptr)
      throw base::ModelError(
          fmt::format("{}: only BEGIN_REQ behind END_REQ, and END_RESP behind BEGIN_RESP, are for a target", name()));
    if (jobs_.size() >= queue_) {
      refused_ = {&payload, at};
      return tlm::TLM_ACCEPTED;
    }
    take({&payload, at});
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void take(const Job& job) {
    requests_.add();
    jobs_.push_back(job);
    wake(job.at);
  }
  void answer(base::Cycle now) {
    if (inside_ == 0) throw base::ModelError(fmt::format("{}: the module answers what it was not asked", name()));
    const Job job = jobs_.front();
    jobs_.pop_front();
    --inside_;
    cycles_.sample(now - job.at);
    ++tile().progress;
    codec_.decode(pins_->response.payload, *job.payload);
    job.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    answering_ = job.payload;
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(*job.payload, phase, none);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) answering_ = nullptr;
    if (refused_.payload == nullptr) return;
    const Job admitted = std::exchange(refused_, {nullptr, 0});
    take({admitted.payload, std::max(admitted.at, now)});
    phase = tlm::END_REQ;
    socket->nb_transport_bw(*admitted.payload, phase, none);
  }

  const std::unique_ptr<ServerPins> pins_;
  const ServerCodec codec_;
  const std::size_t queue_;
  std::deque<Job> jobs_;  ///< the first `inside_` are in the module
  std::size_t inside_ = 0;
  Job refused_{nullptr, 0};                        ///< between BEGIN_REQ and END_REQ
  tlm::tlm_generic_payload* answering_ = nullptr;  ///< between BEGIN_RESP and END_RESP
  base::Counter requests_, clocked_;
  base::Distribution cycles_;
};

}  // namespace syncline::models
