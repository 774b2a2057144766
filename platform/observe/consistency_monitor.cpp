#include "platform/observe/consistency_monitor.h"

#include <fmt/format.h>

#include <utility>

namespace syncline::platform {

using consistency::OnlineAccess;
using consistency::OnlineKind;
using consistency::OnlineModel;
using consistency::OnlineViolation;
using consistency::ValueVerdict;
using models::LineEvent;
using models::Message;

namespace {

constexpr const char* never_performed = "it was answered, and no home has performed it";

/// The instruction's number in its program: what a violation tells of an access beside where it went.
constexpr std::uint64_t label_of(const Message& message) {
  return message.pc;
}

/// membar or fence.sc: if it reaches everybody, it orders everything with everything.
bool is_full(isa::Semantics semantics) {
  return semantics == isa::Semantics::none || semantics == isa::Semantics::sc;
}

}  // namespace

ConsistencyMonitor::ConsistencyMonitor(const protocols::CoherencePolicy& policy, const ObserveSpec& spec, bool order)
    : model_(policy.consistency == protocols::Consistency::sc ? OnlineModel::sc : OnlineModel::wo),
      order_(order),
      near_order_(policy.sm_order),
      checker_({model_, spec.consistency_window}),
      values_(spec.consistency_window),
      asked_(order),
      manners_(policy, threads_) {}

void ConsistencyMonitor::attach(Gpu& gpu, base::StatisticsRegistry& statistics, const std::string& block, Where where) {
  complaints_.know(std::move(where));
  local_memory_ = gpu.local_memory_base();
  asked_.lines_of(gpu.line_bytes());
  for (unsigned i = 0; i < gpu.sms(); ++i) {
    gpu.l1(i).line_events.bind(*this);
    copies_.add_l1(gpu.l1(i).lines().tags().size());
    threads_.add_sm(gpu.gpu_of_sm(i));
  }
  for (unsigned i = 0; i < gpu.partitions(); ++i) {
    gpu.l2(i).line_events.bind(*this);
    if (gpu.l2(i).places() != nullptr) copies_.add_l2(gpu.l2(i).lines().tags().size());
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
                     : manners_.causality()    ? "wo"
                                               : "wo, fences left out",
                     checker_.judged(), not_judged(), passed, checker_.counts().peak_accesses, values);
}

/// When the machine has been empty, what ran before is over and its L1s begin anew (models/sm/l1_interface.h,
/// grid_begin).
void ConsistencyMonitor::cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId, base::Dim3, unsigned) {
  if (ctas_++ == 0) checker_.boundary();
  threads_.cta_launched();
  meetings_.cta_launched(sm, slot);
}

void ConsistencyMonitor::cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3) {
  --ctas_;
}

/// Of the CTA that was launched last.
void ConsistencyMonitor::warp_started(const models::WarpIdentity& warp) {
  const std::uint32_t before = threads_.started(warp);
  if (before != WatchedThreads::nobody) checker_.end_thread(before);
}

void ConsistencyMonitor::memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  threads_.of(warp).order = memory.order;
  asked_.started(warp.sm, memory);
}

void ConsistencyMonitor::memory_answered(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  asked_.answered(warp.sm, memory, [&](const AskedAccesses::Complaint& complaint) {
    const isa::AccessKind asked = memory.access.kind;
    const OnlineKind kind = asked == isa::AccessKind::load    ? OnlineKind::read
                            : asked == isa::AccessKind::store ? OnlineKind::write
                                                              : OnlineKind::atomic;
    const std::uint32_t thread = threads_.of(warp).thread;
    complaints_.of_values(
        {kind, {thread, memory.order, complaint.line.value(), complaint.bytes, memory.pc}, LineCopy::unknown, {}},
        complaint.what);
  });
}

/// Of what a cache does for an instruction.
AskedAccesses::Complain ConsistencyMonitor::about(const LineEvent& event, OnlineKind kind) {
  return [this, &event, kind](const AskedAccesses::Complaint& complaint) {
    OnlineAccess access = access_of(event);
    access.bytes = complaint.bytes;
    complaints_.of_values({kind, access, LineCopy::unknown, {}}, complaint.what);
  };
}

