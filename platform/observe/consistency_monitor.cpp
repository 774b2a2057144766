#include "platform/observe/consistency_monitor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/observe/warp_name.h"

namespace syncline::platform {

using consistency::OnlineAccess;
using consistency::OnlineKind;
using consistency::OnlineModel;
using consistency::OnlineViolation;
using consistency::ValueVerdict;
using models::LineEvent;
using models::Message;

namespace {

const base::SmId host(~std::uint16_t{0});          ///< stands for an SM number in what the host does
const base::SmId other_module(host.value() - 1U);  ///< and in what an L2 asks of the homes of other modules

constexpr const char* never_performed = "it was answered, and no home has performed it";

/// The instruction's number in its program: what a violation tells of an access beside where it went.
constexpr std::uint64_t label_of(const Message& message) {
  return message.pc;
}

/// membar or fence.sc: if it reaches everybody, it orders everything with everything.
bool is_full(isa::Semantics semantics) {
  return semantics == isa::Semantics::none || semantics == isa::Semantics::sc;
}

std::string bytes_of(const base::ByteMask& mask) {
  unsigned first = 0, last = base::max_line_bytes - 1;
  if (mask.empty()) return "no bytes";
  while (!mask.test(first)) ++first;
  while (!mask.test(last)) --last;
  const char* const some = last - first + 1 == mask.count() ? "" : "some of ";
  return fmt::format("{}bytes {} to {}", some, first, last);
}

}  // namespace

ConsistencyMonitor::ConsistencyMonitor(const protocols::CoherencePolicy& policy, const ObserveSpec& spec, bool order)
    : model_(policy.consistency == protocols::Consistency::sc ? OnlineModel::sc : OnlineModel::wo),
      order_(order),
      causality_(policy.cumulative_fences),
      near_order_(policy.sm_order),
      gpu_homes_(policy.has(protocols::Role::gpu_home)),
      checker_({model_, spec.consistency_window}),
      values_(spec.consistency_window),
      asked_(order) {}

void ConsistencyMonitor::attach(Gpu& gpu, base::StatisticsRegistry& statistics, const std::string& block, Where where) {
  where_ = std::move(where);
  local_memory_ = gpu.local_memory_base();
  asked_.lines_of(gpu.line_bytes());
  for (unsigned i = 0; i < gpu.sms(); ++i) {
    gpu.l1(i).line_events.bind(*this);
    copies_.emplace_back(gpu.l1(i).lines().tags().size());
    threads_.emplace_back();
  }
  for (unsigned i = 0; i < gpu.partitions(); ++i) {
    gpu.l2(i).line_events.bind(*this);
    if (gpu.l2(i).places() != nullptr) copies_.emplace_back(gpu.l2(i).lines().tags().size());
  }
  const auto gauge = [&](const char* name, const char* unit, const char* description, std::function<double()> value) {
    statistics.add_gauge(block, name, unit, description, std::move(value));
  };
  gauge("judged", "accesses", "global line accesses held against the consistency model",
        [this] { return static_cast<double>(checker_.judged()); });
  gauge(
      "not_judged", "accesses",
      "loads of which a write that they did not see was forgotten, or that no L2 slice has answered, and reductions of "
      "which many lanes met at one place in an order that nothing tells",
      [this] { return static_cast<double>(not_judged()); });
  gauge("peak_accesses", "accesses", "accesses remembered at once, at the most",
        [this] { return static_cast<double>(checker_.counts().peak_accesses); });
  gauge("values_compared", "accesses", "loads and atomics whose bytes were held against what was written",
        [this] { return static_cast<double>(compared_); });
  gauge("values_not_compared", "accesses",
        "loads of a version whose bytes were forgotten, or that no L2 slice has answered",
        [this] { return static_cast<double>(not_compared_); });
}

std::string ConsistencyMonitor::summary() const {
  const std::string values = fmt::format("values of {} reads compared, of {} not", compared_, not_compared_);
  if (!order_) return "order and stores not judged, for they wait in logs; " + values;
  const std::string passed = passed_atomics_ == 0
                                 ? std::string()
                                 : fmt::format(
                                       "; {} atomics of a GPU's home judged as a load and a later store, for "
                                       "other GPUs may write between",
                                       passed_atomics_);
  return fmt::format("{}: {} accesses judged, {} not{}; at most {} remembered; {}",
                     model_ == OnlineModel::sc ? "sc"
                     : causality_              ? "wo"
                                               : "wo, fences left out",
                     checker_.judged(), not_judged(), passed, checker_.counts().peak_accesses, values);
}

/// When the machine has been empty, what ran before is over and its L1s begin anew (models/sm/l1_interface.h,
/// grid_begin).
void ConsistencyMonitor::cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId, base::Dim3, unsigned) {
  if (ctas_++ == 0) checker_.boundary();
  ++cta_numbers_;
  meetings_.cta_launched(sm, slot);
}

