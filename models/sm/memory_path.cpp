#include "models/sm/memory_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/taps.h"

namespace syncline::models {
namespace {

constexpr unsigned part_bits = 16;

MessageClass class_of(isa::AccessKind kind) {
  switch (kind) {
    case isa::AccessKind::store:
      return MessageClass::store_request;
    case isa::AccessKind::atomic:
    case isa::AccessKind::reduction:
      return MessageClass::atomic_request;
    case isa::AccessKind::load:
    case isa::AccessKind::prefetch:
      break;
  }
  return MessageClass::load_request;
}

}  // namespace

MemoryPath::MemoryPath(const SmMemorySpec& spec, base::SmId sm, const ScopeReach& scopes, unsigned max_controls,
                       MessagePool& pool, MessageInitiator& l1, std::vector<std::shared_ptr<MemoryStage>> stages,
                       MemoryPathOwner& owner)
    : spec_(spec),
      sm_(sm),
      scopes_(scopes),
      pool_(pool),
      l1_(l1),
      stages_(std::move(stages)),
      owner_(owner),
      queue_(spec.queue + max_controls) {
  table_.reserve(spec.instructions);  // entries stay where they are
  for (const auto& stage : stages_) stage->attach(*this);
}

void MemoryPath::add_entry() {
  table_.push_back({std::make_unique<MemoryInstruction>(), free_});
  table_.back().instruction->index = static_cast<std::uint32_t>(table_.size() - 1);
  free_ = &table_.back();
}

void MemoryPath::take(base::Cycle now) {
  MemoryInstruction& instruction = *free_->instruction;
  free_ = free_->next_free;
  ++under_way_;
  instruction.under_way = true;
  instruction.handed_on = false;
  instruction.sent = instruction.answered = 0;
  instruction.order = MemoryInstruction::no_order;
  instruction.issued_at = now;
}

void MemoryPath::start(MemoryInstruction& instruction, base::Cycle now) {
  instruction.order = ++started_;
  instruction.ready_at = now + spec_.address_latency + instruction.delay;
  queue_.push_back({&instruction, nullptr, instruction.ready_at});
  ++queued_instructions_;
}

bool MemoryPath::writes_up_to(std::uint64_t order) const {
  return std::any_of(table_.begin(), table_.end(), [order](const Entry& entry) {
    const MemoryInstruction& i = *entry.instruction;
    return i.under_way && i.writes_memory && i.kind == L1Kind::global && i.order <= order;
  });
}

Message& MemoryPath::make_request(MessageClass message_class, L1Kind kind) {
  Message& message = pool_.get();
  message.message_class = message_class;
  set_l1_kind(message, kind);
  message.network = sm_l1_network;
  return message;
}

void MemoryPath::send_control(L1Kind kind, std::uint32_t tag, unsigned slot, isa::Semantics semantics, isa::Scope scope,
                              base::Cycle now) {
  Message& message = make_request(MessageClass::control, kind);
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(slot));
  message.tag = tag;
  message.order = ++started_;
  message.semantics = semantics;
  message.scope = scopes_.of(scope, semantics, false);
  queue_.push_back({nullptr, &message, now + 1});
}

Message& MemoryPath::message_of_part(MemoryInstruction& instruction, std::size_t part_index) {
  const LinePart& part = instruction.parts[part_index];
  const isa::MemoryAccess& access = instruction.access;
  Message& message = make_request(class_of(access.kind), instruction.kind);
  message.line = part.line;
  message.mask = part.mask;
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(instruction.slot));
  message.tag = instruction.index << part_bits | static_cast<std::uint32_t>(part_index);
  message.semantics = access.semantics;
  message.scope = scopes_.of(access.scope, access.semantics, access.atomic != isa::AtomicOp::none);
  message.cache = access.cache;
  message.pc = instruction.pc;
  message.order = instruction.order;
  message.read_only = access.non_coherent || instruction.kind == L1Kind::constant;
  if (message.message_class == MessageClass::store_request) gather(instruction, part, message.data);
  if (message.message_class == MessageClass::atomic_request) {
    message.atomic = access.atomic;
    message.atomic_type = access.type;
    message.ftz = access.ftz;
    message.returns_value = access.kind == isa::AccessKind::atomic;
    gather_atomics(instruction, part, message);
  }
  if (base::has_taps && followed_) owner_.requested(message, instruction);
  return message;
}

