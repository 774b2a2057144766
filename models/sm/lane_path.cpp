#include "models/sm/lane_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace syncline::models {
namespace {

constexpr unsigned index_bits = 16;

/// "lane 3", "lanes 3, 5".
std::string text(base::LaneMask lanes) {
  std::string list;
  base::for_each_lane(lanes, [&list](unsigned lane) { list += fmt::format("{}{}", list.empty() ? "" : ", ", lane); });
  return (base::lane_count(lanes) == 1 ? "lane " : "lanes ") + list;
}

}  // namespace

/// A state, in the hands of the stage that it is offered to.
class LanePath::Offer final : public LaneOffer {
 public:
  Offer(LanePath& path, LaneStage& stage, State& state)
      : path_(path), stage_(stage), state_(state), offered_(state.instruction->access.lanes) {}

  const isa::MemoryAccess& access() const override { return state_.instruction->access; }
  const WarpIdentity& warp() const override { return state_.warp; }
  std::uint32_t pc() const override { return state_.instruction->pc; }
  LaneTicket ticket() const override { return state_.ticket; }
  std::string where() const override { return path_.owner_.describe(*state_.instruction); }

  void pass(base::LaneMask lanes) override {
    decide(lanes);
    state_.passing |= lanes;
  }
  void answer(base::LaneMask lanes, const std::uint8_t* values, base::Cycle at) override {
    decide(lanes);
    path_.stage(state_);
    path_.take_answer(stage_, state_, lanes, values, at);
  }
  void keep(base::LaneMask lanes) override {
    decide(lanes);
    path_.stage(state_);
    state_.kept[state_.stage] |= lanes;
    state_.all_kept |= lanes;
  }
  void drop(base::LaneMask lanes) override {
    decide(lanes);
    state_.instruction->results &= ~lanes;
    path_.statistics_.dropped.add(base::lane_count(lanes));
  }
  void hold() override { holds_ = true; }
  void redirect(unsigned lane, std::uint64_t address) override {
    isa::MemoryAccess& access = state_.instruction->access;
    if (!base::has_lane(access.lanes | state_.passing, lane))
      path_.fail(stage_, state_, fmt::format("redirects lane {}, which does not pass", lane));
    if (address % access.stride != 0 || address > state_.window || access.stride > state_.window - address)
      path_.fail(
          stage_, state_,
          fmt::format("redirects lane {} to {:#x}, where it cannot access {} bytes", lane, address, access.stride));
    access.address[lane] = address;
    state_.instruction->range.add(address);
    access.shape[lane / isa::MemoryAccess::shape_lanes] = isa::LaneShape::any;
  }
  void delay(base::Cycle cycles) override { state_.instruction->delay += cycles; }
  void occupy(base::Cycle cycles) override { state_.occupied += cycles; }

  bool holds() const { return holds_; }

 private:
  void decide(base::LaneMask lanes) {
    const base::LaneMask open = state_.instruction->access.lanes;
    if (const base::LaneMask twice = lanes & offered_ & ~open; twice != 0)
      path_.fail(stage_, state_, fmt::format("decides twice on {}", text(twice)));
    if (const base::LaneMask foreign = lanes & ~offered_; foreign != 0)
      path_.fail(stage_, state_, fmt::format("decides on {}, not offered to it", text(foreign)));
    state_.instruction->access.lanes = open & ~lanes;
  }

  LanePath& path_;
  LaneStage& stage_;
  State& state_;
  const base::LaneMask offered_;
  bool holds_ = false;
};

LanePath::LanePath(MemoryPath& path, std::size_t entries, unsigned slots,
                   std::vector<std::shared_ptr<LaneStage>> stages, LaneControl& control, LanePathOwner& owner)
    : path_(path), stages_(std::move(stages)), owner_(owner), states_(entries), retry_at_(slots, base::never) {
  for (const auto& stage : stages_) stage->attach(*this, control);
}

void LanePath::begin(MemoryInstruction& instruction, const WarpIdentity& warp, std::uint64_t window, base::Cycle now) {
  State& state = states_[instruction.index];
  state.instruction = &instruction;
  state.ticket = ++begun_ << index_bits | instruction.index;
  state.warp = warp;
  state.window = window;
  state.stage = 0;
  state.passing = state.all_kept = 0;
  state.kept.assign(stages_.size(), 0);
  state.held = state.passed = false;
  state.ready_at = state.registers_at = state.occupied = 0;
  instruction.results = instruction.access.lanes;
  instruction.delay = 0;
  instruction.staged = false;
  if (instruction.access.kind == isa::AccessKind::prefetch) return passed(state, now);
  statistics_.instructions.add();
  go_on(state, now);
}

