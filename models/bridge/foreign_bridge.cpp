#include "models/bridge/foreign_bridge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/dram/payload_access.h"
#include "models/sm/l1_interface.h"

namespace syncline::models {
namespace {
sc_core::sc_time until(const sc_core::sc_time& at) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  return at > now ? at - now : sc_core::SC_ZERO_TIME;
}
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

ForeignBridge::ForeignBridge(const sc_core::sc_module_name& name, PlatformContext& context,
                             const ForeignBridgeSpec& spec, const HomeMap& homes, std::uint64_t size)
    : Block(name, context),
      socket("socket"),
      to_l1("to_l1", *this),
      from_l1("from_l1", *this),
      spec_(spec),
      homes_(homes),
      size_(size),
      making_(spec.queue),
      answers_(spec.queue),
      accesses_(spec.outstanding) {
  socket.register_b_transport(this, &ForeignBridge::b_transport);
  socket.register_nb_transport_fw(this, &ForeignBridge::nb_transport_fw);
  socket.register_transport_dbg(this, &ForeignBridge::transport_dbg);
  for (unsigned i = 0; i < homes.homes(); ++i)
    debug_.push_back(std::make_unique<tlm_utils::simple_initiator_socket_optional<ForeignBridge>>(
        fmt::format("debug{}", i).c_str()));
  for (std::uint32_t i = 0; i < spec.queue; ++i) {
    jobs_.push_back(std::make_unique<Job>());
    free_jobs_.push_back(jobs_.back().get());
  }
  for (std::uint32_t i = spec.outstanding; i-- > 0;) free_accesses_.push_back(i);
  statistic("reads", "transactions", "read transactions", reads_);
  statistic("writes", "transactions", "write transactions", writes_);
  statistic("read_bytes", "bytes", "bytes of read transactions", read_bytes_);
  statistic("written_bytes", "bytes", "bytes of write transactions", written_bytes_);
  statistic("line_accesses", "accesses", "accesses to lines that they were split into", line_accesses_);
  statistic("back_pressure", "transactions", "transactions that waited for END_REQ", back_pressure_);
  traced("bridge", "jobs", 16, [this] { return std::uint64_t{jobs_.size() - free_jobs_.size()}; });
}

ForeignBridge::~ForeignBridge() = default;

void ForeignBridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check_access(size_, payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE || moves_nothing(payload)) return;
  // The access takes place at its annotated time, not before (LRM 11.1.3, timing annotation).
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  while (free_jobs_.empty()) sc_core::wait(job_is_free_);
  Job& job = claim(payload, true);
  start(job);
  sc_core::wait(*job.done);
  retire(job);
}