void ConsistencyMonitor::cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3) {
  --ctas_;
}

/// Of the CTA that was launched last.
void ConsistencyMonitor::warp_started(const models::WarpIdentity& warp) {
  std::vector<Running>& slots = threads_.at(warp.sm.value());
  if (slots.size() <= warp.slot) slots.resize(warp.slot + 1);
  if (slots[warp.slot].thread != nobody) checker_.end_thread(slots[warp.slot].thread);
  slots[warp.slot] = {new_thread(warp), cta_numbers_, 0};
}

void ConsistencyMonitor::memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  threads_[warp.sm.value()][warp.slot].order = memory.order;
  asked_.started(warp.sm, memory);
}

void ConsistencyMonitor::memory_answered(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  asked_.answered(warp.sm, memory, [&](const AskedAccesses::Complaint& complaint) {
    const isa::AccessKind asked = memory.access.kind;
    const OnlineKind kind = asked == isa::AccessKind::load    ? OnlineKind::read
                            : asked == isa::AccessKind::store ? OnlineKind::write
                                                              : OnlineKind::atomic;
    const std::uint32_t thread = threads_[warp.sm.value()][warp.slot].thread;
    complain({kind, {thread, memory.order, complaint.line.value(), complaint.bytes, memory.pc}, unknown, {}},
             complaint.what);
  });
}

/// Of what a cache does for an instruction.
AskedAccesses::Complain ConsistencyMonitor::about(const LineEvent& event, OnlineKind kind) {
  return [this, &event, kind](const AskedAccesses::Complaint& complaint) {
    OnlineAccess access = access_of(event);
    access.bytes = complaint.bytes;
    complain({kind, access, unknown, {}}, complaint.what);
  };
}

/// One that no L1 is asked about: the CTA's warps see each other's accesses in order without it.
void ConsistencyMonitor::fence(const models::WarpIdentity& warp, isa::Scope scope, isa::Semantics semantics) {
  if (!order_ || !causality_ || !near_order_ || !models::is_within_cta(scope)) return;
  const Running& running = threads_[warp.sm.value()][warp.slot];
  OnlineAccess access{running.thread, running.order, 0, {}};
  access.manner = manner_of_fence(scope, semantics, running.cta);
  checker_.fence(access, false);
}

void ConsistencyMonitor::at_barrier(const models::WarpIdentity& warp, unsigned barrier, bool) {
  const Running& running = threads_[warp.sm.value()][warp.slot];
  if (order_) meetings_.arrived(warp, barrier, checker_.arrive({running.thread, running.order}));
}

void ConsistencyMonitor::barrier_opened(const models::WarpIdentity& warp, unsigned barrier) {
  const Running& running = threads_[warp.sm.value()][warp.slot];
  if (order_) checker_.leave({running.thread, running.order}, meetings_.opened(warp, barrier, checker_));
}

std::uint32_t ConsistencyMonitor::new_thread(const models::WarpIdentity& warp) {
  constexpr std::size_t remembered = 1U << 16U;
  if (warps_.size() == 2 * remembered) {
    warps_.erase(warps_.begin(), warps_.begin() + remembered);
    first_warp_ += remembered;
  }
  warps_.push_back(warp);
  return next_thread_++;
}

std::uint32_t ConsistencyMonitor::new_thread(base::SmId outsider) {
  models::WarpIdentity nobodys;
  nobodys.sm = outsider;
  return new_thread(nobodys);
}

void ConsistencyMonitor::write(const LineEvent& event) {
  if (event.line.value() >= local_memory_) return;
  switch (event.kind) {
    case LineEvent::Kind::performed:
      performed(event);
      break;
    case LineEvent::Kind::host_wrote:
      host_wrote(event);
      break;
    case LineEvent::Kind::host_read:
      host_read(event);
      return;
    case LineEvent::Kind::departed:
      departed(event);
      return;
    case LineEvent::Kind::copied:
      copied(event);
      return;
    case LineEvent::Kind::filled:
      filled(event);
      return;
    case LineEvent::Kind::merged:
      merged(event);
      break;
    case LineEvent::Kind::passed_on:
      passed_on(event);
      return;
    case LineEvent::Kind::host_merged:
      host_merged(event);
      return;
    case LineEvent::Kind::loaded:
      loaded(event);
      break;
    case LineEvent::Kind::fenced:
      fenced(event);
      break;
  }
  if (checker_.violation() != nullptr) complain();
}

