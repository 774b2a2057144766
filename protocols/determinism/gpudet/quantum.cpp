#include "protocols/determinism/gpudet/quantum.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "protocols/determinism/gpudet/join.h"

namespace syncline::protocols::gpudet {
namespace {

/// Goes one warp after the other, in serial mode.
bool has_turns(OpClass op) {
  return op == OpClass::atomic || op == OpClass::call;
}

}  // namespace

const char* name(Mode mode) {
  static constexpr const char* names[] = {"distribution", "parallel", "commit", "serial"};
  return names[static_cast<unsigned>(mode)];
}

const char* name(EndReason reason) {
  static constexpr const char* names[] = {"instruction_count", "atomic", "fence", "barrier", "exit", "log_full"};
  return names[static_cast<unsigned>(reason)];
}

QuantumMachine::QuantumMachine(const GpudetSpec& spec, unsigned sms, unsigned warps_per_sm, std::uint64_t rounds)
    : spec_(spec), warps_per_sm_(warps_per_sm), rounds_(rounds), warps_(std::size_t{sms} * warps_per_sm) {}

std::optional<CtaPlace> QuantumMachine::launch(unsigned sm, unsigned warps) {
  if (mode_ != Mode::distribution) throw base::ModelError("gpudet: a CTA is dealt outside distribution mode");
  std::vector<Place> places;
  for (Place place = sm * warps_per_sm_; place < (sm + 1) * warps_per_sm_ && places.size() < warps; ++place) {
    if (!present(place)) places.push_back(place);
  }
  if (places.size() < warps) return std::nullopt;
  auto cta = std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& one) { return one.warps.empty(); });
  if (cta == ctas_.end()) cta = ctas_.insert(ctas_.end(), Cta{});
  for (const Place place : places) {
    Warp& warp = warps_[place];
    warp = {};
    set(warp, State::running);
    warp.cta = static_cast<CtaPlace>(cta - ctas_.begin());
    warp.index = static_cast<std::uint32_t>(cta->warps.size());
    cta->warps.push_back(place);
  }
  return static_cast<CtaPlace>(cta - ctas_.begin());
}

void QuantumMachine::distributed() {
  // Where all wait at barriers the program is at fault, and quanta would not help it.
  if (mode_ == Mode::distribution && anybody_runs()) mode_ = Mode::parallel;
}

bool QuantumMachine::may_issue(Place place, const Ask& ask) {
  Warp& warp = warps_[place];
  const OpClass op = ask.op;
  if (mode_ == Mode::serial && has_turns(op)) return turn() == place;
  if (mode_ != Mode::parallel) return may_go_ahead(warp, ask);
  if (warp.state != State::running) return false;
  if (warp.issued >= spec_.quantum_size) {
    stop(warp, EndReason::instruction_count);
  } else if (has_turns(op)) {
    warp.serial = Serial::waits;
    warp.alone = op == OpClass::call;
    ++atomics_;
    stop(warp, EndReason::atomic);
  } else if ((op == OpClass::fence || ask.releases) && !warp.fence_paid) {
    stop(warp, EndReason::fence);
  } else if (op == OpClass::store && !ask.log_room) {
    stop(warp, EndReason::log_full);
  } else {
    const bool in_order = ask.counted || (ask.shared && spec_.shared_order != SharedOrder::free);
    return !in_order || first_in_order(warp.cta) == place;
  }
  return false;
}

/// A commit says which places of memory it changes, serial mode does not.
bool QuantumMachine::may_go_ahead(const Warp& warp, const Ask& ask) const {
  if (spec_.overlap == Overlap::none || !ask.ahead || ask.op != OpClass::plain || ask.releases) return false;
  if (ask.shared && spec_.shared_order != SharedOrder::free) return false;
  if (ask.reads && atomics_ != 0) return false;
  if (mode_ == Mode::distribution) return warp.state == State::running && warp.issued < spec_.quantum_size;
  const bool behind_barrier = warp.reason == EndReason::barrier && warp.waits_at == barriers;
  return warp.state == State::stopped && (warp.reason == EndReason::instruction_count || behind_barrier) &&
         warp.ahead < spec_.quantum_size;
}

std::optional<Place> QuantumMachine::first_in_order(CtaPlace cta) const {
  std::optional<Place> first;
  for (const Place place : ctas_[cta].warps) {
    if (running(place) && (!first || warps_[place].clock < warps_[*first].clock)) first = place;
  }
  return first;
}