/// From the stage at which it is, as far as it gets.
void LanePath::go_on(State& state, base::Cycle now) {
  base::LaneMask& open = state.instruction->access.lanes;
  for (; state.stage < stages_.size(); ++state.stage) {
    if (open != 0) {
      LaneStage& stage = *stages_[state.stage];
      retry_at_[state.warp.slot] = base::never;
      Offer offer(*this, stage, state);
      stage.offer(offer, now);
      if (open != 0 && offer.holds()) return hold(state, now);
      if (open != 0) fail(stage, state, fmt::format("forgets {}", text(open)));
    }
    open = std::exchange(state.passing, 0);
  }
  passed(state, now);
}

void LanePath::hold(State& state, base::Cycle now) {
  if (state.held) return;
  stage(state);
  state.held = true;
  state.held_since = now;
  held_.push_back(&state);
  owner_.lanes_held(state.warp.slot, true);
}

void LanePath::passed(State& state, base::Cycle now) {
  MemoryInstruction& instruction = *state.instruction;
  state.passed = true;
  if (!instruction.staged) {
    state.ticket = 0;
    return owner_.lanes_passed(instruction, state.occupied, false);
  }
  if (instruction.access.lanes != 0) owner_.lanes_passed(instruction, state.occupied, state.held);
  if (state.all_kept == 0) may_end(state);
  if (!state.held) return;
  held_.erase(std::find(held_.begin(), held_.end(), &state));
  statistics_.held.sample(now - state.held_since);
  owner_.lanes_held(state.warp.slot, false);
}

void LanePath::stage(State& state) {
  if (!state.instruction->staged) owner_.staged(*state.instruction);
}

void LanePath::take_answer(const LaneStage& stage, State& state, base::LaneMask lanes, const std::uint8_t* values,
                           base::Cycle at) {
  isa::MemoryAccess& access = state.instruction->access;
  statistics_.answered.add(base::lane_count(lanes));
  state.ready_at = std::max(state.ready_at, at);
  state.registers_at = std::max(state.registers_at, at);
  if (!state.instruction->waits_for_registers) return;
  if (values == nullptr) fail(stage, state, fmt::format("answers {} without values", text(lanes)));
  base::for_each_lane(lanes, [&](unsigned lane) {
    std::memcpy(access.data.data() + lane * access.stride, values + lane * access.stride, access.stride);
  });
}

void LanePath::values_at(MemoryInstruction& instruction, base::Cycle at) {
  State& state = states_[instruction.index];
  state.ready_at = std::max(state.ready_at, at);
  state.registers_at = std::max(state.registers_at, at);
}

void LanePath::parts_answered(MemoryInstruction& instruction, base::Cycle registers, base::Cycle now) {
  State& state = states_[instruction.index];
  state.registers_at = std::max(state.registers_at, registers);
  settle(state, now);
}

/// The stages have nothing more to say: the instruction ends with the latest answer, or with its last part behind that.
void LanePath::may_end(const State& state) {
  ends_.push_back({state.ready_at, state.ticket});
  std::push_heap(ends_.begin(), ends_.end());
  owner_.lanes_wake(state.ready_at);
}

void LanePath::settle(State& state, base::Cycle now) {
  MemoryInstruction& instruction = *state.instruction;
  if (!state.passed || state.all_kept != 0 || state.ready_at > now) return;
  if (instruction.answered != instruction.parts.size()) return;
  state.ticket = 0;
  path_.finish(instruction, now);
}

void LanePath::deliver(base::Cycle now) {
  while (!ends_.empty() && ends_.front().cycle <= now) {
    const LaneTicket ticket = ends_.front().ticket;
    std::pop_heap(ends_.begin(), ends_.end());
    ends_.pop_back();
    State& state = states_[ticket & ((1U << index_bits) - 1)];
    if (state.ticket == ticket) settle(state, now);
  }
}

base::Cycle LanePath::next_offer() const {
  base::Cycle next = base::never;
  for (const State* state : held_) next = std::min(next, retry_at_[state->warp.slot]);
  return next;
}

