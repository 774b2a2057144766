#include "models/transactions/getm/validation_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/taps.h"
#include "models/cache/translate.h"

namespace syncline::models {

using protocols::getm::Access;
using protocols::getm::Answer;
using protocols::getm::LogEntry;
using protocols::getm::Verdict;

GetmValidationUnit::GetmValidationUnit(const sc_core::sc_module_name& name, PlatformContext& context,
                                       ClockDomain& clock, const GetmKeys& keys,
                                       const protocols::CoherencePolicy& policy, unsigned partitions,
                                       unsigned line_bytes, GpuPlace place)
    : TransactionUnit(name, context, clock, policy, line_bytes, keys.units.queue),
      keys_(keys),
      plain_(policy.plain.value()),
      listener_(context.transactions_of(place)),
      machine_(keys.machine),
      unit_(keys.machine, partitions, machine_),
      stalls_("stalls", *this),
      arrived_(keys.units.queue) {
  statistic("loads", "requests", "of transactions", loads_);
  statistic("stores", "requests", "of transactions", stores_);
  statistic("regions", "regions", "of logs, applied", regions_);
  statistic("queued", "requests", "that waited in the stall buffer", queued_);
  statistic("refused", "requests", "whose lanes abort", refused_);
  statistic("evicted", "granules", "of which only bounds of their times were left", evicted_);
  statistic("overflowed", "accesses", "to the list of metadata in memory", overflowed_);
  statistic("access_cycles", "cycles", "of a decision in the metadata tables", access_cycles_);
  statistic("stashed", "granules", "in the stash, at each decision", stashed_);
  statistic("stalled_addresses", "granules", "for which requests waited, when one began to wait", waiting_addresses_);
  statistic("stalled_requests", "requests", "that waited for the same granule, when one began to wait",
            waiting_requests_);
  traced("transactions", "stalled", 16, [this] { return stalled_; });
  traced("transactions", "arrived", 16, [this] { return arrived_.size(); });
}

void GetmValidationUnit::use(Made<StallBufferPorts> stall_buffer, std::shared_ptr<GetmStalls> all_stalls) {
  if (stall_buffer.ports.socket == nullptr)
    throw base::UserError(fmt::format("the stall buffer that is made for `{}` has no port `socket`", name()));
  stall_buffer_ = std::move(stall_buffer);
  all_stalls_ = std::move(all_stalls);
  stalls_.socket.bind(*stall_buffer_.ports.socket);
}

bool GetmValidationUnit::claims(const Message& request) const {
  return request.family == &transaction_family && transaction_kind(request) != TransactionKind::log;
}

bool GetmValidationUnit::accept(Message& request, const sc_core::sc_time& arrival) {
  if (arrived_.full()) return false;
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  arrived_.push_back({&request, at});
  wake(at);
  return true;
}

/// What a load has read.
bool GetmValidationUnit::accept_reply(Message& reply, const sc_core::sc_time& arrival) {
  if (towards_sms().room() == 0) return false;
  Message& request = *asking_[reply.tag];
  asking_.release(reply.tag);
  request.data = reply.data;
  reply.payload()->release();
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  answer(request, TransactionKind::loaded, at);
  wake(at);
  return true;
}

base::Cycle GetmValidationUnit::tick(base::Cycle now) {
  send();
  while (busy_until_ <= now && towards_l2().room() != 0 && towards_sms().room() != 0) {
    if (!(stalls_.under_way() ? take_late_answer(now) : decide(now))) break;
  }
  send();
  request_in.resume_all([this] { return !arrived_.full(); });
  reply_in.resume_all([this] { return towards_sms().room() != 0; });
  base::Cycle next = std::min(towards_l2().next(), towards_sms().next());
  if (!stalls_.under_way()) {
    if (may_one_go_) next = std::min(next, busy_until_);
    if (!arrived_.empty()) next = std::min(next, std::max(busy_until_, arrived_.front().at));
  } else if (stalls_.answered()) {
    next = std::min(next, std::max(busy_until_, clock()->cycle_at_or_after(stalls_.answered_at())));
  }
  return next == base::never ? next : std::max(next, now + 1);
}

/// False: there is nothing to be decided on.
bool GetmValidationUnit::decide(base::Cycle now) {
  if (may_one_go_) {
    ask_stall_buffer([](StallWork& work) { work.command = StallCommand::take; });
    return true;
  }
  if (arrived_.empty() || arrived_.front().at > now) return false;
  Message& message = *arrived_.front().message;
  arrived_.pop_front();
  serve(message, now);
  return true;
}

void GetmValidationUnit::serve(Message& message, base::Cycle now) {
  ++tile().progress;
  const TransactionKind kind = transaction_kind(message);
  switch (kind) {
    case TransactionKind::region:
      return apply(message, now);
    case TransactionKind::stop:
    case TransactionKind::restart:
      busy_until_ = now + 1;
      answer(message, TransactionKind::done, now + 1);
      return kind == TransactionKind::stop ? stop() : unit_.restart();
    default:
      break;
  }
  const auto& body = models::body<GetmRequestBody>(message);
  protocols::getm::Request request;
  request.access = kind == TransactionKind::load ? Access::load : Access::store;
  request.granule = body.granule;
  request.who = body.who;
  request.at = body.at;
  request.count = body.count;
  request.label = asking_.take();
  asking_[request.label] = &message;
  (request.access == Access::load ? loads_ : stores_).add();
  present(request, now);
}

void GetmValidationUnit::stop() {
  unit_.stop();
  if (stalled_ != 0) ask_stall_buffer([](StallWork& work) { work.command = StallCommand::release; });
}

void GetmValidationUnit::present(const protocols::getm::Request& request, base::Cycle now) {
  look_ = unit_.look(request);
  if (!look_.waits) return conclude(false, now);
  ask_stall_buffer([&request](StallWork& work) { work.request = request; });
}

void GetmValidationUnit::conclude(bool parked, base::Cycle now) {
  answered(unit_.decide(look_, parked), now);
  tell(look_.answer.request.granule);
}

/// What has become of the granule, where anybody may wait for it.
void GetmValidationUnit::tell(protocols::getm::Granule granule) {
  if (stalled_ == 0 || unit_.stopped()) return;
  ask_stall_buffer([this, granule](StallWork& work) {
    work.command = StallCommand::changed;
    work.metadata = unit_.metadata(granule);
  });
}

template <class Fill>
void GetmValidationUnit::ask_stall_buffer(Fill&& fill) {
  if (stalls_.send(fill)) take_answer();
}

/// False: there is none yet.
bool GetmValidationUnit::take_late_answer(base::Cycle now) {
  if (!stalls_.answered() || clock()->cycle_at_or_after(stalls_.answered_at()) > now) return false;
  take_answer();
  return true;
}

void GetmValidationUnit::take_answer() {
  const base::Cycle at = std::max(clock()->now(), clock()->cycle_at_or_after(stalls_.answered_at()));
  const StallWork work = stalls_.take();
  may_one_go_ = work.may_one_go;
  all_stalls_->changed(stalled_addresses_, work.addresses);
  stalled_addresses_ = work.addresses;
  busy_until_ = std::max(busy_until_, at);
  switch (work.command) {
    case StallCommand::park:
      if (work.taken) {
        ++stalled_;
        waiting_requests_.sample(work.waiting);
        waiting_addresses_.sample(work.addresses);
      }
      return conclude(work.taken, at);
    case StallCommand::take:
      if (!work.taken || stalled_ == 0)
        throw base::ModelError(fmt::format("{}: the stall buffer lets a request go that it does not have", name()));
      --stalled_;
      return present(work.request, at);
    case StallCommand::changed:
    case StallCommand::release:
      return;
  }
}

void GetmValidationUnit::stall_buffer_ready(const sc_core::sc_time& at) {
  touched();
  wake(clock()->cycle_at_or_after(at));
}

void GetmValidationUnit::answered(const Answer& answer, base::Cycle now) {
  const base::Cycle at = now + cost(answer.cost);
  busy_until_ = at;
  if (answer.verdict == Verdict::queued) {
    queued_.add();
    return;
  }
  Message& message = *asking_[answer.request.label];
  const std::uint64_t ticket = getm_read_ticket(answer.request.who, models::body<GetmRequestBody>(message).label);
  GetmAnswerBody body;
  body.seen = answer.seen;
  body.cause = answer.cause;
  body.rolls_over = unit_.wants_rollover();
  message.other = {};
  models::body<GetmAnswerBody>(message) = body;
  if (answer.verdict == Verdict::done && answer.request.access == Access::load) {
    if (base::has_taps && listener_ != nullptr) listener_->performed(ticket);
    Message& read = ask(message.line, message);
    read.mask = message.mask;
    read.tag = answer.request.label;
    dress(read, policy(), plain_.load, line_bytes());
    return towards_l2().push(read, at);
  }
  if (base::has_taps && listener_ != nullptr && answer.request.access == Access::load) listener_->dropped(ticket);
  asking_.release(answer.request.label);
  if (answer.verdict == Verdict::refused) refused_.add();
  this->answer(message, answer.verdict == Verdict::refused ? TransactionKind::refused : TransactionKind::stored, at);
}

/// The words of a region that commits go on to the L2 in front of everything that is decided on later.
void GetmValidationUnit::apply(Message& region, base::Cycle now) {
  const GetmLogBody log = body<GetmLogBody>(region);
  const std::uint64_t granule_in_line = [&log] {
    std::uint64_t n = 0;
    while (log.commits.at(n) + log.cleans.at(n) == 0) ++n;
    return n;
  }();
  LogEntry entry;
  entry.who = log.who;
  entry.granule = region.line.value() / keys_.machine.granularity + granule_in_line;
  entry.writes = std::uint32_t{log.commits[granule_in_line]} + log.cleans[granule_in_line];
  entry.commits = log.commits[granule_in_line] != 0;
  const auto applied = unit_.apply(entry);
  regions_.add();
  const base::Cycle at = now + cost(applied.cost);
  busy_until_ = at;
  if (!applied.writes || region.mask.empty()) {
    answer(region, TransactionKind::applied, at);
    return tell(entry.granule);
  }
  if (base::has_taps && listener_ != nullptr) listener_->performed(getm_write_ticket(entry.who, entry.granule));
  region.coherence = {};
  region.destination = home();
  dress(region, policy(), plain_.store, line_bytes());
  towards_l2().push(region, at);
  tell(entry.granule);
}

base::Cycle GetmValidationUnit::cost(const protocols::getm::TableCost& table) {
  evicted_.add(table.evicted);
  overflowed_.add(table.overflow);
  const base::Cycle cycles = keys_.units.lookup + table.probes + std::uint64_t{table.overflow} * keys_.units.overflow;
  access_cycles_.sample(cycles);
  stashed_.sample(unit_.table().stashed());
  return cycles;
}

std::vector<std::string> GetmValidationUnit::describe_waiting() const {
  std::vector<std::string> lines = PartitionUnit::describe_waiting();
  if (stalled_ != 0)
    lines.push_back(fmt::format("{}: {} requests wait in the stall buffer for {} granules that are reserved", name(),
                                stalled_, stalled_addresses_));
  if (stalls_.under_way())
    lines.push_back(fmt::format("{}: the stall buffer has not answered its last command", name()));
  else if (asking_.in_use() != stalled_)
    lines.push_back(fmt::format("{}: {} loads are on their way to the L2", name(), asking_.in_use() - stalled_));
  if (!arrived_.empty()) lines.push_back(fmt::format("{}: {} messages wait to be decided on", name(), arrived_.size()));
  if (!towards_l2().empty() || !towards_sms().empty())
    lines.push_back(fmt::format("{}: messages wait for their links", name()));
  return lines;
}

}  // namespace syncline::models
