#include "models/transactions/getm/getm_core.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "models/transactions/getm/getm_rollover.h"
#include "models/transactions/lane_words.h"
#include "models/transactions/logged_bytes.h"

namespace syncline::models {

using base::LaneMask;
using protocols::getm::AbortCause;
using protocols::getm::Access;
using protocols::getm::Answer;
using protocols::getm::LogEntry;

namespace {

/// Names of statistics, by AbortCause without `none`.
std::vector<std::string_view> causes() {
  return {"war", "waw", "raw", "tie", "no_room", "rollover", "intra_warp"};
}

}  // namespace

GetmCore::GetmCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
                   const GetmKeys& keys, const TransactionPlace& place, std::uint32_t first_warp, const HomeMap& homes,
                   GetmRollover& rollover, GpuPlace gpu)
    : TransactionCore(name, context, core, keys.core, place, causes()),
      keys_(keys),
      homes_(homes),
      gpu_(gpu),
      rollover_(rollover),
      listener_(context.transactions_of(gpu)) {
  for (unsigned slot = 0; slot < place.slots; ++slot)
    warps_.emplace_back(keys_.machine, first_warp + slot, keys_.machine.attempt_tags);
  for (WarpState& state : warps_) state.attempts.resize(base::max_lanes);
  rollover_.add(*this);
  statistic("requests", "messages", "to validation units, a granule each", requests_);
  statistic("forwarded", "loads", "of lanes that found bytes in their own log", forwarded_);
  statistic("log_messages", "messages", "to commit units", log_messages_);
  statistic("commit_latency", "cycles", "from the end of an attempt until its logs stand in memory", commit_latency_);
  gauge("warpts", "logical time", "of the warp that is farthest", [this] { return static_cast<double>(latest()); });
}

protocols::getm::Timestamp GetmCore::latest() const {
  protocols::getm::Timestamp latest = 0;
  for (const WarpState& state : warps_) latest = std::max(latest, state.warp.warpts());
  return latest;
}

void GetmCore::begin(unsigned slot, LaneMask lanes) {
  WarpState& state = warps_[slot];
  state.warp.begin(
      lanes, keys_.machine.begins_at == protocols::getm::BeginsAt::sm ? latest() : protocols::getm::first_timestamp);
  if (listens())
    base::for_each_lane(lanes, [&](unsigned lane) { state.attempts[lane] = listener_->begun(identity(slot), lane); });
}

std::vector<GetmCore::Warp::Touch> GetmCore::touches(const LaneOffer& offer, LaneMask lanes) {
  std::vector<Warp::Touch> all;
  all.reserve(base::lane_count(lanes));
  base::for_each_lane(lanes, [&](unsigned lane) {
    for (const LaneWord& word : words_of(offer.access(), lane))
      all.push_back({lane, word.word, word.value, word.bytes});
  });
  return all;
}