void ConsistencyMonitor::Copy::forget(const base::ByteMask& bytes) {
  for (Own& one : own) one.bytes -= bytes;
  own.erase(std::remove_if(own.begin(), own.end(), [](const auto& one) { return one.bytes.empty(); }), own.end());
}

void ConsistencyMonitor::Copy::hold(const base::ByteMask& bytes, Version of_bytes, EarlyStore* early) {
  forget(bytes);
  own.push_back({bytes, of_bytes, early});
}

ConsistencyMonitor::Copy& ConsistencyMonitor::copy_of(const LineEvent& event) {
  const std::size_t first = event.cache.kind == models::NodeKind::home ? threads_.size() : 0;
  return copies_[first + event.cache.index][event.frame];
}

const ConsistencyMonitor::Copy* ConsistencyMonitor::carried_by(const Message& message) const {
  const auto found = carried_.find(&message);
  return found == carried_.end() || found->second.at_home_ps != message.at_home_ps ? nullptr : &found->second.bytes;
}

ConsistencyMonitor::Copy& ConsistencyMonitor::carry(const Message& message) {
  const auto [found, is_new] = carried_.try_emplace(&message);
  if (is_new || found->second.at_home_ps != message.at_home_ps)
    found->second = {message.at_home_ps, {message.line, unknown, {}}};
  return found->second.bytes;
}

void ConsistencyMonitor::hand_on(const Copy& from, Copy& to) {
  to = from;
  for (const Copy::Own& own : to.own) {
    if (own.early != nullptr) own.early->copies.push_back(&to);
  }
}

/// The thread of a message's warp. What comes from elsewhere (models/bridge) is a thread of its own each time.
std::uint32_t ConsistencyMonitor::thread_of(const Message& message) {
  const unsigned sm = message.requester.index;
  if (message.order == 0 || sm >= threads_.size()) return new_thread(base::SmId(message.requester.index));
  return threads_[sm].at(message.warp.value()).thread;
}

/// What has the scope of a GPU that has homes of its own reaches others of it as well. That is not followed: of such a
/// scope only the CTA is held to it.
consistency::Reach ConsistencyMonitor::reach_of(isa::Scope scope) const {
  const bool ends_in_gpu = gpu_homes_ && scope == isa::Scope::gpu;
  return models::is_within_cta(scope) || ends_in_gpu ? consistency::Reach::cta : consistency::Reach::all;
}

consistency::Manner ConsistencyMonitor::manner_of_fence(isa::Scope scope, isa::Semantics semantics,
                                                        std::uint32_t cta) const {
  return {reach_of(scope), cta, semantics != isa::Semantics::release, semantics != isa::Semantics::acquire};
}

consistency::Manner ConsistencyMonitor::manner_of(const Message& message) const {
  const isa::Semantics semantics = message.semantics;
  const bool weak = semantics == isa::Semantics::weak || semantics == isa::Semantics::none;
  consistency::Manner manner;
  if (weak && message.atomic == isa::AtomicOp::none)
    manner.reach = consistency::Reach::weak;
  else
    manner.reach = reach_of(message.scope);
  const unsigned sm = message.requester.index;
  if (message.order != 0 && sm < threads_.size()) manner.cta = threads_[sm].at(message.warp.value()).cta;
  if (!causality_) return manner;
  const bool both = semantics == isa::Semantics::acq_rel || semantics == isa::Semantics::sc;
  manner.acquires = both || semantics == isa::Semantics::acquire;
  manner.releases = both || semantics == isa::Semantics::release;
  return manner;
}

OnlineAccess ConsistencyMonitor::access_of(const LineEvent& event) {
  const Message& m = *event.message;
  const bool returns = m.atomic == isa::AtomicOp::none || m.returns_value;
  return {thread_of(m), m.order, event.line.value(), event.bytes, label_of(m), manner_of(m), returns};
}

