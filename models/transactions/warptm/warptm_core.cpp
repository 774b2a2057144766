#include "models/transactions/warptm/warptm_core.h"

#include <algorithm>
#include <utility>

#include "models/clock/turn.h"
#include "models/transactions/lane_words.h"
#include "models/transactions/logged_bytes.h"

namespace syncline::models {

using base::LaneMask;
using protocols::warptm::AbortCause;
using protocols::warptm::Access;
using protocols::warptm::IntraWarp;
using protocols::warptm::Packet;

namespace {

/// Names of statistics, by AbortCause without `none`.
std::vector<std::string_view> causes() {
  return {"validation", "intra_warp", "early", "eager"};
}

Access access_of(const LaneOffer& offer) {
  return offer.access().kind == isa::AccessKind::load ? Access::load : Access::store;
}

}  // namespace

WarptmCore::WarptmCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
                       const WarptmKeys& keys, const TransactionPlace& place, std::uint32_t first_warp,
                       const HomeMap& homes, WarptmShared& shared, GpuPlace gpu)
    : TransactionCore(name, context, core, keys.core, place, causes()),
      keys_(keys),
      homes_(homes),
      gpu_(gpu),
      shared_(shared),
      listener_(context.transactions_of(gpu)),
      conflicts_(keys.machine),
      listening_(homes.homes()) {
  for (unsigned slot = 0; slot < place.slots; ++slot) warps_.emplace_back(keys_.machine, first_warp + slot);
  for (WarpState& state : warps_) state.attempts.resize(base::max_lanes);
  shared_.add(*this);
  statistic("forwarded", "loads", "of lanes that found bytes in their own log", forwarded_);
  statistic("silent", "transactions", "of lanes that committed without validation", silent_);
  statistic("paused", "transactions", "of lanes, each time that one waited for a word in validation", paused_);
  statistic("log_messages", "messages", "to commit units, without ends of logs", log_messages_);
  statistic("commit_latency", "cycles", "from the end of the last lane until what commits stands in memory",
            commit_latency_);
  statistic("read_words", "words", "of an attempt's read log that is sent", read_words_);
  statistic("written_words", "words", "of an attempt's write log that is sent", written_words_);
}

void WarptmCore::begin(unsigned slot, LaneMask lanes) {
  WarpState& state = warps_[slot];
  state.warp.begin(lanes);
  if (listens())
    base::for_each_lane(lanes, [&](unsigned lane) { state.attempts[lane] = listener_->begun(identity(slot), lane); });
  ++active_;
  if (keys_.machine.tells_cores()) listen();
  if (keys_.units.watchdog == 0) return;
  state.watched_at = now() + keys_.units.watchdog;
  wake(state.watched_at);
}

/// Lanes of which a word is in validation for another warp.
LaneMask WarptmCore::paused(const LaneOffer& offer, LaneMask lanes) const {
  LaneMask found = 0;
  if (!keys_.machine.pause_and_go) return found;
  base::for_each_lane(lanes, [&](unsigned lane) {
    for (const LaneWord& word : words_of(offer.access(), lane)) {
      if (conflicts_.conflicts(access_of(offer), word.word)) found |= base::lane_bit(lane);
    }
  });
  return found;
}

/// Lanes that come to a word after somebody else.
LaneMask WarptmCore::conflicting(const LaneOffer& offer, LaneMask lanes) {
  LaneMask found = 0;
  if (!keys_.machine.eager) return found;
  const unsigned slot = offer.warp().slot;
  base::for_each_lane(lanes, [&](unsigned lane) {
    for (const LaneWord& word : words_of(offer.access(), lane)) {
      if (shared_.running().access(access_of(offer), word.word, {warps_[slot].warp.number(), lane})) continue;
      shared_.running().release({warps_[slot].warp.number(), lane});  // at once: others of the warp may go on
      found |= base::lane_bit(lane);
      return;
    }
  });
  return found;
}

void WarptmCore::access(LaneOffer& offer, LaneMask lanes, base::Cycle now) {
  const unsigned slot = offer.warp().slot;
  WarpState& state = warps_[slot];
  if (const LaneMask waits = paused(offer, lanes); waits != 0) {
    paused_.add(base::lane_count(waits & ~state.held));
    state.held = waits;
    lanes &= ~waits;
    offer.hold();
  } else {
    state.held = 0;
  }
  if (const LaneMask late = conflicting(offer, lanes); late != 0) {
    abort(slot, late, AbortCause::eager);
    lanes &= ~late;
  }
  if (lanes != 0) {
    const bool loads = access_of(offer) == Access::load;
    logs().append(slot, loads ? LogKind::read : LogKind::write, (offer.access().stride + word_bytes - 1) / word_bytes);
    if (loads) {
      load(offer, lanes, now);
    } else {
      base::for_each_lane(lanes, [&](unsigned lane) {
        for (const LaneWord& word : words_of(offer.access(), lane))
          state.warp.store({word.word, word.value, word.bytes, static_cast<std::uint8_t>(lane)});
      });
      offer.answer(lanes, nullptr, now + 1);
    }
  }
  walk_if_complete(slot);
}