void LanePath::advance(base::Cycle now) {
  const auto due =
      std::find_if(held_.begin(), held_.end(), [&](const State* state) { return retry_at_[state->warp.slot] <= now; });
  if (due == held_.end()) return;
  State& state = **due;
  retry_at_[state.warp.slot] = base::never;
  go_on(state, now);
}

void LanePath::abort(unsigned slot, base::LaneMask lanes) {
  for (State& state : states_) {
    if (state.ticket == 0 || state.warp.slot != slot) continue;
    base::LaneMask& open = state.instruction->access.lanes;
    const base::LaneMask kept = state.all_kept;
    if (!state.passed) open &= ~lanes;
    state.passing &= ~lanes;
    state.instruction->results &= ~lanes;
    state.all_kept &= ~lanes;
    for (base::LaneMask& of_stage : state.kept) of_stage &= ~lanes;
    if (state.passed && kept != 0 && state.all_kept == 0) may_end(state);
    if (state.held && !state.passed && open == 0) retry(slot, 0);
  }
  for (const auto& stage : stages_) stage->aborted(slot, lanes);
}

void LanePath::answer(const LaneStage& stage, LaneTicket ticket, base::LaneMask lanes, const std::uint8_t* values,
                      base::Cycle at) {
  const std::size_t index = ticket & ((1U << index_bits) - 1);
  if (index >= states_.size() || ticket == 0 || states_[index].ticket != ticket)
    throw base::ModelError(
        fmt::format("lane stage `{}` answers {} of an instruction that is not under way", stage.name(), text(lanes)));
  State& state = states_[index];
  base::LaneMask& kept = state.kept[index_of(stage)];
  if (const base::LaneMask foreign = lanes & ~kept; foreign != 0)
    fail(stage, state, fmt::format("answers {}, not kept by it", text(foreign)));
  kept &= ~lanes;
  state.all_kept &= ~lanes;
  take_answer(stage, state, lanes, values, at);
  if (state.passed && state.all_kept == 0) may_end(state);
}

void LanePath::retry(unsigned slot, base::Cycle at) {
  retry_at_.at(slot) = std::min(retry_at_.at(slot), at);
  owner_.lanes_wake(at);
}

void LanePath::send(LaneStage& stage, Message& request, std::uint32_t token) {
  if (!request.posted) {
    const std::uint32_t number = sent_.take();
    sent_[number] = {&stage, token};
    request.tag = MemoryPath::stage_tag | number;
  }
  path_.send(request);
}

bool LanePath::replied(Message& reply, base::Cycle now) {
  const std::uint32_t number = reply.tag & ~MemoryPath::stage_tag;
  if (!sent_.known(number) || sent_[number].stage == nullptr) return false;
  const Sent sent = std::exchange(sent_[number], {});
  sent_.release(number);
  sent.stage->replied(sent.token, reply, now);
  reply.payload()->release();
  return true;
}

std::size_t LanePath::index_of(const LaneStage& stage) const {
  const auto found = std::find_if(stages_.begin(), stages_.end(), [&](const auto& one) { return one.get() == &stage; });
  if (found == stages_.end())
    throw base::ModelError(fmt::format("lane stage `{}` acts on a chain that it is not in", stage.name()));
  return static_cast<std::size_t>(found - stages_.begin());
}

void LanePath::fail(const LaneStage& stage, const State& state, const std::string& what) const {
  throw base::ModelError(
      fmt::format("{}: lane stage `{}` {}", owner_.describe(*state.instruction), stage.name(), what));
}

std::vector<std::string> LanePath::left_over() const {
  std::vector<std::string> lines;
  for (const State& state : states_) {
    if (state.ticket == 0) continue;
    const std::string what = owner_.describe(*state.instruction);
    if (state.held && !state.passed)
      lines.push_back(fmt::format("{}: lane stage `{}` holds {}", what, stages_[state.stage]->name(),
                                  text(state.instruction->access.lanes)));
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (state.kept[i] != 0)
        lines.push_back(
            fmt::format("{}: lane stage `{}` has not answered {}", what, stages_[i]->name(), text(state.kept[i])));
    }
  }
  if (sent_.in_use() != 0) lines.push_back(fmt::format("{} requests of lane stages are not answered", sent_.in_use()));
  for (const auto& stage : stages_) {
    for (std::string& line : stage->left_over()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace syncline::models
