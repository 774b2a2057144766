// Seam: the way of a line access from the coalescer to the L1 is an ordered chain of stages. A stage passes an access
// on, answers it, keeps it, splits it or only looks; replies come back through the chain in the opposite order. A store
// buffer of a determinism policy, a transaction's logs and an ordering rule are stages.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "models/sm/l1_interface.h"
#include "models/transport/message.h"

namespace syncline::models {

class MemoryStage;

/// What a stage can do to the chain outside its own turn. The SM's memory path implements it.
class MemoryChain {
 public:
  virtual ~MemoryChain() = default;
  /// A fresh request of this SM to its L1, to be filled in.
  virtual Message& make_request(MessageClass message_class, L1Kind kind) = 0;
  /// `request` goes on behind `stage`, in front of what waits there; it must have been kept or made by the stage.
  virtual void forward(const MemoryStage& stage, Message& request) = 0;
  /// `reply` goes back up from `stage` and arrives at `cycle`; one reference is passed on.
  virtual void answer(const MemoryStage& stage, Message& reply, base::Cycle cycle) = 0;
  /// `message` comes to the reply() of `stage` itself at `cycle`: its alarm clock.
  virtual void remind(const MemoryStage& stage, Message& message, base::Cycle cycle) = 0;
  /// A stage that answered `Offer::wait` can take the access now.
  virtual void retry() = 0;
};

class MemoryStage {
 public:
  enum class Offer : std::uint8_t {
    pass,  ///< the access goes on to the next stage, possibly changed
    take,  ///< the stage owns the access now: it will `forward`, `answer` or release it
    wait   ///< not now: the access and everything behind it waits for `retry`
  };

  virtual ~MemoryStage() = default;
  virtual void attach(MemoryChain& chain) { (void)chain; }
  /// A request in program order of its warp (models/sm/l1_interface.h says what it holds).
  virtual Offer offer(Message& request, base::Cycle now) = 0;
  /// A reply on its way back to the registers; true when the stage has consumed it (and released it).
  virtual bool reply(Message& reply, base::Cycle now) {
    (void)reply, (void)now;
    return false;
  }
  /// What is left over at the end of a run, one line each.
  virtual std::vector<std::string> left_over() const { return {}; }
};

/// `none`: everything passes. An empty chain does the same; this one shows the smallest stage.
class PassStage final : public MemoryStage {
 public:
  Offer offer(Message&, base::Cycle) override { return Offer::pass; }
};

}  // namespace syncline::models