void ConsistencyMonitor::fenced(const LineEvent& event) {
  if (!order_ || !causality_) return;
  const Message& m = *event.message;
  OnlineAccess access = access_of(event);
  access.manner = manner_of_fence(m.scope, m.semantics, access.manner.cta);
  checker_.fence(access, access.manner.reach == consistency::Reach::all && is_full(m.semantics));
}

/// Whose access made bytes leave a home. Its message need not say which access of its warp that is.
OnlineAccess ConsistencyMonitor::asker_of(const LineEvent& event) {
  const Message& m = *event.message;
  const unsigned sm = m.requester.index, slot = m.warp.value();
  const bool of_module = m.requester.kind == models::NodeKind::home;
  const bool of_warp =
      !of_module && sm < threads_.size() && slot < threads_[sm].size() && threads_[sm][slot].thread != nobody;
  const std::uint32_t thread =
      of_warp ? threads_[sm][slot].thread : new_thread(of_module ? other_module : base::SmId(m.requester.index));
  return {thread, m.order, event.line.value(), event.bytes, label_of(m)};
}

/// That who reads what is newest gets it; which version that is. `reader()` says who it is.
template <class Reader>
ConsistencyMonitor::Version ConsistencyMonitor::expect_newest(const LineEvent& event, const base::LineData& found,
                                                              OnlineKind kind, Reader&& reader, const char* where) {
  const Version newest = values_.version_of(event.line.value());
  const ValueVerdict verdict = values_.check(event.line.value(), newest, event.bytes, found);
  if (verdict.kind == ValueVerdict::Kind::differs) complain({kind, reader(), newest, {}}, verdict, where);
  return newest;
}

void ConsistencyMonitor::performed(const LineEvent& event) {
  const bool is_atomic = event.message->message_class == models::MessageClass::atomic_request;
  const auto store = early_.find(event.message);
  const std::uint64_t early = store == early_.end() ? 0 : store->second.number;
  const bool is_passed_on = early != 0 && store->second.is_passed_on;
  const OnlineAccess access = is_passed_on ? store->second.access : access_of(event);
  if (is_passed_on)
    check_passed_on(store->second, event);
  else if (early != 0)
    check_is_same(*store, access);
  if (is_atomic) {
    const auto reader = [&] { return access; };
    expect_newest(event, *event.before, OnlineKind::atomic, reader, "where the atomic finds it");
    ++compared_;
  }
  if (!is_passed_on) asked_.performed(event, about(event, is_atomic ? OnlineKind::atomic : OnlineKind::write));
  const Version version = values_.write(access.line, event.bytes, *event.data);
  if (order_ && is_atomic) checker_.atomic(access, early);
  if (order_ && !is_atomic) checker_.write(access, early);
  if (early == 0) return;
  for (Copy* const copy : store->second.copies) {
    for (Copy::Own& own : copy->own) {
      if (own.early != &store->second) continue;
      own.early = nullptr;
      own.version = version;
    }
    // A copy that lacks nothing is one of the newest version again.
    if (copy->version + 1 == version && copy->own.size() == 1 && copy->own.front().version == version) {
      copy->version = version;
      copy->own.clear();
    }
  }
  early_.erase(store);
}

void ConsistencyMonitor::host_wrote(const LineEvent& event) {
  values_.write(event.line.value(), event.bytes, *event.data);
  if (order_) checker_.write({new_thread(host), 0, event.line.value(), event.bytes});
}

void ConsistencyMonitor::host_read(const LineEvent& event) {
  const auto reader = [&] { return OnlineAccess{new_thread(host), 0, event.line.value(), event.bytes}; };
  expect_newest(event, *event.data, OnlineKind::read, reader, "where it is read");
}

void ConsistencyMonitor::departed(const LineEvent& event) {
  const auto reader = [&] { return asker_of(event); };
  const Version newest = expect_newest(event, *event.data, OnlineKind::read, reader, "where it leaves its home");
  Copy& bytes = carry(*event.message);
  bytes.line = event.line;
  bytes.version = newest;
  bytes.own.clear();
}

void ConsistencyMonitor::copied(const LineEvent& event) {
  const Copy& copy = copy_of(event);
  if (copy.line != event.line)
    complain({OnlineKind::read, asker_of(event), unknown, {}}, "the L2 of its module has never been brought the line");
  hand_on(copy, carry(*event.message));
}

void ConsistencyMonitor::filled(const LineEvent& event) {
  Copy& copy = copy_of(event);
  if (const Copy* const bytes = carried_by(*event.message); bytes != nullptr)
    hand_on(*bytes, copy);
  else
    copy = {event.line, unknown, {}};
}

