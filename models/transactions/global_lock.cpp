#include "models/transactions/global_lock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "models/transactions/lane_words.h"

namespace syncline::models {
namespace {

constexpr unsigned ticket_at = 0, serving_at = 4;  // places in the lock's line
constexpr std::uint32_t lock_tag = 1U << 31;       // no tag of the SM's has this bit

}  // namespace

/// Lane stages have the control of lanes; nothing is decided for any of their instructions.
class GlobalLock::Control final : public LaneStage {
 public:
  explicit Control(std::shared_ptr<GlobalLock> lock) : lock_(std::move(lock)) {}
  std::string_view name() const override { return "global_lock"; }
  void attach(LaneChain&, LaneControl& control) override { lock_->control_ = &control; }
  void offer(LaneOffer& offer, base::Cycle) override { offer.pass(offer.access().lanes); }

 private:
  const std::shared_ptr<GlobalLock> lock_;
};

std::shared_ptr<LaneStage> GlobalLock::control_of(const std::shared_ptr<GlobalLock>& lock) {
  return std::make_shared<Control>(lock);
}

GlobalLock::GlobalLock(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
                       const GlobalLockSpec& spec, base::LineAddress address, unsigned slots, GpuPlace place)
    : Block(name, context),
      spec_(spec),
      line_(address),
      core_(core),
      teller_(context.transactions_of(place)),
      warps_(slots) {
  statistic("transactions", "transactions", "committed, each of one lane", transactions_);
  statistic("looks", "messages", "atomics that asked whose turn it is", looks_);
  statistic("fences", "messages", "behind the lock and before it is given back", fences_sent_);
  statistic("waited", "cycles", "of the warp that is the SM's next one, until a lane of it has the lock", waited_);
  statistic("held", "cycles", "from the lock to the store that gives it back", held_);
}

void GlobalLock::transaction_begun(const WarpIdentity& warp, base::LaneMask lanes) {
  touched();
  control_->abort(warp.slot, lanes);
  WarpState& state = warps_[warp.slot];
  const bool queued = state.waiting != 0 || (lane_ != 0 && queue_.front() == warp.slot);
  state.waiting |= lanes;
  state.warp = warp;
  if (queued) return;
  queue_.push_back(warp.slot);
  if (step_ == Step::idle) next_warp();
}

void GlobalLock::next_warp() {
  asked_at_ = core_.now();
  send(atomic(ticket_at, isa::AtomicOp::add, 1), Step::draw);
}

void GlobalLock::look() {
  looks_.add();
  send(atomic(serving_at, isa::AtomicOp::or_, 0), Step::look);
}

/// The reply is kept as an alarm clock while others have the lock.
bool GlobalLock::turn(std::uint32_t serving, Message& reply, base::Cycle now) {
  const std::uint32_t before = ticket_ - serving;
  if (before != 0) {
    step_ = Step::back_off;
    chain_->remind(*this, reply, now + std::uint64_t{before} * spec_.backoff);
    return true;
  }
  got_at_ = now;
  waited_.sample(now - asked_at_);
  drain(Step::enter);
  return false;
}

/// Waits until all that the warp has under way is performed, as a fence asks.
void GlobalLock::drain(Step step) {
  step_ = step;
  drain_up_to_ = 0;
  for (const Access& access : warps_[queue_.front()].accesses) drain_up_to_ = std::max(drain_up_to_, access.order);
  if (drain_up_to_ == 0) drained();
}

void GlobalLock::drained() {
  const bool enters = step_ == Step::enter;
  if (fences_->plan(isa::Scope::gpu, isa::Semantics::sc).ask_l1) {
    fences_sent_.add();
    Message& message = chain_->make_request(MessageClass::control, L1Kind::fence);
    message.semantics = isa::Semantics::sc;
    message.scope = isa::Scope::gpu;
    return send(message, enters ? Step::acquire : Step::release);
  }
  if (enters)
    run();
  else
    open();
}

void GlobalLock::run() {
  const unsigned slot = queue_.front();
  WarpState& state = warps_[slot];
  lane_ = base::lane_bit(base::first_lane(state.waiting));
  state.waiting &= ~lane_;
  step_ = Step::run;
  teller_.begun(state.warp, base::first_lane(lane_));
  control_->restore(slot);
  if (state.waiting != 0) control_->abort(slot, state.waiting);
}

void GlobalLock::transaction_arrived(const WarpIdentity&, base::LaneMask) {
  touched();
  drain(Step::leave);
}

void GlobalLock::open() {
  teller_.committed();
  Message& message = chain_->make_request(MessageClass::store_request, L1Kind::global);
  message.line = line_;
  message.mask = base::ByteMask::range(serving_at, word_bytes);
  message.semantics = isa::Semantics::relaxed;
  message.scope = isa::Scope::gpu;
  const std::uint32_t next = ticket_ + 1;
  std::memcpy(message.data.data() + serving_at, &next, word_bytes);
  send(message, Step::open);
}

void GlobalLock::opened(base::Cycle now) {
  const unsigned slot = queue_.front();
  queue_.pop_front();
  held_.sample(now - got_at_);
  transactions_.add();
  control_->commit(slot, std::exchange(lane_, 0));
  step_ = Step::idle;
  if (warps_[slot].waiting != 0) queue_.push_back(slot);
  if (!queue_.empty()) next_warp();
}

Message& GlobalLock::atomic(unsigned offset, isa::AtomicOp op, std::uint32_t operand) {
  Message& message = chain_->make_request(MessageClass::atomic_request, L1Kind::global);
  message.line = line_;
  message.mask = base::ByteMask::range(offset, word_bytes);
  message.semantics = isa::Semantics::relaxed;
  message.scope = isa::Scope::gpu;
  message.atomic = op;
  message.atomic_type = op == isa::AtomicOp::add ? isa::Type::u32 : isa::Type::b32;
  message.returns_value = true;
  message.atomic_count = 1;
  message.atomics[0] = {0, static_cast<std::uint8_t>(offset), false, operand, 0};
  return message;
}

void GlobalLock::send(Message& message, Step step) {
  step_ = step;
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(queue_.front()));
  message.tag = lock_tag;
  chain_->forward(*this, message);
}