/// What lanes do not find in their own logs is read line by line.
void WarptmCore::load(LaneOffer& offer, LaneMask lanes, base::Cycle now) {
  const unsigned slot = offer.warp().slot;
  WarpState& state = warps_[slot];
  const isa::MemoryAccess& accessed = offer.access();
  const KeptAccesses::Number kept = this->kept().keep(offer, lanes);
  const LaneMask own = put_logged(this->kept(), kept, accessed, lanes, [&state](unsigned lane, std::uint64_t word) {
    return state.warp.logged(lane, word);
  });
  forwarded_.add(base::lane_count(own));
  // A piece for all lanes, which holds the instruction together until everything is asked.
  this->kept().await(kept, lanes);
  offer.keep(lanes);
  if (own != 0) {
    const unsigned lines = logs().search(slot, token(Token::search, slot, kept));
    for (unsigned line = 0; line < lines; ++line) this->kept().await(kept, lanes);
  }
  std::vector<std::pair<Asked, TransactionListener::Ticket>> lines;
  base::for_each_lane(lanes, [&](unsigned lane) {
    for (const LaneWord& word : words_of(accessed, lane)) {
      const std::uint8_t missing = state.warp.missing({word.word, 0, word.bytes, static_cast<std::uint8_t>(lane)});
      if (missing == 0) continue;
      state.warp.asks(lane, now_ps());
      const std::uint64_t at = word.word * word_bytes;
      const base::LineAddress address(at / place().line_bytes * place().line_bytes);
      auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return one.first.line == address; });
      if (line == lines.end()) {
        lines.push_back({{kept, 0, {}, address}, listens() ? shared_.next_read() : 0});
        line = lines.end() - 1;
      }
      line->first.lanes |= base::lane_bit(lane);
      for (unsigned byte = 0; byte < word_bytes; ++byte) {
        if ((missing >> byte & 1U) != 0) line->first.mask.set(static_cast<unsigned>(at - address.value()) + byte, 1);
      }
      if (listens()) listener_->asked(line->second, state.attempts[lane], word.word);
    }
  });
  for (const auto& [asked, told] : lines) {
    this->kept().await(kept, asked.lanes);
    ask(slot, asked, told);
  }
  this->kept().arrived(kept, lanes, now + 1);
}

void WarptmCore::ask(unsigned slot, const Asked& asked, TransactionListener::Ticket told) {
  const std::uint32_t number = asked_.take();
  asked_[number] = asked;
  ++warps_[slot].loads;
  Message& message = chain().make_request(MessageClass::control, L1Kind::global);
  set_kind(message, TransactionKind::read);
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(slot));
  message.line = asked.line;
  message.mask = asked.mask;
  body<WarptmReadBody>(message).told = told;
  chain().send(*this, message, token(Token::words, slot, number));
}

void WarptmCore::replied(std::uint32_t token, const Message& reply, base::Cycle now) {
  touched();
  const std::uint32_t number = token & ((1U << number_bits) - 1);
  const unsigned slot = token >> number_bits & ((1U << slot_bits) - 1);
  switch (static_cast<Token>(token >> (number_bits + slot_bits))) {
    case Token::words:
      loaded(slot, number, reply, now);
      break;
    case Token::log:
      --warps_[slot].log_lines;
      break;
    case Token::search:
      kept().arrived(number, ~LaneMask{0}, now);  // also those whose attempt has ended meanwhile
      break;
    case Token::validated:
      validated(slot, reply);
      break;
    case Token::written:
      warps_[slot].warp.drained(body<WarptmTicketBody>(reply).ticket);
      end_if_done(slot);
      break;
    case Token::hint:
      hear(number, reply);
      break;
  }
  if (attempt(slot).active) walk_if_complete(slot);
}

void WarptmCore::loaded(unsigned slot, std::uint32_t number, const Message& reply, base::Cycle now) {
  WarpState& state = warps_[slot];
  const Asked asked = asked_[number];
  asked_.release(number);
  --state.loads;
  const protocols::warptm::Time written = body<WarptmWordsBody>(reply).written;
  each_loaded(kept(), asked.kept, asked.lanes & state.warp.live(), asked.mask, reply, [&](const LoggedWord& word) {
    state.warp.loaded(word, written);
    if (listens()) listener_->value(state.attempts[word.lane], word.word, word.value, word.bytes);
  });
  kept().arrived(asked.kept, asked.lanes, reply.line, asked.mask, reply.data, now);
}