/// Loads are answered when the last of their granules is; stores are performed when all are reserved. An instruction
/// that comes while timestamps roll over waits, and its lanes begin again then.
void GetmCore::access(LaneOffer& offer, LaneMask lanes, base::Cycle now) {
  const unsigned slot = offer.warp().slot;
  WarpState& state = warps_[slot];
  if (state.warp.stopping()) return offer.hold();
  const bool loads = offer.access().kind == isa::AccessKind::load;
  const Access access = loads ? Access::load : Access::store;
  const Warp::Issued issued = state.warp.access(access, touches(offer, lanes));
  if (issued.aborted != 0) {
    lanes &= ~issued.aborted;
    abort(slot, issued.aborted, AbortCause::intra_warp);
  }
  if (lanes != 0) {
    logs().append(slot, loads ? LogKind::read : LogKind::write, (offer.access().stride + word_bytes - 1) / word_bytes);
    const KeptAccesses::Number kept = this->kept().keep(offer, lanes);
    const LaneMask own = loads ? forward(slot, offer, kept, lanes) : 0;
    // A piece for all lanes, which holds the instruction together until everything is asked.
    this->kept().await(kept, lanes);
    offer.keep(lanes);
    if (own != 0) {
      const unsigned lines = logs().search(slot, token(Token::search, slot, kept));
      for (unsigned line = 0; line < lines; ++line) this->kept().await(kept, lanes);
    }
    for (std::size_t i = 0; i < issued.requests.size(); ++i) {
      const auto& request = issued.requests[i];
      Asked asked{kept, issued.lanes[i], {}, {}};
      const std::uint64_t base = request.granule * keys_.machine.granularity;
      asked.line = base::LineAddress(base / place().line_bytes * place().line_bytes);
      base::for_each_lane(asked.lanes, [&](unsigned lane) {
        const std::uint64_t first = std::max(base, offer.access().address[lane]),
                            last = std::min(base + keys_.machine.granularity,
                                            offer.access().address[lane] + offer.access().stride);
        const auto bytes = base::ByteMask::range(static_cast<unsigned>(first - asked.line.value()),
                                                 static_cast<unsigned>(last - first));
        asked.mask |= bytes;
        if (listens() && loads) {
          for (std::uint64_t word = first / word_bytes; word <= (last - 1) / word_bytes; ++word)
            listener_->asked(getm_read_ticket(request.who, request.label), state.attempts[lane], word);
        }
      });
      this->kept().await(kept, asked.lanes);
      send_request(slot, request, asked);
    }
    this->kept().arrived(kept, lanes, now + 1);
  }
  end_if_complete(slot);
}

LaneMask GetmCore::forward(unsigned slot, const LaneOffer& offer, KeptAccesses::Number kept, LaneMask lanes) {
  const Warp& warp = warps_[slot].warp;
  const LaneMask found = put_logged(this->kept(), kept, offer.access(), lanes,
                                    [&warp](unsigned lane, std::uint64_t word) { return warp.logged(lane, word); });
  forwarded_.add(base::lane_count(found));
  return found;
}

void GetmCore::send_request(unsigned slot, const protocols::getm::Request& request, const Asked& asked) {
  WarpState& state = warps_[slot];
  if (request.label >= state.asked.size()) state.asked.resize(request.label + 1);
  state.asked[request.label] = asked;
  Message& message = chain().make_request(MessageClass::control, L1Kind::global);
  set_kind(message, request.access == Access::load ? TransactionKind::load : TransactionKind::store);
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(slot));
  message.line = asked.line;
  message.mask = asked.mask;
  auto& body = models::body<GetmRequestBody>(message);
  body.at = request.at;
  body.who = request.who;
  body.label = request.label;
  body.granule = request.granule;
  body.count = request.count;
  requests_.add();
  chain().send(*this, message, token(Token::request, slot, request.label));
}

void GetmCore::replied(std::uint32_t token, const Message& reply, base::Cycle now) {
  touched();
  const std::uint32_t number = token & ((1U << number_bits) - 1);
  const unsigned slot = token >> number_bits & ((1U << slot_bits) - 1);
  switch (static_cast<Token>(token >> (number_bits + slot_bits))) {
    case Token::request:
      answered(slot, number, reply, now);
      break;
    case Token::log:
      if (--warps_[slot].log_lines == 0) end_if_complete(slot);
      break;
    case Token::committed:
      log_applied(slot, body<GetmLogBody>(reply).who);
      break;
    case Token::search:
      kept().arrived(number, ~LaneMask{0}, now);  // also those whose attempt has ended meanwhile
      break;
    case Token::unit:
      if (--units_told_ == 0) rollover_.units_told();
      break;
  }
  stopped_if_all();
}