bool MemoryPath::can_try(const Moving& moving) const {
  return !moving.stuck || (moving.stage == stages_.size() ? l1_.ready(sm_l1_network) : may_retry_);
}

void MemoryPath::advance(base::Cycle now) {
  // Requests that stages send go first: an access that waits may wait at the stage for exactly these.
  if (!injected_.empty() && can_try(injected_.front()) && move(injected_.front(), now)) {
    injected_.erase(injected_.begin());
    return;
  }
  if (moving_.message != nullptr) {
    if (can_try(moving_)) {
      may_retry_ = false;
      if (move(moving_, now)) moved(now);
    }
    return;
  }
  may_retry_ = false;
  if (queue_.empty() || queue_.front().ready_at > now) return;
  const Queued head = queue_.front();
  if (head.control != nullptr) {
    queue_.pop_front();
    moving_ = {head.control, 0, false, nullptr};
    if (move(moving_, now)) moved(now);
    return;
  }
  MemoryInstruction& instruction = *head.instruction;
  moving_ = {&message_of_part(instruction, instruction.sent++), 0, false, nullptr};
  const bool was_last = instruction.sent == instruction.parts.size();
  if (was_last && instruction.kind == L1Kind::prefetch) moving_.prefetch = &instruction;
  if (was_last) {
    queue_.pop_front();
    --queued_instructions_;
  }
  if (move(moving_, now)) moved(now);
}

void MemoryPath::moved(base::Cycle now) {
  MemoryInstruction* const prefetch = std::exchange(moving_, {}).prefetch;
  if (prefetch != nullptr) finish(*prefetch, now);
}

bool MemoryPath::move(Moving& moving, base::Cycle now) {
  moving.stuck = true;
  for (; moving.stage < stages_.size(); ++moving.stage) {
    const MemoryStage::Offer offer = stages_[moving.stage]->offer(*moving.message, now);
    if (offer == MemoryStage::Offer::take) return true;
    if (offer == MemoryStage::Offer::wait) return false;
  }
  if (!l1_.ready(sm_l1_network)) return false;
  l1_.send(*moving.message);
  return true;
}

void MemoryPath::add_reply(Message& reply, std::size_t stage, base::Cycle cycle) {
  prefetch_asker(reply);
  replies_.push_back({cycle, reply_order_++, stage, &reply});
  std::push_heap(replies_.begin(), replies_.end());
  owner_.path_wakes(cycle);
}

/// What complete() reads of the instruction that the reply is for is rarely in a near cache of the host.
void MemoryPath::prefetch_asker(const Message& reply) const {
  const std::size_t index = reply.tag >> part_bits, part = reply.tag & ((1u << part_bits) - 1);
  if ((reply.tag & stage_tag) != 0 || index >= table_.size()) return;
  const MemoryInstruction& instruction = *table_[index].instruction;
  __builtin_prefetch(&instruction.access);
  __builtin_prefetch(instruction.access.data.data());
  __builtin_prefetch(instruction.parts.data() + part);
}

void MemoryPath::deliver(base::Cycle now) {
  while (!replies_.empty() && replies_.front().cycle <= now) {
    const Reply due = replies_.front();
    std::pop_heap(replies_.begin(), replies_.end());
    replies_.pop_back();
    bool consumed = false;
    for (std::size_t stage = due.stage; stage-- > 0 && !consumed;) consumed = stages_[stage]->reply(*due.message, now);
    if (!consumed) complete(*due.message, now);
  }
}

