#include "models/cache/cache_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/links/atomic_unit_link.h"
#include "models/cache/links/client_link.h"
#include "models/cache/links/core_link.h"
#include "models/cache/links/home_link.h"
#include "models/cache/links/home_memory_link.h"
#include "models/cache/links/peer_link.h"
#include "models/cache/links/ring_link.h"
#include "models/cache/translate.h"

namespace syncline::models {

using protocols::Action;
using protocols::ActionKind;
using protocols::Needs;

namespace {
const ModulePlaces* places_of(const protocols::CoherencePolicy& policy, const HomeMap& homes) {
  if (!policy.of_modules) return nullptr;
  if (homes.places() == nullptr)
    throw base::ModelError(
        fmt::format("policy `{}` is of several modules, and the home map knows of none", policy.name));
  return homes.places();
}

std::vector<std::unique_ptr<protocols::Machine>> make_machines(const protocols::CoherencePolicy& policy,
                                                               const std::vector<protocols::Role>& roles) {
  std::vector<std::unique_ptr<protocols::Machine>> machines;
  machines.reserve(roles.size());
  for (const protocols::Role& role : roles) machines.push_back(policy.make(role));
  return machines;
}

const protocols::Role& role_at(Standing standing) {
  switch (standing) {
    case Standing::gpu_home:
      return protocols::Role::gpu_home;
    case Standing::gpm:
      return protocols::Role::gpm;
    default:
      return protocols::Role::home;
  }
}
}  // namespace

CacheController::CacheController(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                                 const Spec& spec, const protocols::CoherencePolicy& policy, const HomeMap& homes)
    : Block(name, context),
      line_events("line_events"),
      policy_(policy),
      role_(policy.at(spec.roles.front())),
      node_(spec.node),
      line_bytes_(spec.geometry.line_bytes),
      line_shift_(static_cast<unsigned>(__builtin_ctz(line_bytes_))),
      homes_(homes),
      places_(places_of(policy, homes)),
      module_(places_ != nullptr ? places_->module(node_) : 0),
      listener_(message_listener()),
      lines_(*this, geometry_of(spec), make_machines(policy, spec.roles),
             base::Random(context.seed, prefix(spec.node.place) + spec.random_stream, spec.node.index)),
      sent_(context.journal, policy, this->name()) {
  for (std::size_t standing = 0; standing < role_of_standing_.size(); ++standing) {
    const auto found = std::find(spec.roles.begin(), spec.roles.end(), role_at(static_cast<Standing>(standing)));
    if (found != spec.roles.end()) role_of_standing_[standing] = static_cast<std::uint8_t>(found - spec.roles.begin());
  }
  clock.add(*this, spec.rank, this->name());
}

CoherentLines::Geometry CacheController::geometry_of(const Spec& spec) const {
  CoherentLines::Geometry geometry = spec.geometry;
  geometry.directory = role_.directory;
  if (places_ != nullptr && spec.roles.size() > 1) geometry.node = static_cast<std::uint16_t>(module_);
  return geometry;
}

CacheController::~CacheController() = default;

base::Cycle CacheController::tick(base::Cycle now) {
  now_ = now;
  now_ps_ = clock()->ps_of(now);
  const CacheLinks& l = links_;
  drain();
  if (retry_ps_ <= now_ps_) {
    changed_ = true;
    retry_ps_ = protocols::Machine::never;
  }
  base::Cycle next = base::never;
  if (l.ring != nullptr) next = l.ring->take();
  if (l.memory != nullptr) next = std::min(next, l.memory->take());
  if (l.atomics != nullptr) next = std::min(next, l.atomics->take());
  next = std::min(next, fire_timers());
  if (l.core != nullptr) next = std::min(next, l.core->answer_fences());
  if (l.homes != nullptr) next = std::min(next, l.homes->take());
  if (l.core != nullptr) next = std::min(next, l.core->take());
  if (l.clients != nullptr) next = std::min(next, l.clients->take());
  if (l.memory != nullptr) l.memory->port.issue();
  if (l.atomics != nullptr) l.atomics->port.issue();
  changed_ = l.clients != nullptr && l.clients->looked_up();
  next = std::min(next, drain());
  next = std::min(next, std::max(clock()->cycle_at_or_after_ps(retry_ps_), now + 1));
  if (!changed_) return next;
  const bool anybody_stalls = (l.core != nullptr && l.core->stalls()) || (l.homes != nullptr && l.homes->stalls()) ||
                              (l.clients != nullptr && l.clients->stalls());
  return anybody_stalls ? now + 1 : next;
}

base::Cycle CacheController::fire_timers() {
  return std::max(clock()->cycle_at_or_after_ps(lines_.fire_timers(changed_)), now_ + 1);
}

base::Cycle CacheController::drain() {
  if (waiting_ == 0) return base::never;
  const CacheLinks& l = links_;
  const auto send_waiting = [this](Outbox& outbox) {
    const std::size_t queued = outbox.size();
    if (queued == 0) return base::never;
    const base::Cycle next = outbox.drain(now_);
    if (outbox.size() != queued) changed_ = true;
    return next;
  };
  base::Cycle next = base::never;
  if (l.homes != nullptr) next = send_waiting(l.homes->outbox());
  if (l.peers != nullptr) next = std::min(next, send_waiting(l.peers->outbox()));
  if (l.clients != nullptr) next = std::min(next, send_waiting(l.clients->outbox()));
  return next;
}

StallReason CacheController::stall_reason(const protocols::Transition& transition, const Lookup& lookup,
                                          const Request& request) {
  if (places_ != nullptr) return stall_between_modules(transition, lookup, request);
  const CacheLinks& l = links_;
  // A cache between must not keep a reply from going up because its requests cannot go down.
  const bool between = l.homes != nullptr && l.clients != nullptr;
  const unsigned down = between ? transition.to_homes : transition.networks;
  const unsigned up = between ? transition.to_others : transition.networks;
  if (l.homes != nullptr) {
    if ((transition.needs & Needs::forwarding) != 0 && l.homes->handles().full()) return StallReason::handles_full;
    if (!l.homes->room(down)) return StallReason::output_full;
  }
  if (l.peers != nullptr && !l.peers->room(up)) return StallReason::output_full;
  if (l.clients != nullptr && !l.clients->room(up)) return StallReason::output_full;
  if (l.memory != nullptr && (transition.needs & Needs::memory) != 0 && !l.memory->port.room())
    return StallReason::memory_full;
  return StallReason::none;
}

/// To each virtual network by itself: an answer must find its way to those nearer while requests cannot leave, and
/// so on (CoherencePolicy::Span). What concerns no line needs no room: who asks has one question under way, so what
/// comes of it is bounded, and none of it may have to wait for answers of its kind.
StallReason CacheController::stall_between_modules(const protocols::Transition& transition, const Lookup& lookup,
                                                   const Request& request) const {
  using Span = protocols::CoherencePolicy::Span;
  if (request.of_node) return StallReason::none;
  const CacheLinks& l = links_;
  if ((transition.needs & Needs::memory) != 0 && l.memory != nullptr && !l.memory->port.room())
    return StallReason::memory_full;
  if ((transition.needs & (Needs::sending | Needs::forwarding)) == 0) return StallReason::none;
  const protocols::Vocabulary& words = lines_.machines()[lookup.role]->table().vocabulary();
  for (const protocols::Code code : transition.row.actions) {
    const protocols::ActionName& name = words.actions[code];
    if ((name.needs & (Needs::sending | Needs::forwarding)) == 0) continue;
    const unsigned network = policy_.messages[name.message].network;
    const auto bit = [&](Span span) { return 1U << policy_.virtual_network(network, span); };
    bool room = true;
    if (name.to_modules)  // of a home of a GPU: to its own modules
      room = l.clients->room(bit(Span::within_gpu) | (lookup.role == 0 ? bit(Span::between_gpus) : 0));
    else if (name.asks == ActionKind::answer && l.clients != nullptr)
      room = l.clients->room(bit(places_->span(node_, request.message->source)));
    else if (name.asks == ActionKind::deliver)
      room = l.clients->room(bit(places_->span(node_, l.homes->client_of(*request.message))));
    else if ((name.needs & Needs::forwarding) != 0 && !l.homes->has_handle(lookup.role))
      return StallReason::handles_full;
    else
      room = l.homes->room(bit(places_->span(node_, home_of(lookup.line))));
    if (!room) return StallReason::output_full;
  }
  return StallReason::none;
}

protocols::Stimulus CacheController::stimulus_of(const Message& message) const {
  protocols::Stimulus stimulus = models::stimulus_of(message);
  if (places_ == nullptr) return stimulus;
  const auto number = [this](const NodeId& node) {
    return static_cast<std::uint16_t>(node.kind == NodeKind::l1 ? places_->l1_number(node) : places_->module(node));
  };
  stimulus.sender = number(message.source);
  stimulus.requester = number(message.requester);
  stimulus.local = message.source.kind == NodeKind::l1;
  stimulus.module = static_cast<std::uint16_t>(places_->module(message.requester));
  return stimulus;
}

void CacheController::execute(const Action& action, const Lookup& lookup, Request& request) {
  const CacheLinks& l = links_;
  switch (action.kind) {
    case ActionKind::answer:
      if (l.core != nullptr) return l.core->answer(lookup, request);
      if (l.clients != nullptr) return l.clients->answer(action, lookup, request);
      lacks("above");
    case ActionKind::write:
      if (l.core != nullptr) return l.core->write(action, lookup, request);
      if (l.clients != nullptr) return l.clients->write(action, lookup, request);
      lacks("above");
    case ActionKind::forward:
      if (l.homes == nullptr) lacks("to homes");
      return l.homes->forward(action, request);
    case ActionKind::deliver:
      if (l.homes == nullptr) lacks("to homes");
      return l.homes->deliver(action, request);
    case ActionKind::send:
      return send(action, request);
    case ActionKind::write_on:
      if (l.homes == nullptr) lacks("to homes");
      cause_ = request.message;
      return l.homes->write_on(action, lookup, request);
    case ActionKind::write_back:
      return write_back(action, lookup, request);
    case ActionKind::fetch:
      if (l.memory == nullptr) lacks("to memory");
      return l.memory->fetch(lookup);
    case ActionKind::pass_on:
      if (l.ring == nullptr) lacks("in a ring of homes");
      cause_ = request.message;
      return l.ring->pass_on(action);
    default:
      throw base::ModelError(fmt::format("{}: the machine of `{}` asks for what no link does", name(), policy_.name));
  }
}

/// To nobody in particular: to the home.
void CacheController::send(const Action& action, const Request& request) {
  cause_ = request.message;
  const CacheLinks& l = links_;
  if (action.to_modules) return l.clients->send_to_modules(action, request);
  if (!action.nodes.empty() || l.homes == nullptr) {
    if (l.clients != nullptr) return l.clients->send(action, request);
    if (l.peers == nullptr) lacks("to other L1s");
    return l.peers->send(action, request);
  }
  l.homes->send(action, request);
}

void CacheController::write_back(const Action& action, const Lookup& lookup, const Request& request) {
  cause_ = request.message;
  const CacheLinks& l = links_;
  if (l.memory != nullptr) return l.memory->write_back(lookup);
  if (l.homes == nullptr) lacks("below");
  l.homes->write_back(action, lookup, request);
}

void CacheController::answer_parked(Message& message, base::Cycle since, const Request& request) {
  if (links_.core == nullptr)
    throw base::ModelError(
        fmt::format("{}: a home replays what waits for a line; it does not answer it at once", name()));
  links_.core->answer_parked(message, since, request);
}

void CacheController::filled(const Lookup& lookup, const Request& request) {
  if (links_.core != nullptr) return links_.core->filled(lookup, request);
  if (!lookup.is_copy() || !line_events.watched()) return;
  const auto all = base::ByteMask::all(line_bytes_);
  line_events.write(
      {LineEvent::Kind::filled, lookup.line, all, nullptr, request.message, nullptr, lookup.frame, node_});
}

Message& CacheController::make(const Action& action, base::LineAddress line, const NodeId& destination,
                               const NodeId& requester, const base::ByteMask& bytes, const protocols::Stimulus* cause) {
  Message& m = tile().messages().get();
  m.line = line;
  m.source = node_;
  m.destination = destination;
  m.requester = requester;
  if (cause != nullptr) {
    m.warp = base::WarpSlot(cause->warp);
    m.pc = cause->pc;
  }
  m.coherence = {action.stamps, action.acks};
  m.mask = bytes;
  dress(m, policy_, action.message, line_bytes_);
  set_network(m);
  sent_.note(m, now_ps_);
  if (follower() != nullptr) listener_->made(m, *this, cause_);
  return m;
}

void CacheController::lacks(const char* link) const {
  throw base::ModelError(fmt::format("{}: `{}` asks for something that a link {} does, and this cache has none", name(),
                                     policy_.name, link));
}

}  // namespace syncline::models