/// One that no L1 is asked about: the CTA's warps see each other's accesses in order without it.
void ConsistencyMonitor::fence(const models::WarpIdentity& warp, isa::Scope scope, isa::Semantics semantics) {
  if (!order_ || !manners_.causality() || !near_order_ || !models::is_within_cta(scope)) return;
  const Running& running = threads_.of(warp);
  OnlineAccess access{running.thread, running.order, 0, {}};
  access.manner = manners_.of_fence(scope, semantics, &running);
  checker_.fence(access, false);
}

void ConsistencyMonitor::at_barrier(const models::WarpIdentity& warp, unsigned barrier, bool) {
  const Running& running = threads_.of(warp);
  if (order_) meetings_.arrived(warp, barrier, checker_.arrive({running.thread, running.order}));
}

void ConsistencyMonitor::barrier_opened(const models::WarpIdentity& warp, unsigned barrier) {
  const Running& running = threads_.of(warp);
  if (order_) checker_.leave({running.thread, running.order}, meetings_.opened(warp, barrier, checker_));
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
  if (checker_.violation() != nullptr) complaints_.of_order(model_, *checker_.violation());
}

/// The thread of a message's warp. What comes from elsewhere (models/bridge) is a thread of its own each time.
std::uint32_t ConsistencyMonitor::thread_of(const Message& message) {
  const Running* const running = threads_.of(message);
  return running != nullptr ? running->thread : threads_.outsider(base::SmId(message.requester.index));
}

OnlineAccess ConsistencyMonitor::access_of(const LineEvent& event) {
  const Message& m = *event.message;
  const bool returns = m.atomic == isa::AtomicOp::none || m.returns_value;
  return {thread_of(m), m.order, event.line.value(), event.bytes, label_of(m), manners_.of(m), returns};
}

void ConsistencyMonitor::fenced(const LineEvent& event) {
  if (!order_ || !manners_.causality()) return;
  const Message& m = *event.message;
  OnlineAccess access = access_of(event);
  access.manner = manners_.of_fence(m.scope, m.semantics, threads_.of(m));
  checker_.fence(access, access.manner.reach == consistency::Reach::all && is_full(m.semantics));
}

/// Whose access made bytes leave a home. Its message need not say which access of its warp that is.
OnlineAccess ConsistencyMonitor::asker_of(const LineEvent& event) {
  const Message& m = *event.message;
  const bool of_module = m.requester.kind == models::NodeKind::home;
  const Running* const running = threads_.in_slot_of(m);
  const std::uint32_t thread =
      running != nullptr ? running->thread
                         : threads_.outsider(of_module ? WatchedThreads::other_module : base::SmId(m.requester.index));
  return {thread, m.order, event.line.value(), event.bytes, label_of(m)};
}

/// That who reads what is newest gets it; which version that is. `reader()` says who it is.
template <class Reader>
consistency::LineVersion ConsistencyMonitor::expect_newest(const LineEvent& event, const base::LineData& found,
                                                           OnlineKind kind, Reader&& reader, const char* where) {
  const consistency::LineVersion newest = values_.version_of(event.line.value());
  const ValueVerdict verdict = values_.check(event.line.value(), newest, event.bytes, found);
  if (verdict.kind == ValueVerdict::Kind::differs) complaints_.of_values({kind, reader(), newest, {}}, verdict, where);
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
  const consistency::LineVersion version = values_.write(access.line, event.bytes, *event.data);
  if (order_ && is_atomic) checker_.atomic(access, early);
  if (order_ && !is_atomic) checker_.write(access, early);
  if (early == 0) return;
  store->second.became(version);
  early_.erase(store);
}

void ConsistencyMonitor::host_wrote(const LineEvent& event) {
  values_.write(event.line.value(), event.bytes, *event.data);
  if (order_) checker_.write({threads_.outsider(WatchedThreads::host), 0, event.line.value(), event.bytes});
}