void QuantumMachine::issued(Place place, OpClass op) {
  Warp& warp = warps_[place];
  if (mode_ == Mode::serial && has_turns(op)) {
    warp.serial = Serial::issued;
    ++next_to_issue_;
    return;
  }
  if (mode_ == Mode::commit || mode_ == Mode::serial) {
    ++warp.ahead;
    return;
  }
  ++warp.issued;
  ++warp.clock;
  if (op == OpClass::store) ++warp.stores;
  warp.fence_paid = false;
}

void QuantumMachine::arrived(Place place, unsigned number, bool waits) {
  Warp& warp = warps_[place];
  Barrier& barrier = ctas_[warp.cta].barrier[number];
  barrier.epoch = std::max(barrier.epoch, warp.epoch);
  barrier.clock = std::max(barrier.clock, warp.clock);
  join(barrier.seen, warp.seen);
  if (barrier.seen.size() <= warp.index) barrier.seen.resize(warp.index + 1);
  barrier.seen[warp.index] = warp.stores;
  if (!waits) return;
  warp.waits_at = static_cast<std::uint8_t>(number);
  stop(warp, EndReason::barrier);
  if (spec_.quantum_formation != QuantumFormation::base) set(warp, State::at_barrier);
}

void QuantumMachine::opened(CtaPlace place, unsigned number) {
  Cta& cta = ctas_[place];
  Barrier& barrier = cta.barrier[number];
  for (const Place member : cta.warps) {
    Warp& warp = warps_[member];
    if (warp.waits_at != number) continue;
    warp.waits_at = barriers;
    if (warp.state != State::at_barrier) continue;
    if (!may_follow(barrier.epoch)) {
      stop(warp, EndReason::barrier);
      continue;
    }
    set(warp, State::running);
    warp.clock = std::max(warp.clock, barrier.clock);
    if (spec_.barrier_rule == BarrierRule::thesis) continue;
    warp.epoch = barrier.epoch + 1;
    epochs_ = std::max(epochs_, warp.epoch);
    join(warp.seen, barrier.seen);
  }
  barrier = {};
}

void QuantumMachine::exited(Place place) {
  Warp& warp = warps_[place];
  set(warp, State::exited);
  warp.reason = EndReason::exit;
}

void QuantumMachine::faulted(Place place) {
  set(warps_[place], State::faulted);
  warps_[place].reason = EndReason::exit;
}

bool QuantumMachine::ended(const Cta& cta) const {
  return !cta.warps.empty() && std::all_of(cta.warps.begin(), cta.warps.end(),
                                           [this](Place warp) { return warps_[warp].state == State::exited; });
}

std::uint32_t QuantumMachine::last_epoch(const Cta& cta) const {
  std::uint32_t last = 0;
  for (const Place member : cta.warps) last = std::max(last, warps_[member].epoch);
  return last;
}

bool QuantumMachine::may_replenish(CtaPlace cta) const {
  return mode_ == Mode::parallel && spec_.quantum_formation == QuantumFormation::bta_dwp &&
         !ctas_[cta].partition_empty && ended(ctas_[cta]) && may_follow(last_epoch(ctas_[cta]));
}

void QuantumMachine::replenish(CtaPlace place) {
  if (!may_replenish(place)) throw base::ModelError("gpudet: a CTA takes a place that is not free for it");
  Cta& cta = ctas_[place];
  const std::uint32_t epoch = last_epoch(cta);
  // Its stores come behind those of the CTA before, whose logs it continues; so it sees all of them.
  Seen seen;
  for (const Place member : cta.warps) seen.push_back(warps_[member].stores);
  for (const Place member : cta.warps) {
    Warp& warp = warps_[member];
    set(warp, State::running);
    warp.fence_paid = false;
    if (spec_.barrier_rule == BarrierRule::thesis) continue;
    warp.epoch = epoch + 1;
    epochs_ = std::max(epochs_, warp.epoch);
    warp.seen = seen;
  }
  cta.barrier = {};
}

void QuantumMachine::no_more(CtaPlace cta) {
  ctas_[cta].partition_empty = true;
}

std::uint32_t QuantumMachine::seen(Place place, Place mate) const {
  const Warp& warp = warps_[place];
  if (place == mate) return warp.stores;
  const std::uint32_t index = warps_[mate].index;
  return index < warp.seen.size() ? warp.seen[index] : 0;
}

void QuantumMachine::set(Warp& warp, State state) {
  const auto count_of = [this](State of) {
    return of == State::running ? &running_ : of == State::faulted ? &faulted_ : nullptr;
  };
  if (unsigned* const count = count_of(warp.state)) --*count;
  if (unsigned* const count = count_of(state)) ++*count;
  warp.state = state;
}