void WarptmCore::abort(unsigned slot, LaneMask lanes, AbortCause cause) {
  WarpState& state = warps_[slot];
  lanes &= attempt(slot).running;
  base::for_each_lane(lanes, [&](unsigned lane) {
    if (listens()) listener_->aborted(state.attempts[lane]);
    if (keys_.machine.eager) shared_.running().release({state.warp.number(), lane});
  });
  if (state.warp.walk() == Warp::Walk::running) state.warp.abort(lanes);
  abort_lanes(slot, lanes, static_cast<std::size_t>(cause) - 1);
}

void WarptmCore::arrived(unsigned slot, LaneMask lanes) {
  warps_[slot].warp.finish(lanes);
  walk_if_complete(slot);
}

/// The logs are read first: to be resolved, and to be sent.
void WarptmCore::walk_if_complete(unsigned slot) {
  WarpState& state = warps_[slot];
  if (state.step == Step::none) {
    if (!attempt(slot).active || !state.warp.complete() || state.loads != 0) return;
    state.step = Step::read_logs;
    state.since = now();
    for (const LogKind kind : {LogKind::read, LogKind::write})
      state.log_lines += logs().read_out(slot, kind, token(Token::log, slot, 0));
  }
  if (state.step != Step::read_logs || state.log_lines != 0) return;
  state.step = Step::resolve;
  state.resolved_at = now() + intra_warp_cycles(slot);
  wake(std::max(state.resolved_at, now() + 1));
}

/// Two-phase resolution clears its table, 32 words of shared memory a cycle, and looks at each line of the logs.
base::Cycle WarptmCore::intra_warp_cycles(unsigned slot) const {
  const auto& machine = keys_.machine;
  if (!keys_.units.intra_warp_time || machine.intra_warp == IntraWarp::none) return 0;
  constexpr unsigned cleared = 32 * word_bytes;
  const auto& log = warps_[slot].warp;
  return machine.ownership_entries / cleared + 2 * log.written_lines() + log.read_lines();
}

base::Cycle WarptmCore::go_on(base::Cycle now) {
  base::Cycle next = base::never;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    WarpState& state = warps_[slot];
    if (state.step == Step::resolve) {
      if (state.resolved_at <= now)
        resolve(slot);
      else
        next = std::min(next, state.resolved_at);
    }
    if (state.step == Step::acquire) acquire(slot);
    next = std::min(next, watch(slot, now));
  }
  return next;
}

void WarptmCore::resolve(unsigned slot) {
  WarpState& state = warps_[slot];
  const Warp::Resolved resolved = state.warp.resolve(&conflicts_);
  abort(slot, resolved.intra_warp, AbortCause::intra_warp);
  abort(slot, resolved.early, AbortCause::early);
  silent_.add(base::lane_count(resolved.silent));
  if (listens())
    base::for_each_lane(resolved.silent, [&](unsigned lane) { listener_->committed(state.attempts[lane]); });
  state.step = state.warp.done() ? Step::none : Step::acquire;
  end_if_done(slot);
}

void WarptmCore::acquire(unsigned slot) {
  WarpState& state = warps_[slot];
  state.ids = state.warp.wants();
  if (!shared_.may_take(state.ids)) {
    wants_tickets_ = true;
    return;
  }
  state.step = Step::none;
  state.first = shared_.take(state.ids);
  const auto home = [this](std::uint64_t word) { return homes_.home(word * word_bytes).index; };
  std::size_t reads = 0, writes = 0;
  for (const auto& [partition, packet] : state.warp.send(state.first, homes_.homes(), home)) {
    reads += packet.reads.size();
    writes += packet.writes.size();
    send(slot, partition, packet);
  }
  read_words_.sample(reads);
  written_words_.sample(writes);
}

void WarptmCore::tickets_are_free() {
  if (!std::exchange(wants_tickets_, false)) return;
  touched();
  wake(now() + 1);
}

void WarptmCore::send(unsigned slot, unsigned partition, const Packet& packet) {
  if (packet.skip) return send_ticket(slot, partition, TransactionKind::no_log, {packet.ticket, 0}, Token::log, true);
  send_words(slot, partition, TransactionKind::read_set, packet.ticket, packet.reads);
  send_words(slot, partition, TransactionKind::write_set, packet.ticket, packet.writes);
  if (packet.last) send_ticket(slot, partition, TransactionKind::log_end, {packet.ticket, 0}, Token::validated, false);
}

