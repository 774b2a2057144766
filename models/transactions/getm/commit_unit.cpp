#include "models/transactions/getm/commit_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/cache/translate.h"
#include "models/transactions/lane_words.h"

namespace syncline::models {

using protocols::getm::CommitUnit;
using protocols::getm::LogEntry;

GetmCommitUnit::GetmCommitUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                               const GetmKeys& keys, const protocols::CoherencePolicy& policy, unsigned line_bytes)
    : TransactionUnit(name, context, clock, policy, line_bytes, keys.units.queue), keys_(keys), unit_(keys.machine) {
  statistic("messages", "messages", "of logs", messages_);
  statistic("regions", "regions", "granules of an attempt that were given to the validation unit", regions_);
  statistic("bytes", "bytes", "of logs that were written", bytes_);
  statistic("full", "messages", "of logs that found no room", full_);
  statistic("waiting", "regions", "that waited, when a message came", waiting_);
  statistic("residence", "cycles", "of an attempt's log, until it stands in the L2", residence_);
  traced("transactions", "regions", 16, [this] { return unit_.size(); });
}

bool GetmCommitUnit::claims(const Message& request) const {
  return request.family == &transaction_family && transaction_kind(request) == TransactionKind::log;
}

bool GetmCommitUnit::accept(Message& request, const sc_core::sc_time& arrival) {
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  if (at > clock()->now()) {
    wake(at);
    return false;
  }
  const protocols::getm::WarpLog entries = entries_of(request);
  if (!unit_.has_room(entries.size())) {
    full_.add();
    return false;
  }
  messages_.add();
  waiting_.sample(unit_.size());
  const auto& body = models::body<GetmLogBody>(request);
  Log& log = log_of(body.who);
  if (log.regions == 0 && log.since == 0) log.since = at;
  log.requester = request.requester;
  log.warp = request.warp;
  const std::size_t before = unit_.size();
  unit_.accept(entries);
  log.regions += static_cast<unsigned>(unit_.size() - before);
  if (body.last)
    log.answered = &request;
  else
    request.payload()->release();
  wake(at);
  return true;
}

protocols::getm::WarpLog GetmCommitUnit::entries_of(const Message& message) const {
  const auto& body = models::body<GetmLogBody>(message);
  const unsigned granularity = keys_.machine.granularity;
  protocols::getm::WarpLog entries;
  for (unsigned n = 0; n < line_bytes() / granularity; ++n) {
    if (body.commits.at(n) + body.cleans.at(n) == 0) continue;
    LogEntry entry{message.line.value() / granularity + n,
                   body.who,
                   std::uint32_t{body.commits[n]} + body.cleans[n],
                   body.commits[n] != 0,
                   {}};
    for (unsigned place = n * granularity; place < (n + 1) * granularity; place += word_bytes) {
      protocols::getm::LoggedWord word{(message.line.value() + place) / word_bytes, 0, 0, 0};
      std::memcpy(&word.value, message.data.data() + place, word_bytes);
      for (unsigned byte = 0; byte < word_bytes; ++byte) {
        if (message.mask.test(place + byte)) word.bytes = static_cast<std::uint8_t>(word.bytes | 1U << byte);
      }
      if (word.bytes != 0) entry.words.push_back(word);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

GetmCommitUnit::Log& GetmCommitUnit::log_of(std::uint32_t who) {
  const auto found = std::find_if(logs_.begin(), logs_.end(), [who](const Log& log) { return log.who == who; });
  if (found != logs_.end()) return *found;
  Log log;
  log.who = who;
  return logs_.emplace_back(log);
}

base::Cycle GetmCommitUnit::tick(base::Cycle now) {
  send();
  if (busy_until_ <= now && towards_l2().room() != 0 && !unit_.empty()) commit(now);
  send();
  request_in.resume_all();
  base::Cycle next = std::min(towards_l2().next(), towards_sms().next());
  if (!unit_.empty()) next = std::min(next, busy_until_);
  return next == base::never ? next : std::max(next, now + 1);
}

void GetmCommitUnit::commit(base::Cycle now) {
  const CommitUnit::Applied taken = unit_.take();
  const LogEntry& region = taken.region;
  const Log& log = log_of(region.who);
  const std::uint64_t at = region.granule * keys_.machine.granularity;
  Message& message = tile().messages().get();
  message.line = base::LineAddress(at / line_bytes() * line_bytes());
  message.source = node();
  message.destination = home();
  message.requester = log.requester;
  message.warp = log.warp;
  message.tag = region.who;
  for (const protocols::getm::LoggedWord& word : region.words) {
    const auto place = static_cast<unsigned>(word.word * word_bytes - message.line.value());
    std::memcpy(message.data.data() + place, &word.value, word_bytes);
    for (unsigned byte = 0; byte < word_bytes; ++byte) {
      if ((word.bytes >> byte & 1U) != 0) message.mask.set(place + byte, 1);
    }
  }
  dress(message, transaction_family, static_cast<std::uint8_t>(TransactionKind::region), context().families, policy(),
        line_bytes());
  GetmLogBody body;
  body.who = region.who;
  const auto granule = static_cast<std::size_t>((at - message.line.value()) / keys_.machine.granularity);
  (region.commits ? body.commits : body.cleans).at(granule) = static_cast<std::uint16_t>(region.writes);
  models::body<GetmLogBody>(message) = body;
  const unsigned bytes = message.mask.count();
  bytes_.add(bytes);
  regions_.add();
  busy_until_ = now + std::max(1U, (bytes + keys_.units.commit_bytes - 1) / keys_.units.commit_bytes);
  towards_l2().push(message, now);
  ++tile().progress;
}

bool GetmCommitUnit::accept_reply(Message& reply, const sc_core::sc_time& arrival) {
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  Log& log = log_of(reply.tag);
  if (log.regions == 0) throw base::ModelError(fmt::format("{}: an answer to nothing that it has asked", name()));
  if (log.regions == 1 && log.answered != nullptr && towards_sms().room() == 0) return false;
  reply.payload()->release();
  --log.regions;
  finish_if_done(log, at);
  wake(at);
  return true;
}

void GetmCommitUnit::finish_if_done(Log& log, base::Cycle at) {
  if (log.regions != 0 || log.answered == nullptr) return;
  Message& message = *log.answered;
  message.mask = {};
  answer(message, TransactionKind::done, at);
  residence_.sample(at - log.since);
  logs_.erase(logs_.begin() + (&log - &logs_.front()));
}

void GetmCommitUnit::on_replied() {
  reply_in.resume_all();
}

std::vector<std::string> GetmCommitUnit::describe_waiting() const {
  std::vector<std::string> lines = PartitionUnit::describe_waiting();
  for (const Log& log : logs_)
    lines.push_back(fmt::format("{}: the log of attempt {:#x}: {} regions are not in memory{}", name(), log.who,
                                log.regions, log.answered == nullptr ? ", and more are to come" : ""));
  return lines;
}

}  // namespace syncline::models
