#include "models/bridge/split_target.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/dram/payload_access.h"
#include "models/transport/delay_until.h"

namespace syncline::models {
namespace {

bool enabled(const tlm::tlm_generic_payload& payload, std::uint64_t byte) {
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}
/// Commands and byte enables that move no byte need no access at all.
bool moves_nothing(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return true;
  if (payload.get_byte_enable_ptr() == nullptr) return false;
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    if (enabled(payload, i)) return false;
  }
  return true;
}

}  // namespace

void SplitTarget::Access::gather(base::LineData& to) const {
  for (unsigned i = 0; i < bytes; ++i) {
    if (mask.test(offset + i)) to[offset + i] = payload->get_data_ptr()[first + i];
  }
}

void SplitTarget::Access::scatter(const base::LineData& from) const {
  for (unsigned i = 0; i < bytes; ++i) {
    if (mask.test(offset + i)) payload->get_data_ptr()[first + i] = from[offset + i];
  }
}

SplitTarget::SplitTarget(const char* socket_name, Block& owner, Worker& worker, const Spec& spec)
    : socket(socket_name),
      owner_(owner),
      worker_(worker),
      spec_(spec),
      making_(spec.queue),
      answers_(spec.queue),
      slots_(spec.outstanding),
      later_(this, &SplitTarget::on_time) {
  socket.register_b_transport(this, &SplitTarget::b_transport);
  socket.register_nb_transport_fw(this, &SplitTarget::nb_transport_fw);
  socket.register_transport_dbg(this, &SplitTarget::transport_dbg);
  for (std::uint32_t i = 0; i < spec.queue; ++i) {
    jobs_.push_back(std::make_unique<Job>());
    free_jobs_.push_back(jobs_.back().get());
  }
  for (std::uint32_t i = spec.outstanding; i-- > 0;) free_slots_.push_back(i);
}

void SplitTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check_access(spec_.size, payload);
  if (status != tlm::TLM_OK_RESPONSE || moves_nothing(payload)) return payload.set_response_status(status);
  // The access takes place at its annotated time, not before (LRM 11.1.3, timing annotation).
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  while (free_jobs_.empty()) sc_core::wait(job_is_free_);
  Job& job = claim(payload, true);
  start(job);
  sc_core::wait(job.done);
  retire(job);
}

tlm::tlm_sync_enum SplitTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (answering_ == nullptr || answering_->payload != &payload)
      throw base::ModelError(fmt::format("{}: END_RESP for a transaction without BEGIN_RESP", owner_.name()));
    Job& job = *answering_;
    answering_ = nullptr;
    retire(job);
    answer_next();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ)
    throw base::ModelError(
        fmt::format("{}: a phase that the base protocol forbids on the forward path", owner_.name()));
  if (requesting_ != nullptr)
    throw base::ModelError(
        fmt::format("{}: BEGIN_REQ before END_REQ of the previous request (LRM 15.2.6)", owner_.name()));
  const tlm::tlm_response_status status = check_access(spec_.size, payload);
  if (status != tlm::TLM_OK_RESPONSE || moves_nothing(payload)) {
    payload.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  if (delay != sc_core::SC_ZERO_TIME) {
    requesting_ = &payload;
    later_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  if (!enter(payload)) return tlm::TLM_ACCEPTED;
  start(claim(payload, false));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void SplitTarget::on_time(tlm::tlm_generic_payload& payload, const tlm::tlm_phase&) {
  if (enter(payload)) end_request(payload);
}

bool SplitTarget::enter(tlm::tlm_generic_payload& payload) {
  if (!free_jobs_.empty()) return true;
  requesting_ = &payload;
  waits_for_room_ = true;
  back_pressure_.add();
  return false;
}

void SplitTarget::end_request(tlm::tlm_generic_payload& payload) {
  requesting_ = nullptr;
  waits_for_room_ = false;
  Job& job = claim(payload, false);  // first: END_REQ may bring another request at once
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, none);
  start(job);
}

SplitTarget::Job& SplitTarget::claim(tlm::tlm_generic_payload& payload, bool blocking) {
  Job& job = *free_jobs_.back();
  free_jobs_.pop_back();
  job.payload = &payload;
  job.blocking = blocking;
  job.next = 0;
  job.accesses = 0;
  job.done_at = sc_core::sc_time_stamp();
  job.status = tlm::TLM_OK_RESPONSE;
  (payload.is_read() ? reads_ : writes_).add();
  (payload.is_read() ? read_bytes_ : written_bytes_).add(payload.get_data_length());
  return job;
}

void SplitTarget::start(Job& job) {
  making_.push_back(&job);
  advance();
}

void SplitTarget::advance() {
  if (advancing_) return;
  advancing_ = true;
  while (!making_.empty() && make_access(*making_.front())) {
    Job& job = *making_.front();
    if (job.next < job.payload->get_data_length()) continue;
    making_.pop_front();
    if (job.accesses == 0) finish(job);
  }
  advancing_ = false;
}

bool SplitTarget::is_busy(std::uint64_t block) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return slot.job != nullptr && slot.access.block == block; });
}