void GetmCore::answered(unsigned slot, std::uint32_t label, const Message& reply, base::Cycle now) {
  WarpState& state = warps_[slot];
  const Asked asked = state.asked[label];
  const auto& body = models::body<GetmAnswerBody>(reply);
  Answer answer;
  answer.request.label = label;
  answer.seen = body.seen;
  answer.cause = body.cause;
  const TransactionKind kind = transaction_kind(reply);
  answer.verdict =
      kind == TransactionKind::refused ? protocols::getm::Verdict::refused : protocols::getm::Verdict::done;
  if (body.rolls_over) rollover_.ask();
  const Warp::Served served = state.warp.answered(answer);
  if (served.aborted) {
    kept().arrived(asked.kept, 0, now);
    abort(slot, served.lanes, body.cause);
  } else if (kind == TransactionKind::loaded) {
    if (listens()) tell_values(slot, asked, served.lanes, reply);
    kept().arrived(asked.kept, asked.lanes, reply.line, asked.mask, reply.data, now);
  } else {
    kept().arrived(asked.kept, asked.lanes, now);
  }
  end_if_complete(slot);
}

void GetmCore::tell_values(unsigned slot, const Asked& asked, LaneMask lanes, const Message& reply) {
  each_loaded(kept(), asked.kept, lanes, asked.mask, reply, [&](const protocols::getm::LoggedWord& word) {
    listener_->value(warps_[slot].attempts[word.lane], word.word, word.value, word.bytes);
  });
}

void GetmCore::abort(unsigned slot, LaneMask lanes, AbortCause cause) {
  if (listens())
    base::for_each_lane(lanes & attempt(slot).running,
                        [&](unsigned lane) { listener_->aborted(warps_[slot].attempts[lane]); });
  abort_lanes(slot, lanes, static_cast<std::size_t>(cause) - 1);
}

void GetmCore::arrived(unsigned slot, LaneMask lanes) {
  warps_[slot].warp.finish(lanes);
  end_if_complete(slot);
}

/// The log is read first, to be sent: by then timestamps may roll over.
void GetmCore::end_if_complete(unsigned slot) {
  WarpState& state = warps_[slot];
  if (!attempt(slot).active || !state.warp.complete() || state.log_lines != 0) return;
  if (!std::exchange(state.log_asked, true)) {
    state.log_lines = logs().read_out(slot, LogKind::write, token(Token::log, slot, 0));
    if (state.log_lines != 0) return;
  }
  end(slot);
}

void GetmCore::end(unsigned slot) {
  WarpState& state = warps_[slot];
  state.log_asked = false;
  const unsigned tag = tag_of(state.warp.who());
  const Warp::Ended ended = state.warp.end(
      [this](protocols::getm::Granule granule) { return homes_.home(granule * keys_.machine.granularity).index; });
  Committing& committing = state.committing[tag];
  committing.lanes = ended.committed;
  committing.logs = static_cast<unsigned>(ended.logs.size());
  committing.since = now();
  if (listens()) committing.attempts = state.attempts;
  state.logs += committing.logs;
  if (listens())
    base::for_each_lane(ended.committed, [&](unsigned lane) { listener_->committed(state.attempts[lane]); });
  send_logs(slot, ended);
  if (committing.logs == 0) committed(slot, tag);
  attempt_ended(slot);
}

/// With coalescing a message for each line that the warp has reserved parts of; else one for each lane and granule.
void GetmCore::send_logs(unsigned slot, const Warp::Ended& ended) {
  for (const auto& [partition, entries] : ended.logs) {
    struct Line {
      GetmLogBody body;
      base::LineAddress line;
      base::ByteMask mask;
      base::LineData data{};
    };
    std::vector<Line> lines;
    lines.reserve(entries.size());
    for (const LogEntry& entry : entries) {
      const std::uint64_t at = entry.granule * keys_.machine.granularity;
      const base::LineAddress address(at / place().line_bytes * place().line_bytes);
      const auto known = std::find_if(lines.begin(), lines.end(), [&](const Line& one) { return one.line == address; });
      const bool joins = keys_.machine.coalescing && known != lines.end();
      Line& line = joins ? *known : lines.emplace_back();
      line.line = address;
      line.body.who = entry.who;
      const auto granule = static_cast<std::size_t>((at - address.value()) / keys_.machine.granularity);
      auto& count = entry.commits ? line.body.commits[granule] : line.body.cleans[granule];
      count = static_cast<std::uint16_t>(count + entry.writes);
      for (const auto& word : entry.words) {
        const auto place = static_cast<unsigned>(word.word * word_bytes - address.value());
        for (unsigned byte = 0; byte < word_bytes; ++byte) {
          if ((word.bytes >> byte & 1U) == 0) continue;
          line.mask.set(place + byte, 1);
          line.data[place + byte] = static_cast<std::uint8_t>(word.value >> (8 * byte));
        }
        if (listens())
          listener_->will_write(getm_write_ticket(entry.who, entry.granule), warps_[slot].attempts[word.lane],
                                word.word, word.value, word.bytes);
      }
    }
    for (Line& line : lines) {
      line.body.last = &line == &lines.back();
      send_log(slot, line.body, line.line, line.mask, line.data);
    }
  }
}