void WarptmCore::send_words(unsigned slot, unsigned partition, TransactionKind kind, protocols::warptm::Ticket ticket,
                            const std::vector<LoggedWord>& words) {
  const std::size_t most = place().line_bytes / WarptmLogBody::entry_bytes;
  for (std::size_t first = 0; first < words.size(); first += most) {
    Message& message = make(slot, partition, kind);
    body<WarptmLogBody>(message).ticket = static_cast<std::uint32_t>(ticket);
    for (std::size_t n = first; n < std::min(first + most, words.size()); ++n)
      put_word(message, static_cast<unsigned>(n - first), words[n]);
    message.posted = true;
    log_messages_.add();
    chain().send(*this, message, 0);
  }
}

/// About no line in particular; the first of the partition finds the way.
Message& WarptmCore::make(unsigned slot, unsigned partition, TransactionKind kind) {
  Message& message = chain().make_request(MessageClass::control, L1Kind::global);
  set_kind(message, kind);
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(slot));
  message.line =
      base::LineAddress(homes_.global(home_node(base::PartitionId(static_cast<std::uint16_t>(partition)), gpu_), 0));
  return message;
}

void WarptmCore::send_ticket(unsigned slot, unsigned partition, TransactionKind kind, const WarptmTicketBody& ticket,
                             Token answer, bool posted) {
  Message& message = make(slot, partition, kind);
  body<WarptmTicketBody>(message) = ticket;
  message.posted = posted;
  chain().send(*this, message, token(answer, slot, 0));
}

void WarptmCore::validated(unsigned slot, const Message& reply) {
  WarpState& state = warps_[slot];
  const auto& body = models::body<WarptmTicketBody>(reply);
  const auto outcomes = state.warp.replied({body.ticket, state.warp.number(), body.lanes});
  if (!outcomes) return;
  const LaneMask commits = outcomes->outcome.commits;
  abort(slot, state.warp.aborted(), AbortCause::validation);
  if (listens()) tell_commit(slot, body.ticket, commits);
  for (const auto& [partition, writes] : outcomes->to)
    send_ticket(slot, partition, TransactionKind::outcome, {body.ticket, commits}, Token::written, !writes);
  end_if_done(slot);
}

void WarptmCore::tell_commit(unsigned slot, protocols::warptm::Ticket ticket, LaneMask lanes) {
  const WarpState& state = warps_[slot];
  base::for_each_lane(lanes, [&](unsigned lane) { listener_->committed(state.attempts[lane]); });
  for (const LoggedWord& word : state.warp.writes()) {
    if (base::has_lane(lanes, word.lane))
      listener_->will_write(warptm_write_ticket(ticket, word.word), state.attempts[word.lane], word.word, word.value,
                            word.bytes);
  }
}

void WarptmCore::end_if_done(unsigned slot) {
  WarpState& state = warps_[slot];
  if (!state.warp.done()) return;
  const LaneMask lanes = state.warp.lanes();
  const Warp::Ended ended = state.warp.end();
  commit_latency_.sample(now() - state.since);
  if (listens()) base::for_each_lane(ended.committed, [&](unsigned lane) { listener_->ended(state.attempts[lane]); });
  for (; state.ids != 0; --state.ids) shared_.over(state.first + state.ids - 1);
  if (keys_.machine.eager)
    base::for_each_lane(lanes, [&](unsigned lane) { shared_.running().release({state.warp.number(), lane}); });
  if (--active_ == 0 && keys_.machine.tells_cores()) stop_listening();
  attempt_ended(slot);
}

/// A unit answers when it has something to tell, or when nobody wants to know any more. That it is asked is not a part
/// of the machine, and costs nothing.
void WarptmCore::listen() {
  for (unsigned unit = 0; unit < homes_.homes(); ++unit) {
    if (listening_[unit]) continue;
    listening_[unit] = true;
    Message& message = make(0, unit, TransactionKind::listen);
    message.ideal = true;
    chain().send(*this, message, token(Token::hint, 0, unit));
  }
}

void WarptmCore::stop_listening() {
  for (unsigned unit = 0; unit < homes_.homes(); ++unit) {
    if (!listening_[unit]) continue;
    Message& message = make(0, unit, TransactionKind::listen);
    message.ideal = message.posted = true;
    chain().send(*this, message, 0);
  }
}

void WarptmCore::hear(unsigned unit, const Message& hint) {
  conflicts_.apply(broadcast_of(hint));
  listening_[unit] = false;
  if (active_ != 0) listen();
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    if (std::exchange(warps_[slot].held, 0) != 0) chain().retry(slot);
  }
}

}  // namespace syncline::models