void ConsistencyMonitor::host_read(const LineEvent& event) {
  const auto reader = [&] {
    return OnlineAccess{threads_.outsider(WatchedThreads::host), 0, event.line.value(), event.bytes};
  };
  expect_newest(event, *event.data, OnlineKind::read, reader, "where it is read");
}

void ConsistencyMonitor::departed(const LineEvent& event) {
  const auto reader = [&] { return asker_of(event); };
  const consistency::LineVersion newest =
      expect_newest(event, *event.data, OnlineKind::read, reader, "where it leaves its home");
  LineCopy& bytes = copies_.carry(*event.message);
  bytes.line = event.line;
  bytes.version = newest;
  bytes.own.clear();
}

void ConsistencyMonitor::copied(const LineEvent& event) {
  const LineCopy& copy = copies_.in_frame(event);
  if (copy.line != event.line)
    complaints_.of_values({OnlineKind::read, asker_of(event), LineCopy::unknown, {}},
                          "the L2 of its module has never been brought the line");
  LineCopies::hand_on(copy, copies_.carry(*event.message));
}

void ConsistencyMonitor::filled(const LineEvent& event) {
  LineCopy& copy = copies_.in_frame(event);
  if (const LineCopy* const bytes = copies_.carried_by(*event.message); bytes != nullptr)
    LineCopies::hand_on(*bytes, copy);
  else
    copy = {event.line, LineCopy::unknown, {}};
}

/// Nothing tells which write of the host a line on its way has met.
void ConsistencyMonitor::host_merged(const LineEvent& event) {
  if (event.message != nullptr)
    copies_.carry(*event.message).hold(event.bytes, LineCopy::unknown);
  else
    copies_.in_frame(event).hold(event.bytes, values_.version_of(event.line.value()));
}

void ConsistencyMonitor::merged(const LineEvent& event) {
  LineCopy& copy = copies_.in_frame(event);
  if (event.message->family != &models::l1_family &&
      event.message->family != &models::coherence_family) {  // some of its bytes may lose, and be nobody's
    copy.hold(event.bytes, LineCopy::unknown);
    return;
  }
  bool has_read = false;
  if (event.before != nullptr)
    has_read = reads_copy(event, copy);
  else
    asked_.merged(event, about(event, OnlineKind::write));
  LineEvent write = event;
  if (event.message->atomic == isa::AtomicOp::cas) write.bytes = models::written_by(*event.message);
  if (write.bytes.empty()) return;
  EarlyStore& store = (has_read ? early_store(write, parts_) : early_store(write)).second;
  store.data = *event.data;
  copy.hold(write.bytes, LineCopy::unknown, &store);
  store.copies.push_back(&copy);
}

/// The home of a GPU performs an atomic: on what its copy has. Whether it is known what that is; it is in `parts_`
/// then.
bool ConsistencyMonitor::reads_copy(const LineEvent& event, const LineCopy& copy) {
  ++passed_atomics_;
  const Found found = find_parts(event, &copy, *event.before, OnlineKind::atomic);
  ++(found.compared ? compared_ : not_compared_);
  asked_.performed(event, about(event, OnlineKind::atomic));
  const OnlineAccess access = access_of(event);
  if (!found.known)
    ++unknown_loads_;
  else if (order_ && access.returns)
    checker_.read(access, parts_);
  return found.known;
}

