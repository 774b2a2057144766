#include "models/transactions/warptm/commit_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/taps.h"
#include "models/cache/translate.h"
#include "models/clock/turn.h"

namespace syncline::models {

using protocols::warptm::LoggedWord;
using protocols::warptm::Packet;

namespace {

/// Cores take no more commit IDs than rings have room for. They know of an end before the unit does: the ring itself
/// takes whatever comes.
protocols::warptm::WarptmSpec without_limit(protocols::warptm::WarptmSpec spec) {
  spec.ring_entries = ~0U;
  return spec;
}

}  // namespace

WarptmCommitUnit::WarptmCommitUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                                   const WarptmKeys& keys, const protocols::CoherencePolicy& policy, const Cores& cores,
                                   unsigned line_bytes, GpuPlace place)
    : TransactionUnit(name, context, clock, policy, line_bytes, keys.units.queue),
      keys_(keys),
      plain_(policy.plain.value()),
      slots_(cores.slots),
      listener_(context.transactions_of(place)),
      unit_(without_limit(keys.machine), machine_),
      times_(keys.machine),
      counts_(keys.machine),
      arrived_(keys.units.queue),
      hints_(cores.sms) {
  statistic("messages", "messages", "of logs, and of outcomes", messages_);
  statistic("loads", "lines", "that transactions have read", loads_);
  statistic("commit_ids", "commit IDs", "that had a log here", ids_);
  statistic("failed", "commit IDs", "of which a lane had read what memory did not hold any more", failed_);
  statistic("hazards", "commit IDs", "that were validated once more, behind those that write what they read", hazards_);
  statistic("validated", "words", "that were compared with memory", validated_);
  statistic("written", "words", "of transactions that commit", written_);
  statistic("hints", "messages", "to cores, of words that come into validation or leave it", hints_sent_);
  statistic("in_ring", "commit IDs", "from the oldest that was not retired on, at each message", in_ring_);
  traced("transactions", "in_ring", 16, [this] { return unit_.size(); });
}

bool WarptmCommitUnit::accept(Message& request, const sc_core::sc_time& arrival) {
  if (arrived_.full()) return false;
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  arrived_.push_back({&request, at});
  wake(at);
  return true;
}

bool WarptmCommitUnit::accept_reply(Message& reply, const sc_core::sc_time& arrival) {
  if (towards_sms().room() == 0) return false;
  Asked asked = std::move(asked_[reply.tag]);
  asked_[reply.tag] = {};
  asked_.release(reply.tag);
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  answered(asked, reply, at);
  reply.payload()->release();
  wake(at);
  return true;
}

void WarptmCommitUnit::answered(Asked& asked, const Message& reply, base::Cycle at) {
  if (asked.load != nullptr) {
    asked.load->data = reply.data;
    return answer(*asked.load, TransactionKind::words, at);
  }
  if (!asked.reads.empty()) return compared(asked, reply);
  if (!unit_.acknowledge(asked.write)) return;
  const auto outcome = to_tell_.find(asked.write.ticket);
  answer(*outcome->second, TransactionKind::written, at);
  to_tell_.erase(outcome);
}

void WarptmCommitUnit::compared(const Asked& asked, const Message& reply) {
  for (const Unit::Read& read : asked.reads) {
    const LoggedWord& word = read.expected;
    std::uint32_t value = 0;
    std::memcpy(&value, reply.data.data() + place(line_of(word.word), word.word), sizeof(value));
    if (base::has_taps && listener_ != nullptr)
      listener_->value(attempt_of(read.ticket, word.lane), word.word, value, word.bytes);
    unit_.answer(read, value);
    validated_.add();
  }
}

base::Cycle WarptmCommitUnit::tick(base::Cycle now) {
  moves_ = false;
  send();
  take(now);
  if (const auto detected = unit_.detect()) {
    moves_ = true;
    if (detected->hazard) hazards_.add();
  }
  if (towards_sms().room() != 0) pass(now);
  if (towards_l2().room() != 0) validate(now);
  if (towards_l2().room() != 0) write(now);
  while (unit_.retire()) moves_ = true;
  send_hints(now);
  send();
  if (moves_) ++tile().progress;
  request_in.resume_all([this] { return !arrived_.full(); });
  reply_in.resume_all([this] { return towards_sms().room() != 0; });
  if (moves_) return now + 1;
  base::Cycle next = std::min(towards_l2().next(), towards_sms().next());
  if (!arrived_.empty()) next = std::min(next, arrived_.front().at);
  return next == base::never ? next : std::max(next, now + 1);
}