bool SplitTarget::make_access(Job& job) {
  const tlm::tlm_generic_payload& payload = *job.payload;
  const std::uint64_t width = payload.get_streaming_width(), in_stream = job.next % width;
  const std::uint64_t address = payload.get_address() + in_stream;
  Access access;
  access.payload = job.payload;
  access.block = address / spec_.block * spec_.block;
  access.first = job.next;
  access.offset = static_cast<unsigned>(address - access.block);
  access.bytes = static_cast<unsigned>(std::min({std::uint64_t{spec_.block} - access.offset, width - in_stream,
                                                 std::uint64_t{payload.get_data_length()} - job.next}));
  for (unsigned i = 0; i < access.bytes; ++i) {
    if (enabled(payload, job.next + i)) access.mask.set(access.offset + i, 1);
  }
  if (access.mask.empty()) {
    job.next += access.bytes;
    return true;
  }
  if (!worker_.ready() || free_slots_.empty() || is_busy(access.block)) return false;

  access.tag = free_slots_.back();
  free_slots_.pop_back();
  slots_[access.tag] = {access, &job};
  job.next += access.bytes;
  ++job.accesses;
  worker_.begin(access);
  return true;
}

const SplitTarget::Access* SplitTarget::find(std::uint32_t tag) const {
  return tag < slots_.size() && slots_[tag].job != nullptr ? &slots_[tag].access : nullptr;
}

void SplitTarget::done(std::uint32_t tag, const sc_core::sc_time& at, tlm::tlm_response_status status) {
  Job& job = *slots_.at(tag).job;
  free_slots_.push_back(tag);
  slots_[tag].job = nullptr;
  job.done_at = std::max(job.done_at, at);
  if (status != tlm::TLM_OK_RESPONSE) job.status = status;
  if (--job.accesses == 0 && job.next == job.payload->get_data_length()) finish(job);
  advance();
}

void SplitTarget::finish(Job& job) {
  job.payload->set_response_status(job.status);
  ++owner_.tile().progress;
  if (job.blocking) {
    job.done.notify(delay_until(job.done_at));
  } else {
    answers_.push_back(&job);
    answer_next();
  }
}

void SplitTarget::answer_next() {
  while (answering_ == nullptr && !answers_.empty()) {
    Job& job = *answers_.front();
    answers_.pop_front();
    answering_ = &job;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = delay_until(job.done_at);
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(*job.payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      answering_ = nullptr;
      retire(job);
    }
  }
}

void SplitTarget::retire(Job& job) {
  if (!job.blocking) job.payload->release();
  job.payload = nullptr;
  free_jobs_.push_back(&job);
  if (waits_for_room_)
    end_request(*requesting_);
  else
    job_is_free_.notify(sc_core::SC_ZERO_TIME);
}

std::vector<std::string> SplitTarget::describe_waiting() const {
  std::vector<std::string> lines;
  for (const auto& job : jobs_) {
    if (job->payload == nullptr) continue;
    lines.push_back(fmt::format("{}: a {} of {} bytes at {:#x} waits for {} accesses", owner_.name(),
                                job->payload->is_read() ? "read" : "write", job->payload->get_data_length(),
                                job->payload->get_address(), job->accesses));
  }
  if (requesting_ != nullptr) lines.push_back(fmt::format("{}: the initiator waits for END_REQ", owner_.name()));
  return lines;
}

}  // namespace syncline::models