void QuantumMachine::stop(Warp& warp, EndReason reason) {
  set(warp, State::stopped);
  warp.reason = reason;
}

void QuantumMachine::advance() {
  if (mode_ != Mode::parallel || running_ != 0) return;
  for (CtaPlace cta = 0; cta < ctas_.size(); ++cta) {
    if (may_replenish(cta)) return;
  }
  mode_ = Mode::commit;
  const auto present = [](const Warp& warp) { return warp.state != State::absent; };
  uncommitted_ = static_cast<unsigned>(std::count_if(warps_.begin(), warps_.end(), present));
}

void QuantumMachine::committed(Place place) {
  if (mode_ != Mode::commit) throw base::ModelError("gpudet: stores are committed outside commit mode");
  if (std::exchange(warps_[place].committed, true)) return;
  if (--uncommitted_ == 0) begin_serial();
}

void QuantumMachine::begin_serial() {
  mode_ = Mode::serial;
  serial_.clear();
  next_to_issue_ = next_to_perform_ = 0;
  for (Place place = 0; place < warps_.size(); ++place) {
    if (warps_[place].serial == Serial::waits) serial_.push_back(place);
  }
  if (serial_.empty()) end_quantum();
}

std::optional<Place> QuantumMachine::turn() const {
  if (mode_ != Mode::serial || next_to_issue_ == serial_.size()) return std::nullopt;
  const Place place = serial_[next_to_issue_], oldest = serial_[next_to_perform_];
  const bool pipelined =
      spec_.serial == SerialOrder::cu_ser && oldest / warps_per_sm_ == place / warps_per_sm_ && !warps_[place].alone;
  return pipelined || next_to_perform_ == next_to_issue_ ? std::optional<Place>(place) : std::nullopt;
}

void QuantumMachine::performed(Place place) {
  if (mode_ != Mode::serial || warps_[place].serial != Serial::issued)
    throw base::ModelError("gpudet: an atomic is performed out of its turn");
  warps_[place].serial = Serial::none;
  const auto done = [this](Place one) { return warps_[one].serial == Serial::none; };
  while (next_to_perform_ < next_to_issue_ && done(serial_[next_to_perform_])) ++next_to_perform_;
  if (next_to_perform_ == serial_.size()) end_quantum();
}

void QuantumMachine::end_quantum() {
  for (Cta& cta : ctas_) {
    if (ended(cta)) {
      for (const Place place : cta.warps) warps_[place] = {};
      cta = {};
    }
    cta.partition_empty = false;
    cta.barrier = {};
  }
  for (Warp& warp : warps_) {
    if (warp.state == State::absent) continue;
    warp.fence_paid = warp.state == State::stopped && warp.reason == EndReason::fence;
    warp.committed = false;
    warp.issued = std::exchange(warp.ahead, 0);
    warp.clock = warp.issued;
    warp.stores = warp.epoch = 0;
    warp.seen.clear();
    if (warp.state == State::exited || warp.state == State::faulted) continue;
    set(warp, warp.waits_at == barriers ? State::running : State::at_barrier);
  }
  round_ += epochs_ + 1;
  epochs_ = 0;
  atomics_ = 0;
  ++quantum_;
  mode_ = Mode::distribution;
}

void QuantumMachine::encode(std::string& to) const {
  const auto put = [&to](std::uint64_t value) {
    for (; value >= 128; value >>= 7) to += static_cast<char>(value | 128);
    to += static_cast<char>(value);
  };
  const auto put_all = [&put](const Seen& seen) {
    put(seen.size());
    for (const std::uint32_t one : seen) put(one);
  };
  put(static_cast<unsigned>(mode_));
  for (const Warp& warp : warps_) {
    put(static_cast<unsigned>(warp.state));
    if (warp.state == State::absent) continue;
    put(static_cast<unsigned>(warp.reason));
    put(static_cast<unsigned>(warp.serial));
    put((warp.fence_paid ? 1U : 0U) | (warp.committed ? 2U : 0U) | (warp.alone ? 4U : 0U));
    for (const std::uint32_t one :
         {std::uint32_t{warp.waits_at}, warp.issued, warp.ahead, warp.stores, warp.clock, warp.epoch, warp.cta})
      put(one);
    put_all(warp.seen);
  }
  for (const Cta& cta : ctas_) {
    put(cta.warps.size());
    for (const Place place : cta.warps) put(place);
    put(cta.partition_empty ? 1 : 0);
    for (const Barrier& barrier : cta.barrier) {
      put(barrier.epoch);
      put(barrier.clock);
      put_all(barrier.seen);
    }
  }
}

}  // namespace syncline::protocols::gpudet