/// A message of a log; loads that wait before it go on in the same cycle.
void WarptmCommitUnit::take(base::Cycle now) {
  while (!arrived_.empty() && arrived_.front().at <= now && towards_l2().room() != 0 && towards_sms().room() != 0) {
    Message& message = *arrived_.front().message;
    arrived_.pop_front();
    moves_ = true;
    if (transaction_kind(message) == TransactionKind::read) {
      load(message, now);
      continue;
    }
    serve(message, now);
    return;
  }
}

/// What it reads is what the L2 holds when it comes there, behind all that was written before.
void WarptmCommitUnit::load(Message& message, base::Cycle now) {
  const protocols::warptm::Time time = now_ps();
  WarptmWordsBody words;
  for (unsigned byte = 0; byte < line_bytes(); byte += 4) {
    if ((message.mask & base::ByteMask::range(byte, 4)).empty()) continue;
    const std::uint64_t word = (message.line.value() + byte) / 4;
    words.written = std::max(words.written, last_write(keys_.machine, unit_, times_, word, time));
  }
  if (base::has_taps && listener_ != nullptr) listener_->performed(body<WarptmReadBody>(message).told);
  message.other = {};
  body<WarptmWordsBody>(message) = words;
  loads_.add();
  Asked asked;
  asked.load = &message;
  to_l2(message.line, plain_.load, message.mask, nullptr, std::move(asked), now);
}

void WarptmCommitUnit::serve(Message& message, base::Cycle now) {
  const TransactionKind kind = transaction_kind(message);
  if (kind == TransactionKind::listen) return listen(message, now);
  messages_.add();
  in_ring_.sample(unit_.size());
  if (kind == TransactionKind::read_set || kind == TransactionKind::write_set) {
    Packet packet;
    packet.ticket = body<WarptmLogBody>(message).ticket;
    packet.warp = message.requester.index * slots_ + message.warp.value();
    (kind == TransactionKind::read_set ? packet.reads : packet.writes) = words_of(message);
    unit_.receive(packet);
    if (keys_.machine.tells_cores()) hint(counts_.enter(packet.reads, packet.writes));
    return message.payload()->release();
  }
  const auto& body = models::body<WarptmTicketBody>(message);
  if (kind == TransactionKind::outcome) {
    unit_.decide({body.ticket, body.lanes});
    if (message.posted) return message.payload()->release();
    to_tell_[body.ticket] = &message;
    return;
  }
  Packet end;
  end.ticket = body.ticket;
  end.warp = message.requester.index * slots_ + message.warp.value();
  end.last = true;
  end.skip = kind == TransactionKind::no_log;
  unit_.receive(end);
  if (end.skip) return message.payload()->release();
  ids_.add();
  to_reply_[body.ticket] = &message;
}

void WarptmCommitUnit::pass(base::Cycle now) {
  const auto passed = unit_.pass();
  if (!passed) return;
  moves_ = true;
  if (!passed->reply) return;
  const auto& reply = *passed->reply;
  if (reply.failed != 0) failed_.add();
  const protocols::warptm::Entry& entry = unit_.entry(reply.ticket);
  if (keys_.machine.tells_cores()) hint(counts_.leave(entry.reads, entry.writes));
  const auto end = to_reply_.find(reply.ticket);
  Message& message = *end->second;
  to_reply_.erase(end);
  body<WarptmTicketBody>(message).lanes = reply.failed;
  answer(message, TransactionKind::validated, now + 1);
}

