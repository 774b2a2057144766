#include "platform/observe/access_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <systemc>
#include <utility>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/crossbar/crossbar.h"
#include "models/sm/l1_interface.h"
#include "models/sm/sm.h"

namespace syncline::platform {

using models::CacheController;
using models::CacheStep;
using models::MemoryStep;
using models::Message;
using models::MessageClass;
using models::NodeKind;

namespace {

std::uint64_t present_ps() {
  return sc_core::sc_time_stamp().value();
}

AccessKind kind_of(const Message& reply) {
  switch (models::l1_kind(reply)) {
    case models::L1Kind::local:
      return AccessKind::local;
    case models::L1Kind::constant:
      return AccessKind::constant;
    default:
      break;
  }
  if (reply.message_class == MessageClass::atomic_reply) return AccessKind::atomic;
  return reply.message_class == MessageClass::store_ack ? AccessKind::store : AccessKind::load;
}

bool is_l1(const CacheController& cache) {
  return cache.node().kind == NodeKind::l1;
}

/// What a message waits for in a network, before its turn and behind it.
std::pair<Wait, Wait> in_network(const Message& message) {
  if (message.source.kind != NodeKind::l1) return {Wait::reply_queue, Wait::reply_transfer};
  if (message.destination.kind == NodeKind::l1) return {Wait::peer_queue, Wait::peer_transfer};
  return {Wait::request_queue, Wait::request_transfer};
}

Level level_of(Wait wait) {
  switch (wait) {
    case Wait::sm:
    case Wait::elsewhere:
    case Wait::count_:
      return Level::sm;
    case Wait::l1_queue:
    case Wait::l1_miss:
    case Wait::l1_send:
    case Wait::l1_reply:
    case Wait::l1_return:
      return Level::l1;
    case Wait::peer_queue:
    case Wait::peer_transfer:
      return Level::peer;
    case Wait::memory_queue:
    case Wait::dram_queue:
    case Wait::dram_service:
      return Level::memory;
    default:
      return Level::home;
  }
}

Level level_of(const std::vector<Span>& spans) {
  Level farthest = Level::sm;
  for (const Span& span : spans) farthest = std::max(farthest, level_of(span.wait));
  return farthest;
}

/// An access began when its instruction was issued, also where it went on in the way of another one.
void begin_at(std::vector<Span>& spans, std::uint64_t issued_ps) {
  const auto later = std::upper_bound(spans.begin(), spans.end(), issued_ps,
                                      [](std::uint64_t ps, const Span& span) { return ps < span.from_ps; });
  if (later == spans.begin()) {
    spans.insert(spans.begin(), {Wait::elsewhere, issued_ps});
  } else {
    spans.erase(spans.begin(), later - 1);
    spans.front().from_ps = issued_ps;
  }
}

/// The time of the call is the end of the access: a span that has not lasted is none.
void end_at(std::vector<Span>& spans, std::uint64_t done_ps) {
  if (spans.size() > 1 && spans.back().from_ps == done_ps) spans.pop_back();
}

}  // namespace

std::string_view name(Wait wait) {
  static constexpr std::string_view names[] = {"sm",
                                               "l1_queue",
                                               "l1_miss",
                                               "l1_send",
                                               "request_queue",
                                               "request_transfer",
                                               "peer_queue",
                                               "peer_transfer",
                                               "unit",
                                               "home_queue",
                                               "home_wait",
                                               "line_lock",
                                               "memory_queue",
                                               "dram_queue",
                                               "dram_service",
                                               "atomic_unit",
                                               "home_access",
                                               "reply_queue",
                                               "reply_transfer",
                                               "l1_reply",
                                               "l1_return",
                                               "elsewhere"};
  static_assert(std::size(names) == waits);
  return names[static_cast<std::size_t>(wait)];
}

std::string_view name(AccessKind kind) {
  static constexpr std::string_view names[] = {"load", "store", "atomic", "local", "constant"};
  static_assert(std::size(names) == access_kinds);
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(Level level) {
  static constexpr std::string_view names[] = {"sm", "l1", "peer", "home", "memory"};
  static_assert(std::size(names) == levels);
  return names[static_cast<std::size_t>(level)];
}

std::array<std::uint64_t, waits> AccessTime::by_wait() const {
  std::array<std::uint64_t, waits> sums{};
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::uint64_t until = i + 1 == spans.size() ? done_ps : spans[i + 1].from_ps;
    sums[static_cast<std::size_t>(spans[i].wait)] += until - spans[i].from_ps;
  }
  return sums;
}

/// Arrivals are told ahead of time, so that what is told of a message before it has arrived happens when it has.
void AccessTimes::Way::enter(Wait wait, std::uint64_t at_ps) {
  if (!spans.empty()) {
    Span& last = spans.back();
    at_ps = std::max(at_ps, last.from_ps);
    if (last.wait == wait) return;
    if (last.from_ps == at_ps && spans.size() > 1) spans.pop_back();
    if (spans.back().wait == wait) return;
  }
  spans.push_back({wait, at_ps});
}

AccessTimes::Place AccessTimes::place_of(const models::Block& block) {
  const auto [found, is_new] = places_.try_emplace(&block, Place::other);
  if (!is_new) return found->second;
  if (dynamic_cast<const models::Sm*>(&block) != nullptr) found->second = Place::sm;
  if (dynamic_cast<const models::Crossbar*>(&block) != nullptr) found->second = Place::network;
  if (const auto* const cache = dynamic_cast<const CacheController*>(&block))
    found->second = is_l1(*cache) ? Place::l1 : Place::home;
  return found->second;
}

void AccessTimes::requested(const Message& request, const models::LineAccess& access) {
  ways_[&request] = {Place::sm, {{Wait::sm, access.issued_ps}}, nullptr};
}

void AccessTimes::made(const Message& message, const CacheController& by, const Message* cause) {
  Way way;
  if (cause != nullptr) {
    if (const auto found = ways_.find(cause); found != ways_.end()) way = found->second;
  }
  way.place = is_l1(by) ? Place::l1 : Place::home;
  way.parked_at = nullptr;
  way.enter(is_l1(by) ? Wait::l1_send : Wait::home_access, present_ps());
  ways_[&message] = std::move(way);
}

void AccessTimes::sent(const Message& message, const models::Block& to, std::uint64_t arrival_ps) {
  Way& way = ways_[&message];
  const Place from = way.place;
  way.place = place_of(to);
  if (from == Place::network) way.enter(in_network(message).second, present_ps());
  const bool comes_from_sm = message.source.kind == NodeKind::none;
  switch (way.place) {
    case Place::sm:
      return way.enter(Wait::l1_return, arrival_ps);
    case Place::l1:
      return way.enter(comes_from_sm ? Wait::l1_queue : Wait::l1_reply, arrival_ps);
    case Place::home:
      return way.enter(Wait::home_queue, arrival_ps);
    case Place::network:
      return way.enter(in_network(message).first, arrival_ps);
    case Place::other:
      return way.enter(Wait::unit, arrival_ps);
  }
}

void AccessTimes::step(const Message& message, CacheStep step, const CacheController& at, const Message* cause) {
  const auto found = ways_.find(&message);
  if (found == ways_.end()) return;
  Way& way = found->second;
  if (way.parked_at != nullptr) leave_home(message, way);
  switch (step) {
    case CacheStep::parked:
      if (!is_l1(at)) return park_at_home(message, at);
      return way.enter(Wait::l1_miss, present_ps());
    case CacheStep::shut_out:
      return way.enter(Wait::line_lock, present_ps());
    case CacheStep::released:
      if (!is_l1(at)) return way.enter(Wait::home_wait, present_ps());
      if (cause != nullptr) share(way, *cause);
      return way.enter(Wait::l1_queue, present_ps());
    case CacheStep::goes_up:
      return way.enter(is_l1(at) ? Wait::l1_return : Wait::home_access, present_ps());
    case CacheStep::goes_down:
      return way.enter(is_l1(at) ? Wait::l1_send : Wait::home_access, present_ps());
  }
}

/// The wait in the miss register has been that of what was under way, as soon as anything was.
void AccessTimes::share(Way& way, const Message& cause) {
  const auto found = ways_.find(&cause);
  if (found == ways_.end() || &found->second == &way || way.spans.back().wait != Wait::l1_miss) return;
  const std::uint64_t parked_ps = way.spans.back().from_ps;
  const std::vector<Span>& other = found->second.spans;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const bool is_over = i + 1 < other.size() && other[i + 1].from_ps <= parked_ps;
    if (!is_over) way.enter(other[i].wait, other[i].from_ps);
  }
}