/// Nothing tells which write of the host a line on its way has met.
void ConsistencyMonitor::host_merged(const LineEvent& event) {
  if (event.message != nullptr)
    carry(*event.message).hold(event.bytes, unknown);
  else
    copy_of(event).hold(event.bytes, values_.version_of(event.line.value()));
}

void ConsistencyMonitor::merged(const LineEvent& event) {
  Copy& copy = copy_of(event);
  if (event.message->family != &models::l1_family &&
      event.message->family != &models::coherence_family) {  // some of its bytes may lose, and be nobody's
    copy.hold(event.bytes, unknown);
    return;
  }
  if (event.before != nullptr)
    reads_copy(event, copy);
  else
    asked_.merged(event, about(event, OnlineKind::write));
  EarlyStore& store = early_store(event).second;
  store.data = *event.data;
  copy.hold(event.bytes, unknown, &store);
  store.copies.push_back(&copy);
}

/// The home of a GPU performs an atomic: on what its copy has.
void ConsistencyMonitor::reads_copy(const LineEvent& event, const Copy& copy) {
  ++passed_atomics_;
  const Found found = find_parts(event, &copy, *event.before, OnlineKind::atomic);
  ++(found.compared ? compared_ : not_compared_);
  asked_.performed(event, about(event, OnlineKind::atomic));
  const OnlineAccess access = access_of(event);
  if (!found.known)
    ++unknown_loads_;
  else if (order_ && access.returns)
    checker_.read(access, parts_);
}

/// The store of a message, which is not performed yet.
ConsistencyMonitor::EarlyStores::value_type& ConsistencyMonitor::early_store(const LineEvent& event) {
  const OnlineAccess access = access_of(event);
  const auto [store, is_new] = early_.try_emplace(event.message);
  if (is_new) {
    store->second.number = ++early_stores_;
    store->second.access = access;
  } else {
    check_is_same(*store, access);
  }
  return *store;
}

/// From here on its own message is free, and another one is the store.
void ConsistencyMonitor::passed_on(const LineEvent& event) {
  const bool is_atomic = event.message->message_class == models::MessageClass::atomic_request;
  if (!is_atomic) asked_.performed(event, about(event, OnlineKind::write));
  EarlyStore& store = early_store(event).second;
  store.data = *event.data;
  store.is_passed_on = true;
  EarlyStores::node_type moved = early_.extract(event.message);
  moved.key() = event.source;
  const EarlyStores::insert_return_type entered = early_.insert(std::move(moved));
  if (!entered.inserted) complain({OnlineKind::write, entered.position->second.access, unknown, {}}, never_performed);
}

/// A message that is another access than the store which it was has been reused: the store is over.
void ConsistencyMonitor::check_is_same(const EarlyStores::value_type& store, const OnlineAccess& access) const {
  const OnlineAccess& was = store.second.access;
  if (was.line == access.line && was.step == access.step && was.label == access.label) return;
  complain({OnlineKind::write, was, unknown, {}}, never_performed);
}

/// The home performs what a GPU's home has left.
void ConsistencyMonitor::check_passed_on(const EarlyStore& store, const LineEvent& event) const {
  const OnlineViolation::Step step{OnlineKind::write, store.access, unknown, {}};
  if (store.access.line != event.line.value()) complain(step, never_performed);
  const ValueVerdict verdict = consistency::compare(store.access.bytes, store.data, *event.data);
  if (verdict.kind == ValueVerdict::Kind::differs)
    complain(step, verdict, "where the home performs what a GPU's home has passed on");
}

void ConsistencyMonitor::loaded(const LineEvent& event) {
  const Message& m = *event.message;
  const models::L1Kind kind = models::l1_kind(m);
  if (kind == models::L1Kind::prefetch) return;
  asked_.loaded(event);
  const Copy* const from = event.source != nullptr ? carried_by(*event.source) : &copy_of(event);
  if (event.source == nullptr && from->line != event.line)
    complain({OnlineKind::read, access_of(event), unknown, {}}, "its L1 has never been brought the line");
  const Found found = find_parts(event, from, *event.data, OnlineKind::read);
  ++(found.compared ? compared_ : not_compared_);
  if (kind != models::L1Kind::global || m.read_only) return;
  if (!found.known)
    ++unknown_loads_;
  else if (order_)
    checker_.read(access_of(event), parts_);
}

