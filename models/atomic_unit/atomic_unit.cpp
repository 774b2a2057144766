#include "models/atomic_unit/atomic_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/atomic_unit/atomic_ports.h"
#include "models/clock/turn.h"

namespace syncline::models {

AtomicUnit::AtomicUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                       const AtomicUnitSpec& spec)
    : Block(name, context), socket("socket"), spec_(spec), jobs_(spec.queue) {
  socket.register_nb_transport_fw(this, &AtomicUnit::nb_transport_fw);
  socket.register_b_transport(this, &AtomicUnit::b_transport);
  clock.add(*this, TickRank::atomic_unit, this->name());
  statistic("requests", "requests", "requests taken", requests_);
  statistic("operations", "requests", "lanes of the requests taken", operations_);
  statistic("busy_cycles", "cycles", "cycles in which the unit worked", busy_cycles_);
  statistic("full", "requests", "requests that found the queue full", full_);
  statistic("queued", "requests", "requests in the unit when one arrives, itself included", queued_);
  traced("atomic", "queue", 16, [this] { return in_queue(this->clock()->cycle_at_or_after(time_now())); },
         {Changes::until_zero});
  traced("atomic", "requests", 32, [this] { return requests_.value(); }, {Changes::with_block});
  traced("atomic", "full", 1, [this] { return std::uint64_t{refused_ != nullptr}; }, {Changes::with_block});
}

base::Cycle AtomicUnit::occupancy(unsigned lanes, unsigned worst_address) const {
  const auto rounds = [](unsigned operations, std::uint32_t rate) { return (operations + rate - 1) / rate; };
  return std::max<base::Cycle>(
      1, std::max(rounds(worst_address, spec_.same_address_rate), rounds(lanes, spec_.line_rate)));
}

base::Cycle AtomicUnit::reserve(AtomicWork& work, base::Cycle cycle) {
  const base::Cycle start = std::max(cycle, free_at_);
  work.queueing = start - cycle;
  work.busy = occupancy(work.count, work.worst_address);
  free_at_ = start + work.busy;
  requests_.add();
  operations_.add(work.count);
  busy_cycles_.add(work.busy);
  return free_at_ - 1 + spec_.latency;
}

base::Cycle AtomicUnit::enqueue(tlm::tlm_generic_payload& payload, base::Cycle cycle, bool answered) {
  const base::Cycle done = reserve(atomic_work_of(payload), cycle);
  jobs_.push_back({answered ? nullptr : &payload, done});
  queued_.sample(jobs_.size());
  return done;
}

void AtomicUnit::perform(tlm::tlm_generic_payload& payload) {
  apply_atomics(atomic_work_of(payload), payload.get_data_ptr(), payload.get_data_length());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void AtomicUnit::forget_done(base::Cycle now) {
  while (!jobs_.empty() && jobs_.front().payload == nullptr && jobs_.front().done <= now) jobs_.pop_front();
}

tlm::tlm_sync_enum AtomicUnit::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  touched();
  note_change();
  if (phase == tlm::END_RESP) {
    if (answering_ != &payload)
      throw base::ModelError(fmt::format("{}: END_RESP for a request without BEGIN_RESP", name()));
    answering_ = nullptr;
    wake(clock()->cycle_at_or_after(time_now() + delay));
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ || refused_ != nullptr)
    throw base::ModelError(
        fmt::format("{}: only BEGIN_REQ and END_RESP are for a target, and the one behind END_REQ", name()));
  const base::Cycle arrival = clock()->cycle_at_or_after(time_now() + delay);
  forget_done(arrival);
  if (jobs_.full()) {
    full_.add();
    refused_ = &payload;
    wake(jobs_.front().done);
    return tlm::TLM_ACCEPTED;
  }
  const base::Cycle done = enqueue(payload, arrival, spec_.forwarding);
  if (spec_.forwarding) {
    perform(payload);
    delay = clock()->time_of(done) - time_now();
    return tlm::TLM_COMPLETED;
  }
  wake(done);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

/// For an initiator that is loosely timed: it waits for its turn by the delay, behind what is in the unit.
void AtomicUnit::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  touched();
  note_change();
  const base::Cycle arrival = clock()->cycle_at_or_after(time_now() + delay);
  const base::Cycle done = reserve(atomic_work_of(payload), arrival);
  perform(payload);
  delay = clock()->time_of(done) - time_now();
}

base::Cycle AtomicUnit::tick(base::Cycle now) {
  while (!jobs_.empty() && jobs_.front().done <= now && answering_ == nullptr) {
    tlm::tlm_generic_payload* const payload = jobs_.front().payload;
    jobs_.pop_front();
    if (payload == nullptr) continue;
    perform(*payload);
    answer(*payload, sc_core::SC_ZERO_TIME);
  }
  if (refused_ != nullptr && !jobs_.full()) admit(now);
  if (answering_ != nullptr) return base::never;  // END_RESP wakes the unit
  // A request that waited for room is answered later than in the call, and may stand behind others that were not.
  const auto next = std::find_if(jobs_.begin(), jobs_.end(),
                                 [this](const Job& job) { return refused_ != nullptr || job.payload != nullptr; });
  return next == jobs_.end() ? base::never : std::max(next->done, now + 1);
}

void AtomicUnit::answer(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
  ++tile().progress;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  answering_ = &payload;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) answering_ = nullptr;
}

/// There is room for the request that waited. It begins where its turn is, as if it had been in the queue.
void AtomicUnit::admit(base::Cycle now) {
  tlm::tlm_generic_payload& payload = *refused_;
  refused_ = nullptr;
  enqueue(payload, now, false);
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, none);
}

std::uint64_t AtomicUnit::in_queue(base::Cycle now) const {
  return static_cast<std::uint64_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [now](const Job& job) { return job.done > now; }));
}

std::vector<std::string> AtomicUnit::describe_waiting() const {
  std::vector<std::string> lines;
  for (const Job& job : jobs_) {
    if (job.payload != nullptr)
      lines.push_back(
          fmt::format("the atomic of line {:#x} is done in cycle {}", job.payload->get_address(), job.done));
  }
  if (refused_ != nullptr)
    lines.push_back(fmt::format("the atomic of line {:#x} waits for room in the queue", refused_->get_address()));
  if (answering_ != nullptr)
    lines.push_back(fmt::format("the answer for line {:#x} waits for END_RESP", answering_->get_address()));
  return lines;
}

Made<AtomicUnitPorts> make_atomic_unit(const sc_core::sc_module_name& name, const AtomicUnitSite& site) {
  auto unit = std::make_unique<AtomicUnit>(name, site.context, site.clock, site.spec);
  const AtomicUnitPorts ports{&unit->socket};
  return {std::move(unit), ports};
}

}  // namespace syncline::models
