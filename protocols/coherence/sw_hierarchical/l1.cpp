// The L1 of SW with homes in GPUs: that of all policies of several modules, which says what it asks for.
#include <utility>

#include "protocols/coherence/sw_hierarchical/machines.h"

namespace syncline::protocols::sw_hierarchical {
namespace {

/// What releases for the GPU is over with its acknowledgements.
constexpr nhcc::FenceAsks asks{Scope::sys, Scope::gpu};

class L1Machine final : public nhcc::L1Machine {
 public:
  explicit L1Machine(std::shared_ptr<const TransitionTable> table) : nhcc::L1Machine(std::move(table), asks) {}

 protected:
  void complete(Code, const Stimulus& stimulus, const LineMeta&, const NodeMeta&, Action& action) const override {
    const AccessTraits& access = stimulus.access;
    const bool releases = access.releases && access.scope >= *asks.releases;
    const Message message = !releases ? Message::ACQUIRE : !access.acquires ? Message::RELEASE : Message::FENCE;
    action.message = static_cast<Code>(message);
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table() {
  const auto base = nhcc::l1_table();
  Vocabulary words = base->vocabulary();
  words.protocol = "sw_hierarchical";
  words.messages = messages();
  ActionName& forward = words.actions[static_cast<std::size_t>(nhcc::L1Action::forward_FENCE)];
  forward = forward.completed();
  forward.meaning = "FENCE, RELEASE or ACQUIRE goes to the L2";
  return std::make_shared<const TransitionTable>(base->overlaid(std::move(words), {}));
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<L1Machine>(std::move(table));
}

}  // namespace syncline::protocols::sw_hierarchical