/// What the event's bytes are where they are read, part by part, and whether what is `found` there is that.
ConsistencyMonitor::Found ConsistencyMonitor::find_parts(const LineEvent& event, const Copy* from,
                                                         const base::LineData& found, OnlineKind kind) {
  parts_.clear();
  Found all;
  const auto add = [&](const base::ByteMask& bytes, Version version, const EarlyStore* early = nullptr) {
    parts_.push_back({bytes, version, early == nullptr ? 0 : early->number});
    all.known = all.known && (early != nullptr || version != unknown);
    all.compared = has_value(event, parts_.back(), early, found, kind) && all.compared;
  };
  base::ByteMask rest = event.bytes;
  if (from != nullptr) {
    for (const Copy::Own& own : from->own) {
      if (!own.bytes.overlaps(event.bytes)) continue;
      add(own.bytes & event.bytes, own.version, own.early);
      rest -= own.bytes;
    }
  }
  if (!rest.empty()) add(rest, from != nullptr ? from->version : unknown);
  return all;
}

/// That a load or atomic gets what was written; false when that is not known.
bool ConsistencyMonitor::has_value(const LineEvent& event, const consistency::ReadPart& part, const EarlyStore* early,
                                   const base::LineData& found, OnlineKind kind) {
  if (early == nullptr && part.version == unknown) return false;
  const ValueVerdict verdict = early != nullptr ? consistency::compare(part.bytes, early->data, found)
                                                : values_.check(event.line.value(), part.version, part.bytes, found);
  if (verdict.kind == ValueVerdict::Kind::differs) {
    OnlineAccess reader = access_of(event);
    reader.bytes = part.bytes;
    if (kind == OnlineKind::atomic) complain({kind, reader, part.version, {}}, verdict, "where the atomic finds it");
    complain({kind, reader, part.version, {}}, verdict,
             early == nullptr ? "where the load gets it" : "where the load gets a store that is on its way");
  }
  return verdict.kind == ValueVerdict::Kind::agrees;
}

std::string ConsistencyMonitor::describe(const OnlineViolation::Step& step) const {
  const OnlineAccess& a = step.access;
  std::string who = "a warp that ended long ago";
  std::string where = fmt::format("pc {}", a.label);
  if (a.thread >= first_warp_ && a.thread - first_warp_ < warps_.size()) {
    const models::WarpIdentity& w = warps_[a.thread - first_warp_];
    if (w.sm == host) {
      who = "the host";
      where.clear();
    } else if (w.sm == other_module) {
      who = "the L2 of another module";
      where.clear();
    } else if (w.sm.value() >= threads_.size()) {
      who = fmt::format("foreign initiator {}", w.sm.value());
    } else {
      who = name_of(w);
      const std::string known = where_ ? where_(w.grid, static_cast<std::uint32_t>(a.label)) : std::string();
      if (!known.empty()) where = known;
    }
  }
  std::string what = consistency::name(step.kind);
  if (step.kind == OnlineKind::fence)
    where.clear();  // its message does not say which instruction it is
  else
    what += fmt::format(" of {} of line {:#x}", bytes_of(a.bytes), a.line);
  if (step.kind != OnlineKind::fence && step.version != unknown) what += fmt::format(", version {}", step.version);
  return where.empty() ? fmt::format("{}: {}", who, what) : fmt::format("{}: {} at {}", who, what, where);
}

void ConsistencyMonitor::complain() const {
  const auto& steps = checker_.violation()->steps;
  std::string text = fmt::format(
      "the run breaks {}; each of these {} accesses comes before the next, and the last "
      "before the first:",
      model_ == OnlineModel::sc ? "sequential consistency" : "weak ordering", steps.size());
  for (const OnlineViolation::Step& step : steps)
    text += fmt::format("\n  {}\n    before, by {},", describe(step), consistency::name(step.reason));
  text.back() = ' ';
  throw base::ModelError(text + "the first");
}

void ConsistencyMonitor::complain(const OnlineViolation::Step& reader, const std::string& what) const {
  throw base::ModelError(fmt::format("the run breaks the values of memory: {}: {}", describe(reader), what));
}

void ConsistencyMonitor::complain(const OnlineViolation::Step& reader, const ValueVerdict& verdict,
                                  const char* where) const {
  complain(reader,
           fmt::format("byte {} holds {:#04x} {}, not {:#04x}", verdict.byte, verdict.found, where, verdict.expected));
}

}  // namespace syncline::platform
