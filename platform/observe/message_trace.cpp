#include "platform/observe/message_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <systemc>
#include <tuple>

#include "models/cache/cache_controller.h"
#include "models/sm/l1_interface.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::platform {

using models::CacheController;
using models::CacheStep;
using models::MemoryStep;
using models::Message;

namespace {

constexpr unsigned first_message_track = 1000, first_read_track = 5000, state_track = 9000;
/// A stay that takes no time is still to be seen, and to be met by arrows.
constexpr std::uint64_t shortest_ps = 1;

std::uint64_t present() {
  return sc_core::sc_time_stamp().value();
}

std::string args_of(const Message& message) {
  return fmt::format(R"({{"line":"{:#x}","from":"{}","to":"{}","bytes":{}}})", message.line.value(),
                     models::name(message.source), models::name(message.destination), message.bytes);
}

}  // namespace

std::string MessageTrace::name_of(const Message& message) const {
  if (message.family == &models::coherence_family) return std::string(policy_.messages[message.kind].name);
  if (message.family == &models::l1_family) return models::name(message.message_class);
  return models::describe(message);
}

MessageTrace::Stay* MessageTrace::shown(const Message* message) {
  const auto found = stays_.find(message);
  return found == stays_.end() || !found->second.shown ? nullptr : &found->second;
}

/// Of a message that no cache has made for another one: a fence, what units say.
bool MessageTrace::is_shown(const Message& first_seen, const models::Block& at) {
  if (!filter_.all_kernels() || !filter_.has_line(first_seen.line)) return false;
  if (filter_.all_sms()) return true;
  const auto* const cache = dynamic_cast<const CacheController*>(&at);
  const models::NodeId& whose = cache != nullptr ? cache->node() : first_seen.requester;
  return whose.kind == models::NodeKind::l1 && filter_.has_sm(whose.index);
}

void MessageTrace::open(Stay& stay, const models::Block& block, std::uint64_t from_ps, std::string name,
                        std::string args) {
  stay.track = tracks_.lane(tracks_.process_of(block), first_message_track, "messages", from_ps);
  stay.from_ps = from_ps;
  stay.name = std::move(name);
  stay.args = std::move(args);
}

void MessageTrace::close(Stay& stay, std::uint64_t until_ps) {
  until_ps = std::max(until_ps, stay.from_ps + shortest_ps);
  for (const Arrow& arrow : stay.arrows) until_ps = std::max(until_ps, arrow.ps + shortest_ps);
  if (const auto time = filter_.shown(stay.from_ps, until_ps)) {
    writer_.slice(stay.track, time->first, time->second, stay.name, stay.args);
    for (const Arrow& arrow : stay.arrows) {
      if (arrow.leaves)
        writer_.arrow_leaves(arrow.track, arrow.ps, arrow.id);
      else
        writer_.arrow_arrives(arrow.track, arrow.ps, arrow.id);
    }
  }
  stay.arrows.clear();
  tracks_.free(stay.track, until_ps);
}

/// Each slice has the moment of its end of the arrow in it, so both are written if both moments are shown.
void MessageTrace::join(Stay& from, std::uint64_t leaves_ps, Stay& to, std::uint64_t arrives_ps) {
  if (!filter_.shown(leaves_ps, leaves_ps + 1) || !filter_.shown(arrives_ps, arrives_ps + 1)) return;
  ++arrows_;
  from.arrows.push_back({from.track, leaves_ps, arrows_, true});
  to.arrows.push_back({to.track, arrives_ps, arrows_, false});
}

/// The slice that the arrow leaves is told when its cycle is over, which is not to be waited for.
void MessageTrace::join(const TraceWriter::Track& instruction, Stay& access) {
  const std::uint64_t inside_ps = access.from_ps + 1;  // where a viewer cannot take the slice before for it
  if (!filter_.shown(inside_ps, inside_ps + 1)) return;
  ++arrows_;
  access.arrows.push_back({instruction, inside_ps, arrows_, true});
  access.arrows.push_back({access.track, inside_ps, arrows_, false});
}

void MessageTrace::requested(const Message& request, const models::Block& sm, const models::LineAccess& access,
                             const std::optional<TraceWriter::Track>& instruction,
                             const std::function<std::string()>& where) {
  Stay& stay = stays_[&request];
  stay = {};
  const bool in_sm = filter_.has_sm(access.warp.sm.value()), in_kernel = filter_.has_kernel(access.warp.grid);
  stay.shown = filter_.has_line(request.line) && in_sm && in_kernel;
  if (!stay.shown) return;
  open(stay, sm, access.issued_ps, name_of(request),
       fmt::format(R"({{"line":"{:#x}","warp_slot":{},"ptx":{}}})", request.line.value(), access.warp.slot,
                   nlohmann::json(where()).dump()));
  if (instruction) join(*instruction, stay);
}

void MessageTrace::made(const Message& message, const CacheController& by, const Message* cause) {
  const auto found = cause != nullptr ? stays_.find(cause) : stays_.end();
  const bool is_visible =
      filter_.has_line(message.line) && (found != stays_.end() ? found->second.shown : is_shown(message, by));
  Stay made;
  made.shown = is_visible;
  if (made.shown) {
    open(made, by, present(), name_of(message), args_of(message));
    if (found != stays_.end()) join(found->second, present(), made, present());
  }
  stays_[&message] = std::move(made);
}

void MessageTrace::sent(const Message& message, const models::Block& to, std::uint64_t arrival_ps) {
  const auto [found, is_new] = stays_.try_emplace(&message);
  Stay& stay = found->second;
  if (is_new) {
    stay.shown = is_shown(message, to);
  } else if (stay.shown) {
    // In a block that waits for nothing a message is told to leave before it has arrived.
    arrival_ps = std::max(arrival_ps, stay.from_ps);
    Stay next;
    next.shown = true;
    open(next, to, arrival_ps, name_of(message), args_of(message));
    join(stay, std::max(arrival_ps, stay.from_ps + 1) - 1, next, arrival_ps);
    close(stay, arrival_ps);
    stay = std::move(next);
    return;
  }
  if (stay.shown) open(stay, to, arrival_ps, name_of(message), args_of(message));
}

void MessageTrace::step(const Message& message, CacheStep step, const Message* cause) {
  Stay* const stay = shown(&message);
  if (stay == nullptr || step != CacheStep::released) return;
  if (Stay* const because = shown(cause)) join(*because, present(), *stay, present());
}

void MessageTrace::memory_read(base::LineAddress line, MemoryStep step, const CacheController& home) {
  const Read read{&home, line.value()};
  if (step == MemoryStep::asked) {
    if (!filter_.all_kernels() || !filter_.all_sms() || !filter_.has_line(line)) return;
    Stay& stay = reads_[read];
    stay.track = tracks_.lane(tracks_.process_of(home), first_read_track, "memory reads", present());
    stay.from_ps = present();
    stay.name = "read of memory";
    stay.args = fmt::format(R"({{"line":"{:#x}"}})", line.value());
  } else if (step == MemoryStep::taken) {
    const auto found = reads_.find(read);
    if (found == reads_.end()) return;
    close(found->second, present());
    reads_.erase(found);
  }
}

void MessageTrace::state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to, const CacheController& at,
                                 const Message* cause) {
  if (!filter_.has_line(line) || !filter_.shown(present(), present() + 1)) return;
  if (cause != nullptr ? shown(cause) == nullptr : !filter_.all_sms() || !filter_.all_kernels()) return;
  const auto& states = at.lines().machine_of(line).table().vocabulary().states;
  writer_.instant(tracks_.track(tracks_.process_of(at), state_track, "line states"), present(),
                  fmt::format("{} -> {}", states[from].name, states[to].name),
                  fmt::format(R"({{"line":"{:#x}"}})", line.value()));
}

void MessageTrace::ended(const Message& message) {
  const auto found = stays_.find(&message);
  if (found == stays_.end()) return;
  if (found->second.shown) close(found->second, present());
  stays_.erase(found);
}

void MessageTrace::finish() {
  std::vector<Stay*> left;
  for (auto& [message, stay] : stays_) {
    if (stay.shown) left.push_back(&stay);
  }
  for (auto& [read, stay] : reads_) left.push_back(&stay);
  std::sort(left.begin(), left.end(), [](const Stay* a, const Stay* b) {
    return std::tie(a->track.process, a->track.thread) < std::tie(b->track.process, b->track.thread);
  });
  for (Stay* const stay : left) close(*stay, present());
  stays_.clear();
  reads_.clear();
}

}  // namespace syncline::platform