bool GlobalLock::reply(Message& reply, base::Cycle now) {
  if (reply.tag != lock_tag) return false;
  const auto value = static_cast<std::uint32_t>(reply.atomics[0].operand);
  switch (step_) {
    case Step::draw:
      ticket_ = value;
      look();
      break;
    case Step::look:
      if (turn(value, reply, now)) return true;
      break;
    case Step::back_off:
      look();
      break;
    case Step::acquire:
      run();
      break;
    case Step::release:
      open();
      break;
    case Step::open:
      opened(now);
      break;
    case Step::idle:
    case Step::enter:
    case Step::run:
    case Step::leave:
      throw base::ModelError(std::string(name()) + ": an answer to nothing that it has asked");
  }
  reply.payload()->release();
  return true;
}

bool GlobalLock::is_transactional(const Message& request) const {
  if (lane_ == 0 || request.warp.value() != queue_.front() || l1_kind(request) != L1Kind::global) return false;
  const std::vector<Access>& accesses = warps_[queue_.front()].accesses;
  return std::any_of(accesses.begin(), accesses.end(),
                     [&](const Access& access) { return access.transactional && access.order == request.order; });
}

/// What another SM has stored in its transaction may be older in the L1.
MemoryStage::Offer GlobalLock::offer(Message& request, base::Cycle) {
  if (!is_transactional(request)) return Offer::pass;
  if (request.semantics == isa::Semantics::none || request.semantics == isa::Semantics::weak)
    request.semantics = isa::Semantics::relaxed;
  if (request.scope != isa::Scope::sys) request.scope = isa::Scope::gpu;
  return Offer::pass;
}

void GlobalLock::memory_started(const WarpIdentity& warp, const WarpMemory& memory) {
  const bool transactional = lane_ != 0 && queue_.front() == warp.slot && (memory.access.lanes & lane_) != 0;
  warps_[warp.slot].accesses.push_back({memory.order, transactional});
  if (transactional) teller_.started(memory);
}

void GlobalLock::memory_answered(const WarpIdentity& warp, const WarpMemory& memory) {
  std::vector<Access>& accesses = warps_[warp.slot].accesses;
  const auto found = std::find_if(accesses.begin(), accesses.end(),
                                  [&](const Access& access) { return access.order == memory.order; });
  if (found != accesses.end()) {
    if (found->transactional) teller_.answered(memory);
    accesses.erase(found);
  }
  if ((step_ != Step::enter && step_ != Step::leave) || queue_.front() != warp.slot) return;
  if (std::none_of(accesses.begin(), accesses.end(),
                   [&](const Access& access) { return access.order <= drain_up_to_; }))
    drained();
}

std::vector<std::string> GlobalLock::left_over() const {
  static constexpr std::string_view waits_for[] = {
      "nothing",           "a ticket", "whose turn it is", "its turn",          "older accesses",
      "the acquire fence", "a commit", "accesses",         "the release fence", "the store that gives it back"};
  if (step_ == Step::idle) return {};
  return {
      fmt::format("the warp in slot {} waits for {}, to have or to give back the lock of all transactions; {} others "
                  "of the SM wait for it",
                  queue_.front(), waits_for[static_cast<std::size_t>(step_)], queue_.size() - 1)};
}

}  // namespace syncline::models