tlm::tlm_sync_enum ForeignBridge::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time&) {
  if (phase == tlm::END_RESP) {
    if (answering_ == nullptr || answering_->payload != &payload)
      throw base::ModelError(fmt::format("{}: END_RESP for a transaction without BEGIN_RESP", name()));
    Job& job = *answering_;
    answering_ = nullptr;
    retire(job);
    answer_next();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ)
    throw base::ModelError(fmt::format("{}: a phase that the base protocol forbids on the forward path", name()));
  if (waiting_ != nullptr)
    throw base::ModelError(fmt::format("{}: BEGIN_REQ before END_REQ of the previous request (LRM 15.2.6)", name()));
  const tlm::tlm_response_status status = check_access(size_, payload);
  if (status != tlm::TLM_OK_RESPONSE || moves_nothing(payload)) {
    payload.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  if (free_jobs_.empty()) {
    waiting_ = &payload;
    back_pressure_.add();
    return tlm::TLM_ACCEPTED;
  }
  start(claim(payload, false));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

ForeignBridge::Job& ForeignBridge::claim(tlm::tlm_generic_payload& payload, bool blocking) {
  Job& job = *free_jobs_.back();
  free_jobs_.pop_back();
  job.payload = &payload;
  job.blocking = blocking;
  job.next = 0;
  job.accesses = 0;
  job.done_at = sc_core::sc_time_stamp();
  (payload.is_read() ? reads_ : writes_).add();
  (payload.is_read() ? read_bytes_ : written_bytes_).add(payload.get_data_length());
  return job;
}

void ForeignBridge::start(Job& job) {
  making_.push_back(&job);
  advance();
}

void ForeignBridge::advance() {
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

bool ForeignBridge::line_is_busy(base::LineAddress line) const {
  return std::any_of(accesses_.begin(), accesses_.end(),
                     [&](const Access& access) { return access.job != nullptr && access.line == line; });
}

bool ForeignBridge::make_access(Job& job) {
  tlm::tlm_generic_payload& payload = *job.payload;
  const std::uint64_t width = payload.get_streaming_width(), in_stream = job.next % width;
  const std::uint64_t address = payload.get_address() + in_stream;
  const base::LineAddress line(address / spec_.line * spec_.line);
  const std::uint64_t bytes = std::min(
      {line.value() + spec_.line - address, width - in_stream, std::uint64_t{payload.get_data_length()} - job.next});
  base::ByteMask mask;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (enabled(payload, job.next + i)) mask.set(static_cast<unsigned>(address - line.value() + i), 1);
  }
  if (mask.empty()) {
    job.next += bytes;
    return true;
  }
  if (!to_l1.ready(sm_l1_network) || free_accesses_.empty() || line_is_busy(line)) return false;

  const std::uint32_t tag = free_accesses_.back();
  free_accesses_.pop_back();
  Access& access = accesses_[tag];
  access = {&job, line, job.next, static_cast<unsigned>(bytes)};
  job.next += bytes;
  ++job.accesses;
  line_accesses_.add();

  Message& message = tile().messages().get();
  message.message_class = payload.is_read() ? MessageClass::load_request : MessageClass::store_request;
  set_l1_kind(message, L1Kind::global);
  message.network = sm_l1_network;
  message.line = line;
  message.tag = tag;
  message.semantics = isa::Semantics::relaxed;
  message.scope = isa::Scope::sys;
  message.mask = mask;
  if (payload.is_write()) {
    for (unsigned i = 0; i < bytes; ++i)
      message.data[address - line.value() + i] = payload.get_data_ptr()[access.first + i];
  }
  to_l1.send(message);
  return true;
}

bool ForeignBridge::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  if (message.tag >= accesses_.size() || accesses_[message.tag].job == nullptr)
    throw base::ModelError(fmt::format("{}: a {} of line {:#x} for an access that was never made", name(),
                                       describe(message), message.line.value()));
  Access& access = accesses_[message.tag];
  Job& job = *access.job;
  tlm::tlm_generic_payload& payload = *job.payload;
  if (payload.is_read()) {
    const std::uint64_t offset =
        (payload.get_address() + access.first % payload.get_streaming_width()) - access.line.value();
    for (unsigned i = 0; i < access.bytes; ++i) {
      if (enabled(payload, access.first + i)) payload.get_data_ptr()[access.first + i] = message.data[offset + i];
    }
  }
  free_accesses_.push_back(message.tag);
  access.job = nullptr;
  message.payload()->release();
  job.done_at = std::max(job.done_at, arrival);
  if (--job.accesses == 0 && job.next == payload.get_data_length()) finish(job);
  advance();
  return true;
}

void ForeignBridge::on_ready(VirtualNetwork, unsigned) {
  advance();
}

void ForeignBridge::finish(Job& job) {
  job.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  ++tile().progress;
  if (job.blocking) {
    job.done->notify(until(job.done_at));
  } else {
    answers_.push_back(&job);
    answer_next();
  }
}

void ForeignBridge::answer_next() {
  while (answering_ == nullptr && !answers_.empty()) {
    Job& job = *answers_.front();
    answers_.pop_front();
    answering_ = &job;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = until(job.done_at);
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(*job.payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      answering_ = nullptr;
      retire(job);
    }
  }
}

void ForeignBridge::retire(Job& job) {
  if (!job.blocking) job.payload->release();
  job.payload = nullptr;
  free_jobs_.push_back(&job);
  if (waiting_ == nullptr) {
    job_is_free_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  tlm::tlm_generic_payload& payload = *waiting_;
  waiting_ = nullptr;
  Job& next = claim(payload, false);  // first: END_REQ may bring another request at once
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, none);
  start(next);
}

unsigned ForeignBridge::transport_dbg(tlm::tlm_generic_payload& payload) {
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

std::vector<std::string> ForeignBridge::describe_waiting() const {
  std::vector<std::string> lines;
  for (const auto& job : jobs_) {
    if (job->payload == nullptr) continue;
    lines.push_back(fmt::format("{}: a {} of {} bytes at {:#x} waits for {} lines", name(),
                                job->payload->is_read() ? "read" : "write", job->payload->get_data_length(),
                                job->payload->get_address(), job->accesses));
  }
  if (waiting_ != nullptr) lines.push_back(fmt::format("{}: the initiator waits for END_REQ", name()));
  return lines;
}

}  // namespace syncline::models