void MemoryPath::complete(Message& reply, base::Cycle now) {
  if ((reply.tag & stage_tag) != 0 && owner_.stage_answered(reply, now)) return;
  if (reply.family != &l1_family)
    throw base::ModelError(fmt::format("SM {}: no stage waits for a {}", sm_.value(), describe(reply)));
  const L1Kind kind = l1_kind(reply);
  if (kind == L1Kind::fence || kind == L1Kind::grid_begin || kind == L1Kind::grid_end) {
    owner_.control_answered(kind, reply.tag, now);
    reply.payload()->release();
    return;
  }
  const std::size_t index = reply.tag >> part_bits, part_index = reply.tag & ((1u << part_bits) - 1);
  if (index >= table_.size() || part_index >= table_[index].instruction->parts.size())
    throw base::ModelError(fmt::format("SM {}: a reply ({}) with the unknown tag {:#x}", sm_.value(),
                                       name(reply.message_class), reply.tag));
  MemoryInstruction& instruction = *table_[index].instruction;
  const LinePart& part = instruction.parts[part_index];
  if (reply.message_class == MessageClass::data_reply) {
    if (!reply.mask.contains(part.mask))
      throw base::ModelError(fmt::format("SM {}: a data reply for line {:#x} lacks bytes that were asked for",
                                         sm_.value(), part.line.value()));
    if (kind == L1Kind::constant) owner_.constant_line(part.line, reply.data, instruction.issued_at);
    scatter(instruction, part, reply.data);
  } else if (reply.message_class == MessageClass::atomic_reply && instruction.access.kind == isa::AccessKind::atomic) {
    scatter_atomics(instruction, part, reply);
  }
  if (base::has_taps && followed_) owner_.completed(reply, instruction);
  reply.payload()->release();
  if (++instruction.answered != instruction.parts.size()) return;
  if (instruction.staged) return owner_.parts_answered(instruction, now);
  finish(instruction, now);
}

void MemoryPath::finish(MemoryInstruction& instruction, base::Cycle now) {
  instruction.under_way = false;
  owner_.performed(instruction, now);
  Entry& entry = table_[instruction.index];
  entry.next_free = free_;
  free_ = &entry;
  --under_way_;
}

base::Cycle MemoryPath::next_wake(base::Cycle now) const {
  base::Cycle next = replies_.empty() ? base::never : std::max(replies_.front().cycle, now + 1);
  if (!injected_.empty() && can_try(injected_.front())) next = now + 1;
  if (moving_.message != nullptr) {
    if (can_try(moving_)) next = now + 1;
  } else if (!queue_.empty()) {
    next = std::min(next, std::max(queue_.front().ready_at, now + 1));
  }
  return next;
}

std::size_t MemoryPath::index_of(const MemoryStage& stage) const {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i].get() == &stage) return i;
  }
  throw base::ModelError("a memory stage acts on a chain that it is not in");
}

void MemoryPath::forward(const MemoryStage& stage, Message& request) {
  injected_.push_back({&request, index_of(stage) + 1, false, nullptr});
  owner_.path_wakes(0);
}

void MemoryPath::send(Message& request) {
  injected_.push_back({&request, 0, false, nullptr});
  owner_.path_wakes(0);
}

void MemoryPath::answer(const MemoryStage& stage, Message& reply, base::Cycle cycle) {
  add_reply(reply, index_of(stage), cycle);
}

void MemoryPath::retry() {
  may_retry_ = true;
  owner_.path_wakes(0);
}

std::vector<std::string> MemoryPath::left_over() const {
  std::vector<std::string> lines;
  if (under_way_ != 0) lines.push_back(fmt::format("{} memory instructions are not performed", under_way_));
  if (!queue_.empty()) lines.push_back(fmt::format("{} entries wait in the queue to the L1", queue_.size()));
  if (moving_.message != nullptr || !injected_.empty()) lines.push_back("a line access waits on its way to the L1");
  if (!replies_.empty()) lines.push_back(fmt::format("{} replies are not delivered", replies_.size()));
  for (const auto& stage : stages_) {
    for (std::string& line : stage->left_over()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace syncline::models