/// The store of a message, which is not performed yet.
ConsistencyMonitor::EarlyStores::value_type& ConsistencyMonitor::early_store(
    const LineEvent& event, const std::vector<consistency::ReadPart>& read) {
  const OnlineAccess access = access_of(event);
  const auto [store, is_new] = early_.try_emplace(event.message);
  if (is_new) {
    store->second.number = ++early_stores_;
    store->second.access = access;
    if (order_) checker_.announce(access, store->second.number, read);
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
  if (!entered.inserted)
    complaints_.of_values({OnlineKind::write, entered.position->second.access, LineCopy::unknown, {}}, never_performed);
}

/// A message that is another access than the store which it was has been reused: the store is over.
void ConsistencyMonitor::check_is_same(const EarlyStores::value_type& store, const OnlineAccess& access) const {
  const OnlineAccess& was = store.second.access;
  if (was.line == access.line && was.step == access.step && was.label == access.label) return;
  complaints_.of_values({OnlineKind::write, was, LineCopy::unknown, {}}, never_performed);
}

/// The home performs what a GPU's home has left.
void ConsistencyMonitor::check_passed_on(const EarlyStore& store, const LineEvent& event) const {
  const OnlineViolation::Step step{OnlineKind::write, store.access, LineCopy::unknown, {}};
  if (store.access.line != event.line.value()) complaints_.of_values(step, never_performed);
  const ValueVerdict verdict = consistency::compare(store.access.bytes, store.data, *event.data);
  if (verdict.kind == ValueVerdict::Kind::differs)
    complaints_.of_values(step, verdict, "where the home performs what a GPU's home has passed on");
}

void ConsistencyMonitor::loaded(const LineEvent& event) {
  const Message& m = *event.message;
  const models::L1Kind kind = models::l1_kind(m);
  if (kind == models::L1Kind::prefetch) return;
  asked_.loaded(event);
  const LineCopy* const from = event.source != nullptr ? copies_.carried_by(*event.source) : &copies_.in_frame(event);
  if (event.source == nullptr && from->line != event.line)
    complaints_.of_values({OnlineKind::read, access_of(event), LineCopy::unknown, {}},
                          "its L1 has never been brought the line");
  const Found found = find_parts(event, from, *event.data, OnlineKind::read);
  ++(found.compared ? compared_ : not_compared_);
  if (kind != models::L1Kind::global || m.read_only) return;
  if (!found.known)
    ++unknown_loads_;
  else if (order_)
    checker_.read(access_of(event), parts_);
}

/// What the event's bytes are where they are read, part by part, and whether what is `found` there is that.
ConsistencyMonitor::Found ConsistencyMonitor::find_parts(const LineEvent& event, const LineCopy* from,
                                                         const base::LineData& found, OnlineKind kind) {
  parts_.clear();
  Found all;
  const auto add = [&](const base::ByteMask& bytes, consistency::LineVersion version,
                       const EarlyStore* early = nullptr) {
    parts_.push_back({bytes, version, early == nullptr ? 0 : early->number});
    all.known = all.known && (early != nullptr || version != LineCopy::unknown);
    all.compared = has_value(event, parts_.back(), early, found, kind) && all.compared;
  };
  base::ByteMask rest = event.bytes;
  if (from != nullptr) {
    for (const LineCopy::Own& own : from->own) {
      if (!own.bytes.overlaps(event.bytes)) continue;
      add(own.bytes & event.bytes, own.version, own.early);
      rest -= own.bytes;
    }
  }
  if (!rest.empty()) add(rest, from != nullptr ? from->version : LineCopy::unknown);
  return all;
}

/// That a load or atomic gets what was written; false when that is not known.
bool ConsistencyMonitor::has_value(const LineEvent& event, const consistency::ReadPart& part, const EarlyStore* early,
                                   const base::LineData& found, OnlineKind kind) {
  if (early == nullptr && part.version == LineCopy::unknown) return false;
  const ValueVerdict verdict = early != nullptr ? consistency::compare(part.bytes, early->data, found)
                                                : values_.check(event.line.value(), part.version, part.bytes, found);
  if (verdict.kind == ValueVerdict::Kind::differs) {
    OnlineAccess reader = access_of(event);
    reader.bytes = part.bytes;
    if (kind == OnlineKind::atomic)
      complaints_.of_values({kind, reader, part.version, {}}, verdict, "where the atomic finds it");
    complaints_.of_values(
        {kind, reader, part.version, {}}, verdict,
        early == nullptr ? "where the load gets it" : "where the load gets a store that is on its way");
  }
  return verdict.kind == ValueVerdict::Kind::agrees;
}

}  // namespace syncline::platform