void AccessTimes::in_atomic_unit(const Message& message, const CacheController&, std::uint64_t until_ps) {
  const auto found = ways_.find(&message);
  if (found == ways_.end()) return;
  found->second.enter(Wait::atomic_unit, present_ps());
  if (until_ps != 0) found->second.enter(Wait::home_access, until_ps);
}

void AccessTimes::park_at_home(const Message& message, const CacheController& home) {
  Read& read = reads_[{&home, message.line.value()}];
  read.waiting.push_back(&message);
  Way& way = ways_[&message];
  way.parked_at = &home;
  way.enter(read.wait, present_ps());
}

void AccessTimes::leave_home(const Message& message, Way& way) {
  const auto found = reads_.find({std::exchange(way.parked_at, nullptr), message.line.value()});
  std::vector<const Message*>& waiting = found->second.waiting;
  waiting.erase(std::remove(waiting.begin(), waiting.end(), &message), waiting.end());
  if (waiting.empty() && found->second.wait == Wait::home_wait) reads_.erase(found);
}

void AccessTimes::memory_read(base::LineAddress line, MemoryStep step, const CacheController& home) {
  static constexpr Wait during[] = {Wait::memory_queue, Wait::dram_queue, Wait::dram_service, Wait::home_wait};
  Read& read = reads_[{&home, line.value()}];
  read.wait = during[static_cast<std::size_t>(step)];
  for (const Message* const message : read.waiting) ways_[message].enter(read.wait, present_ps());
  if (read.waiting.empty() && read.wait == Wait::home_wait) reads_.erase({&home, line.value()});
}

void AccessTimes::completed(const Message& reply, const models::LineAccess& access) {
  Way& way = ways_[&reply];
  const std::uint64_t now = present_ps();
  if (!way.spans.empty() && way.spans.back().from_ps > now)
    throw base::ModelError(fmt::format("the account of an access to line {:#x} goes beyond its end by {} ps",
                                       reply.line.value(), way.spans.back().from_ps - now));
  begin_at(way.spans, access.issued_ps);
  end_at(way.spans, now);
  const AccessTime time{++accesses_, kind_of(reply), level_of(way.spans), reply.requester.place.gpu, access.warp,
                        access.pc,   access.order,   reply.line,          access.issued_ps,          now,
                        way.spans};
  for (const Hear& hear : listeners_) hear(time);
}

void AccessTimes::ended(const Message& message) {
  const auto found = ways_.find(&message);
  if (found == ways_.end()) return;
  if (found->second.parked_at != nullptr) leave_home(message, found->second);
  ways_.erase(found);
}

}  // namespace syncline::platform
