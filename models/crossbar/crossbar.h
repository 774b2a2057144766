// One direction of the interconnect: N input ports, M output ports, any input to any output.
//
// Ports are resources that a message reserves: a message of n flits holds its input and its output for the cycles that
// its bytes need, and arrives when its last flit does. So a message costs one arbitration, however long it is, and no
// work is done in cycles in which nothing is arbitrated.
#pragma once

#include <systemc>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/growing_ring.h"
#include "base/random.h"
#include "models/block/block.h"
#include "models/block/watched_port.h"
#include "models/crossbar/crossbar_spec.h"
#include "models/perturbation/perturbation_spec.h"
#include "models/transport/message_port.h"
#include "models/transport/router.h"
#include "models/transport/traffic_counters.h"

namespace syncline::models {

/// A message is granted its way through a crossbar. Valid during the call only.
struct CrossingEvent {
  const Message& message;
  std::size_t traffic;  ///< MessageFamilies::traffic_of
  unsigned flits;       ///< 0 of an ideal one, which takes none
};

/// Input queues are FIFOs per (port, virtual network), so messages of one source, destination and network keep their
/// order. An output is granted in round-robin order over (input, network), or to who has waited longest. A receiver
/// that refuses a message blocks its output for that network only; the messages behind it wait in the finite output
/// queue, then in the input queues, and then the senders get no END_REQ.
///
/// With an allocation period of n cycles messages take part in arbitration n cycles after they have come, and are
/// granted their ways for n cycles ahead, with the room that queues behind outputs have when that is done. So senders
/// and receivers need not be looked at within a period: their tiles may run side by side until it is over.
///
/// A message that is ideal (protocols::MessageKind::ideal) crosses in one cycle and holds no port. It keeps the order
/// of its port and network, so it is ideal only among its like: a policy gives such messages a network of their own. No
/// period holds it up.
class Crossbar : public Block, public Ticked, public MessageReceiver, public MessageSender {
 public:
  /// `outputs` says which output port leads to `Message::destination`. `name` also names the random streams of the
  /// perturbation. `rank`: of several between two nodes, those that are nearer to SMs have their turns first.
  Crossbar(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const CrossbarSpec& spec,
           unsigned inputs, Router outputs, const PerturbationSpec& perturbation = {},
           TickRank rank = TickRank::crossbar);
  ~Crossbar() override;

  MessageTarget& input(unsigned port) { return inputs_.at(port)->target; }
  MessageInitiator& output(unsigned port) { return outputs_.at(port)->initiator; }
  unsigned inputs() const { return static_cast<unsigned>(inputs_.size()); }
  unsigned outputs() const { return static_cast<unsigned>(outputs_.size()); }

  /// What comes to its inputs has been under way for so many cycles at least, unless it is ideal. base::never: no tile
  /// reaches its ports, but others of the sequential part that tiles wake.
  void set_approach(base::Cycle cycles) { approach_ = cycles; }
  /// There may be ideal messages.
  void expect_ideal() { expects_ideal_ = true; }

  base::Cycle tick(base::Cycle now) override;
  base::Cycle woken_by_tiles_in() const override;
  base::Cycle looks_every() const override { return expects_ideal_ ? 1 : period_; }
  base::Cycle wakes_tiles_in() const override { return expects_ideal_ ? 1 : spec_.latency - spec_.allocation_period; }
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;

  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  /// For who wants to know who sends what to whom.
  WatchedPort<CrossingEvent> crossings{"crossings"};
  /// For waves: MessageFamilies::kind_number of a message about the line that moves through an output, or else of one
  /// that waits at an input; 0: there is none.
  std::uint64_t message_about(base::LineAddress line) const;

  /// Flits that a message of `bytes` takes (at least one).
  unsigned flits(unsigned bytes) const { return flits_of(bytes, spec_.flit); }

