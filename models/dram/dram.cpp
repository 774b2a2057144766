#include "models/dram/dram.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/clock/turn.h"
#include "models/dram/payload_access.h"
#include "models/transport/delay_until.h"

namespace syncline::models {
namespace {

/// Cycle in which the first refresh is due.
base::Cycle first_refresh(const DramSpec& spec, const PerturbationSpec& perturbation, std::uint64_t seed,
                          const std::string& dram) {
  if (!perturbation.refresh_phase) return spec.timing.t_refi;
  return 1 + perturbation.random(seed, dram + ".refresh_phase").below(static_cast<std::uint32_t>(spec.timing.t_refi));
}

}  // namespace

Dram::Dram(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const DramSpec& spec,
           const PerturbationSpec& perturbation)
    : Block(name, context),
      socket("socket"),
      commands("commands"),
      spec_(spec),
      memory_(spec.capacity),
      jitter_(perturbation.dram_jitter),
      random_(perturbation.random(context.seed, std::string(this->name()) + ".dram_jitter")),
      channel_(spec, *this, first_refresh(spec, perturbation, context.seed, this->name())),
      return_latency_(0),
      accepted_(spec.queue),
      answers_(spec.response_queue) {
  const base::Cycle array = spec.timing.t_cl + spec.burst_cycles();
  if (spec.minimum_latency > array) return_latency_ = spec.minimum_latency - array;
  for (std::uint32_t tag = spec.queue; tag-- > 0;) free_tags_.push_back(tag);
  to_perform_.reserve(spec.queue);
  socket.register_nb_transport_fw(this, &Dram::nb_transport_fw);
  socket.register_b_transport(this, &Dram::b_transport);
  socket.register_transport_dbg(this, &Dram::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &Dram::get_direct_mem_ptr);
  register_observers();
  clock.add(*this, TickRank::dram, this->name());
}

Dram::~Dram() = default;

void Dram::register_observers() {
  const DramChannel::Statistics& s = channel_.statistics();
  statistic("reads", "requests", "read requests accepted", reads_);
  statistic("writes", "requests", "write requests accepted", writes_);
  statistic("read_bytes", "bytes", "bytes read", read_bytes_);
  statistic("written_bytes", "bytes", "bytes in write requests, disabled ones included", written_bytes_);
  statistic("row_hits", "requests", "requests that found their row open", s.row_hits);
  statistic("row_misses", "requests", "requests that found their bank closed", s.row_misses);
  statistic("row_conflicts", "requests", "requests that found another row open in their bank", s.row_conflicts);
  statistic("activates", "commands", "rows opened", s.activates);
  statistic("precharges", "commands", "rows closed, without those closed for a refresh", s.precharges);
  statistic("refreshes", "commands", "refreshes of all banks, counted when the channel is next used", s.refreshes);
  statistic("data_cycles", "cycles", "cycles in which the data bus was busy", s.data_cycles);
  statistic("back_pressure", "requests", "requests that found the queue full and waited for END_REQ", back_pressure_);
  statistic("queue_depth", "requests", "requests in the queue that a request found", queue_depth_);
  statistic("read_latency", "cycles", "acceptance of a read to its data at the initiator", read_latency_);
  statistic("write_latency", "cycles", "acceptance of a write to its response", write_latency_);
  gauge("bus_utilisation", "ratio", "share of cycles in which the data bus was busy", [this] {
    return static_cast<double>(channel_.statistics().data_cycles.value()) / static_cast<double>(clock()->now() + 1);
  });
  gauge("pages", "pages", "pages of 64 KiB that hold data",
        [this] { return static_cast<double>(memory_.pages_in_use()); });
  register_waves();
}

void Dram::register_waves() {
  const TracedAs by_turns{Changes::with_block}, when_asked{Changes::with_block, nullptr, true};
  traced(
      "dram", "queued", 16, [this] { return std::uint64_t{channel_.queued()}; }, by_turns);
  traced(
      "dram", "blocked", 1, [this] { return std::uint64_t{waiting_ != nullptr}; }, by_turns);
  const auto open_banks = [this] {
    std::uint64_t bits = 0;
    for (unsigned bank = 0; bank < std::min(spec_.banks, 64U); ++bank)
      bits |= std::uint64_t{channel_.row_is_open(bank)} << bank;
    return bits;
  };
  traced("dram", "open_banks", 64, open_banks, by_turns);
  for (unsigned bank = 0; bank < spec_.banks; ++bank) {
    traced(
        "banks", fmt::format("bank{:02}_queue", bank), 16, [this, bank] { return channel_.queued(bank); }, when_asked);
    const auto row = [this, bank] {
      return channel_.row_is_open(bank) ? static_cast<std::uint64_t>(channel_.open_row(bank)) : 0;
    };
    traced("banks", fmt::format("bank{:02}_row", bank), 32, row, when_asked);
  }
}

tlm::tlm_sync_enum Dram::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  touched();
  note_change();
  if (phase == tlm::END_RESP) {
    if (answering_ != &payload)
      throw base::ModelError(fmt::format("{}: END_RESP for a transaction without BEGIN_RESP", name()));
    answering_ = nullptr;
    payload.release();
    wake(0);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ)
    throw base::ModelError(fmt::format("{}: a phase that the base protocol forbids on the forward path", name()));
  if (waiting_ != nullptr)
    throw base::ModelError(fmt::format("{}: BEGIN_REQ before END_REQ of the previous request (LRM 15.2.6)", name()));
  const tlm::tlm_response_status status = check_access(memory_.capacity(), payload);
  if (status != tlm::TLM_OK_RESPONSE || payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  const base::Cycle at = clock()->cycle_at_or_after(time_now() + delay);
  if (channel_.full()) {
    waiting_ = &payload;
    waiting_since_ = at;
    back_pressure_.add();
    return tlm::TLM_ACCEPTED;
  }
  accept(payload, at);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void Dram::accept(tlm::tlm_generic_payload& payload, base::Cycle at) {
  const std::uint32_t tag = free_tags_.back();
  free_tags_.pop_back();
  accepted_[tag] = &payload;
  const unsigned bytes = payload.get_data_length();
  (payload.is_read() ? reads_ : writes_).add();
  (payload.is_read() ? read_bytes_ : written_bytes_).add(bytes);
  queue_depth_.sample(channel_.queued());
  memory_.prefetch(payload.get_address());
  to_perform_.push_back(&payload);
  if (dmi_allowed_) perform_accepted();  // whoever goes around time may look at any
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  payload.set_dmi_allowed(dmi_allowed_);
  channel_.add(tag, payload.is_write(), payload.get_address(), std::min(bytes, payload.get_streaming_width()), at);
  wake(at);
}

void Dram::perform_accepted() {
  for (tlm::tlm_generic_payload* const payload : to_perform_) perform_access(memory_, *payload);
  to_perform_.clear();
}

base::Cycle Dram::tick(base::Cycle now) {
  while (!answers_.empty() && answering_ == nullptr) {
    const Answer next = answers_.front();
    answers_.pop_front();
    answer(*next.payload, std::max(next.at, now));
  }
  return channel_.step(now);
}

void Dram::on_scheduled(const DramRequest& request, base::Cycle data_end) {
  perform_accepted();
  tlm::tlm_generic_payload& payload = *accepted_[request.tag];
  accepted_[request.tag] = nullptr;
  free_tags_.push_back(request.tag);
  base::Cycle at = std::max(data_end + return_latency_, request.accepted + spec_.minimum_latency);
  if (jitter_ != 0) at = last_answer_ = std::max(at + random_.below(jitter_ + 1), last_answer_);
  (request.write ? write_latency_ : read_latency_).sample(at - request.accepted);
  ++tile().progress;
  if (answering_ == nullptr && answers_.empty()) {
    answer(payload, at);
  } else {
    answers_.push_back({&payload, at});
  }
  take_waiting();
}

sc_core::sc_time Dram::until(base::Cycle at) const {
  return delay_until(sc_core::sc_time::from_value(clock()->ps_of(at)));
}

void Dram::answer(tlm::tlm_generic_payload& payload, base::Cycle at) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = until(at);
  answering_ = &payload;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  const bool done = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (done && answering_ == &payload) {
    answering_ = nullptr;
    payload.release();
  }
}

void Dram::take_waiting() {
  if (waiting_ == nullptr || channel_.full()) return;
  tlm::tlm_generic_payload& payload = *waiting_;
  waiting_ = nullptr;
  accept(payload, std::max(waiting_since_, clock()->now()));
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = until(waiting_since_);  // not before BEGIN_REQ, which may have been annotated (LRM 15.2.7)
  socket->nb_transport_bw(payload, phase, delay);
}

void Dram::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check_access(memory_.capacity(), payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  perform_accepted();
  perform_access(memory_, payload);
  payload.set_dmi_allowed(dmi_allowed_);
  if (payload.is_read()) {
    reads_.add();
    read_bytes_.add(payload.get_data_length());
  } else if (payload.is_write()) {
    writes_.add();
    written_bytes_.add(payload.get_data_length());
  }
  const base::Cycle array = spec_.timing.t_rcd + spec_.timing.t_cl + spec_.burst_cycles();
  delay += clock()->length_of(std::max(spec_.minimum_latency, array));
}

unsigned Dram::transport_dbg(tlm::tlm_generic_payload& payload) {
  touched();
  perform_accepted();
  const unsigned bytes = debug_access(memory_, payload);
  payload.set_response_status(bytes != 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return bytes;
}

bool Dram::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  dmi.init();
  if (payload.get_address() >= memory_.capacity()) return false;
  const std::uint64_t first = payload.get_address() / SparseMemory::block_bytes * SparseMemory::block_bytes;
  dmi.set_start_address(first);
  dmi.set_end_address(std::min(first + SparseMemory::block_bytes, memory_.capacity()) - 1);
  if (!dmi_allowed_) return false;
  dmi.set_dmi_ptr(memory_.block(first));
  dmi.allow_read_write();
  const sc_core::sc_time latency = clock()->length_of(std::max<base::Cycle>(spec_.minimum_latency, 1));
  dmi.set_read_latency(latency);
  dmi.set_write_latency(latency);
  return true;
}

void Dram::allow_dmi(bool allowed) {
  perform_accepted();
  if (dmi_allowed_ && !allowed) socket->invalidate_direct_mem_ptr(0, memory_.capacity() - 1);
  dmi_allowed_ = allowed;
}

std::vector<std::string> Dram::check_end_of_run() const {
  return describe_waiting();
}

std::vector<std::string> Dram::describe_waiting() const {
  std::vector<std::string> lines;
  const std::vector<DramRequest> waiting = channel_.waiting();
  if (!waiting.empty()) {
    const DramRequest& oldest = waiting.front();
    lines.push_back(fmt::format(
        "{}: {} requests in the queue, the oldest is a {} of bank {} row {} accepted in cycle {}", name(),
        waiting.size(), oldest.write ? "write" : "read", oldest.place.bank, oldest.place.row, oldest.accepted));
  }
  if (waiting_ != nullptr) lines.push_back(fmt::format("{}: the initiator waits for END_REQ", name()));
  if (answering_ != nullptr)
    lines.push_back(
        fmt::format("{}: BEGIN_RESP waits for END_RESP, {} more answers behind it", name(), answers_.size()));
  return lines;
}

}  // namespace syncline::models