void WarptmCommitUnit::validate(base::Cycle now) {
  if (!unit_.has_read()) return;
  moves_ = true;
  Asked asked;
  base::ByteMask mask;
  const base::LineAddress line = line_of(unit_.front_read().expected.word);
  const Ticket ticket = unit_.front_read().ticket;
  do {
    const Unit::Read read = unit_.next_read();
    mask |= base::ByteMask::range(static_cast<unsigned>(place(line, read.expected.word)), 4);
    if (base::has_taps && listener_ != nullptr) {
      const auto attempt = attempt_of(ticket, read.expected.lane);
      listener_->again(attempt, read.expected.word);
      listener_->read(attempt, read.expected.word);
    }
    asked.reads.push_back(read);
  } while (keys_.machine.coalescing && unit_.has_read() && unit_.front_read().ticket == ticket &&
           line_of(unit_.front_read().expected.word) == line);
  to_l2(line, plain_.load, mask, nullptr, std::move(asked), now);
}

void WarptmCommitUnit::write(base::Cycle now) {
  if (!unit_.has_write()) return;
  moves_ = true;
  Asked asked;
  asked.write = unit_.next_write();
  base::ByteMask mask;
  base::LineData data{};
  const base::LineAddress line = line_of(asked.write.words.front().word);
  for (const LoggedWord& word : asked.write.words) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      if ((word.bytes >> byte & 1U) == 0) continue;
      const std::size_t at = place(line, word.word) + byte;
      mask.set(static_cast<unsigned>(at), 1);
      data[at] = static_cast<std::uint8_t>(word.value >> (8 * byte));
    }
    times_.note(word.word, now_ps());
    if (base::has_taps && listener_ != nullptr)
      listener_->performed(warptm_write_ticket(asked.write.ticket, word.word));
    written_.add();
  }
  to_l2(line, plain_.store, mask, &data, std::move(asked), now);
}

void WarptmCommitUnit::to_l2(base::LineAddress line, std::uint8_t kind, const base::ByteMask& mask,
                             const base::LineData* data, Asked asked, base::Cycle now) {
  Message& message = tile().messages().get();
  message.line = line;
  message.source = node();
  message.destination = home();
  message.requester = node();
  message.mask = mask;
  if (data != nullptr) message.data = *data;
  message.tag = asked_.take();
  asked_[message.tag] = std::move(asked);
  dress(message, policy(), kind, line_bytes());
  towards_l2().push(message, now);
}

void WarptmCommitUnit::hint(const protocols::warptm::Broadcast& broadcast) {
  if (broadcast.empty()) return;
  for (Hints& core : hints_) merge(core.waiting, broadcast);
}

/// One that is posted says that the core listens no more: what it has asked is answered, with nothing.
void WarptmCommitUnit::listen(Message& message, base::Cycle now) {
  Hints& core = hints_.at(message.requester.index);
  if (!message.posted) {
    core.listens = &message;
    return;
  }
  message.payload()->release();
  if (core.listens == nullptr) return;
  core.listens->other = {};
  answer(*std::exchange(core.listens, nullptr), TransactionKind::hint, now + 1);
}

/// A core that listens is told all that has changed since it was told last.
void WarptmCommitUnit::send_hints(base::Cycle now) {
  for (Hints& core : hints_) {
    if (core.listens == nullptr || core.waiting.empty() || towards_sms().room() == 0) continue;
    put_hint(*core.listens, core.waiting);
    answer(*std::exchange(core.listens, nullptr), TransactionKind::hint, now + 1);
    hints_sent_.add();
    moves_ = true;
  }
}

TransactionListener::Attempt WarptmCommitUnit::attempt_of(Ticket ticket, unsigned lane) const {
  const protocols::warptm::Warp warp = unit_.entry(ticket).warp;
  return listener_->running(warp / slots_, warp % slots_, lane);
}

std::vector<std::string> WarptmCommitUnit::describe_waiting() const {
  std::vector<std::string> lines = PartitionUnit::describe_waiting();
  if (!unit_.empty())
    lines.push_back(fmt::format("{}: {} commit IDs from {} on are not retired", name(), unit_.size(), unit_.retired()));
  if (asked_.in_use() != 0) lines.push_back(fmt::format("{}: {} requests are at the L2", name(), asked_.in_use()));
  if (!arrived_.empty()) lines.push_back(fmt::format("{}: {} messages wait to be taken", name(), arrived_.size()));
  if (!towards_l2().empty() || !towards_sms().empty())
    lines.push_back(fmt::format("{}: messages wait for their links", name()));
  return lines;
}

}  // namespace syncline::models