 private:
  struct Queued {
    Message* message;
    base::Cycle ready;    ///< first cycle in which it may be arbitrated
    base::Cycle arrived;  ///< without injected delay, for the statistics
    unsigned output;
    std::uint16_t bytes;  ///< of the message, and
    bool ideal;           ///< as it says: arbitration has no need to look at it
  };
  struct InputQueue {
    base::GrowingRing<Queued> fifo;
    unsigned flits = 0;
    std::vector<base::Cycle> last_ready;  ///< by output under jitter, else one
  };
  struct Input {
    Input(const std::string& name, Crossbar& owner, unsigned port, unsigned networks, unsigned depth);
    MessageTarget target;
    std::vector<InputQueue> queues;  ///< by virtual network
    std::uint64_t flits = 0;         ///< of all queues
    base::Cycle free_at = 0;
  };
  struct Granted {
    Message* message;
    std::uint64_t arrival_ps;
  };
  struct OutputQueue {
    base::GrowingRing<Granted> fifo;  ///< behind a receiver that refused
    unsigned flits = 0;
    std::uint64_t last_arrival_ps = 0;
    const Message* kept_for = nullptr;  ///< head of an input queue that found too little room: no shorter one passes it
    unsigned kept_bytes = 0;            ///< its size
    base::Cycle kept_since = 0;
    std::uint64_t kept_rank = 0;
  };
  struct Output {
    Output(const std::string& name, Crossbar& owner, unsigned port, unsigned networks, unsigned depth);
    MessageInitiator initiator;
    std::vector<OutputQueue> queues;  ///< by virtual network
    base::Cycle free_at = 0;
    const MessageFamily* family = nullptr;  ///< of the message that moves until `free_at`; what of it waves show
    std::uint8_t kind = 0;
    base::LineAddress line;
    unsigned turn = 0;       ///< contender (input * networks + network) that is asked first
    int winner = -1;         ///< contender chosen in the pass that is under way
    std::uint64_t rank = 0;  ///< of the winner, smaller is better
  };

  void queued(unsigned contender, unsigned depth, unsigned size, bool is_ideal);
  bool has_room(const OutputQueue& queue, unsigned bytes) const {
    return queue.flits == 0 || queue.flits + flits(bytes) <= spec_.output_queue;
  }
  /// Whether the queue has room for it that is not kept for a longer one; among equals turns are enough.
  bool may_pass(const OutputQueue& queue, const Queued& head) const {
    const bool kept = queue.kept_for != nullptr && head.bytes < queue.kept_bytes;
    return !kept && has_room(queue, head.bytes);
  }
  bool keep_room(base::Cycle now, OutputQueue& queue, std::uint64_t rank,
                 const Queued& head);  ///< whether it is for another one now
  /// The turn in which ways are granted for `cycle`.
  base::Cycle allocation_of(base::Cycle cycle) const { return period_ == 1 ? cycle : cycle - cycle % period_; }
  std::uint64_t rank_of(const Queued& head, unsigned contender, const Output& output) const;
  static void let_go(OutputQueue& queue, const Message& message) {
    if (queue.kept_for == &message) queue.kept_for = nullptr;
  }
  void pass_ideal(base::Cycle now);  ///< grants what is ideal and holds no port
  /// One pass over the rest. True: another one may grant more, for an input whose networks have won several outputs
  /// sends one message, and the other outputs are free; or room is kept for another message than before.
  bool arbitrate(base::Cycle now);
  void grant(base::Cycle now, unsigned contender, Output& output);
  Queued take(unsigned contender);                ///< the head of the contender's queue leaves it
  base::Cycle next_grant(base::Cycle now) const;  ///< first cycle behind `now` in which there may be one
  base::Cycle next_ideal(base::Cycle now) const;
  void deliver(Output& output, VirtualNetwork network, Message& message, std::uint64_t arrival_ps);
  void randomise_turns();
  void tell(const Message& message, std::size_t traffic, unsigned flits) {
    if (crossings.watched()) crossings.write({message, traffic, flits});
  }
  void register_observers();
  void register_waves();
  bool is_moving(const Output& output) const { return output.free_at > clock()->now(); }
  std::uint64_t kind_of(const Output& output) const {
    return is_moving(output) ? context().families.kind_number(*output.family, output.kind) : 0;
  }
  const Message* first_waiting(const Input& input) const;
  void add_energy();

  const CrossbarSpec spec_;
  const base::Cycle period_;   ///< cycles for which ways are granted at once
  const unsigned input_room_;  ///< flits of a network that an input has room for, taking part or not yet
  const PerturbationSpec perturbation_;
  const Router router_;
  base::Random random_;  ///< of jitter and arbitration
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
  struct Contender {
    Input* input;
    InputQueue* queue;
    VirtualNetwork network;
  };
  std::vector<Contender> contenders_;   ///< input * networks + network
  std::vector<std::uint64_t> waiting_;  ///< bit per contender: its input queue is not empty
  bool has_ideal_ = false;              ///< an ideal message has been seen: most runs have none
  std::vector<unsigned> requested_;     ///< outputs that have a winner in the pass under way

  base::Cycle approach_ = 0;
  bool expects_ideal_ = false;
  TrafficCounters traffic_;
  base::Counter busy_port_cycles_, refused_;
  base::Distribution queueing_, input_depth_;
  std::uint64_t queued_flits_ = 0, blocked_messages_ = 0;
};

}  // namespace syncline::models