void GetmCore::send_log(unsigned slot, const GetmLogBody& log, base::LineAddress line, const base::ByteMask& mask,
                        const base::LineData& data) {
  Message& message = chain().make_request(MessageClass::control, L1Kind::global);
  set_kind(message, TransactionKind::log);
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(slot));
  message.line = line;
  message.mask = mask;
  message.data = data;
  body<GetmLogBody>(message) = log;
  message.posted = !log.last;
  log_messages_.add();
  chain().send(*this, message, token(Token::committed, slot, 0));
}

void GetmCore::log_applied(unsigned slot, std::uint32_t who) {
  WarpState& state = warps_[slot];
  --state.logs;
  if (state.warp.acknowledged(who)) committed(slot, tag_of(who));
}

void GetmCore::committed(unsigned slot, unsigned tag) {
  WarpState& state = warps_[slot];
  Committing& committing = state.committing[tag];
  commit_latency_.sample(now() - committing.since);
  if (listens())
    base::for_each_lane(committing.lanes, [&](unsigned lane) { listener_->ended(committing.attempts[lane]); });
  if (state.logs == 0) issue_->reopen(warp_bit(slot));
  try_again(slot);
}

/// Who has commits under way may compute, and begin its next transaction.
IssueGate::Verdict GetmCore::check(const IssueQuery& query) {
  const WarpState& state = warps_[query.slot];
  if (state.logs == 0 || attempt(query.slot).active) return open;
  switch (query.op->kind) {
    case isa::OpKind::load:
    case isa::OpKind::store:
    case isa::OpKind::atomic:
    case isa::OpKind::barrier:
    case isa::OpKind::fence:
    case isa::OpKind::exit:
    case isa::OpKind::ret:
    case isa::OpKind::trap:
    case isa::OpKind::system_call:
      return 0;
    default:
      return open;
  }
}

void GetmCore::stop() {
  touched();
  stopping_ = true;
  for (WarpState& state : warps_) state.warp.stop();
  stopped_if_all();
}

void GetmCore::stopped_if_all() {
  if (!stopping_ || stop_told_) return;
  for (const WarpState& state : warps_) {
    if (!state.warp.stopped() || state.log_lines != 0) return;
  }
  stop_told_ = true;
  rollover_.core_stopped();
}

void GetmCore::restart() {
  touched();
  stopping_ = stop_told_ = false;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    warps_[slot].log_asked = false;
    if (warps_[slot].warp.restart() != 0) {
      if (listens())
        base::for_each_lane(attempt(slot).running,
                            [&](unsigned lane) { listener_->aborted(warps_[slot].attempts[lane]); });
      give_up(slot, static_cast<std::size_t>(AbortCause::rollover) - 1);
    }
  }
  for (unsigned slot = 0; slot < warps_.size(); ++slot) try_again(slot);
}

void GetmCore::tell_units(TransactionKind what) {
  touched();
  units_told_ = homes_.homes();
  for (unsigned unit = 0; unit < homes_.homes(); ++unit) {
    Message& message = chain().make_request(MessageClass::control, L1Kind::global);
    set_kind(message, what);
    message.line =
        base::LineAddress(homes_.global(home_node(base::PartitionId(static_cast<std::uint16_t>(unit)), gpu_), 0));
    chain().send(*this, message, token(Token::unit, 0, unit));
  }
}

}  // namespace syncline::models
