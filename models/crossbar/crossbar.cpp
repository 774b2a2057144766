#include "models/crossbar/crossbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/round_up.h"
#include "models/clock/lane.h"

namespace syncline::models {

const base::ChoiceTable<Arbitration>& arbitrations() {
  static const base::ChoiceTable<Arbitration> table = {{"round_robin", Arbitration::round_robin},
                                                       {"age", Arbitration::age}};
  return table;
}

namespace {

/// Flits of a network: the queue, and what comes while the first of it does not take part in arbitration yet, for that
/// costs no bandwidth.
unsigned room_at_input(const CrossbarSpec& spec) {
  const base::Cycle coming = (spec.allocation_period * spec.bandwidth + spec.flit - 1) / spec.flit;
  return spec.input_queue + static_cast<unsigned>(std::min<base::Cycle>(coming, longest_queue));
}

}  // namespace

Crossbar::Input::Input(const std::string& name, Crossbar& owner, unsigned port, unsigned networks, unsigned depth)
    : target(name, owner, port), queues(networks) {
  for (InputQueue& queue : queues) queue.fifo.set_limit(depth);
}

Crossbar::Output::Output(const std::string& name, Crossbar& owner, unsigned port, unsigned networks, unsigned depth)
    : initiator(name, owner, port), queues(networks) {
  for (OutputQueue& queue : queues) queue.fifo.set_limit(depth);
}

Crossbar::Crossbar(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                   const CrossbarSpec& spec, unsigned inputs, Router outputs, const PerturbationSpec& perturbation,
                   TickRank rank)
    : Block(name, context),
      spec_(spec),
      period_(std::max<base::Cycle>(spec.allocation_period, 1)),
      input_room_(room_at_input(spec)),
      perturbation_(perturbation),
      router_(std::move(outputs)),
      random_(perturbation.random(context.seed, this->name())),
      traffic_(context.families) {
  if (inputs == 0 || router_.ports() == 0)
    throw base::UserError(
        fmt::format("the crossbar {} needs at least one port on each side, it has {} inputs and {} outputs",
                    this->name(), inputs, router_.ports()));
  for (unsigned i = 0; i < inputs; ++i)
    inputs_.push_back(std::make_unique<Input>(fmt::format("in{}", i), *this, i, spec_.virtual_networks, input_room_));
  for (unsigned i = 0; i < router_.ports(); ++i)
    outputs_.push_back(
        std::make_unique<Output>(fmt::format("out{}", i), *this, i, spec_.virtual_networks, spec_.output_queue));
  for (const auto& input : inputs_) {
    for (unsigned network = 0; network < spec_.virtual_networks; ++network) {
      input->queues[network].last_ready.resize(router_.ports());
      contenders_.push_back({input.get(), &input->queues[network], static_cast<VirtualNetwork>(network)});
    }
  }
  waiting_.resize((contenders_.size() + 63) / 64);
  requested_.reserve(router_.ports());
  if (perturbation_.arbiter_state) randomise_turns();
  if (perturbation_.network_jitter != 0)
    context.scheduler.keep_order("perturbation.network_jitter draws as messages come");
  register_observers();
  clock.add(*this, rank, this->name());
}

Crossbar::~Crossbar() = default;

void Crossbar::randomise_turns() {
  base::Random random = perturbation_.random(context().seed, std::string(name()) + ".arbiter_state");
  for (const auto& output : outputs_) output->turn = random.below(static_cast<std::uint32_t>(contenders_.size()));
}

void Crossbar::register_observers() {
  traffic_.add_to(context().statistics, name());
  statistic("busy_port_cycles", "cycles", "cycles in which an output port moved data, summed over ports",
            busy_port_cycles_);
  statistic("refused", "messages", "messages that found their input queue full and waited on the link", refused_);
  statistic("queueing", "cycles", "wait in the input queue until a message was granted its output", queueing_);
  statistic("input_depth", "flits", "flits in the input queue that a message found on arrival", input_depth_);
  gauge("utilisation", "ratio", "share of output port cycles that moved data", [this] {
    const double cycles = static_cast<double>(clock()->now() + 1) * static_cast<double>(outputs_.size());
    return static_cast<double>(busy_port_cycles_.value()) / cycles;
  });
  add_energy();
  register_waves();
}

void Crossbar::add_energy() {
  const CrossbarEnergy energy(
      spec_.energy, {inputs(), outputs(), spec_.virtual_networks, spec_.flit, spec_.input_queue, spec_.output_queue});
  const auto flits = [this] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < traffic_.classes(); ++i) sum += traffic_.flits(i);
    return static_cast<double>(sum);
  };
  // SystemC's to_seconds() rounds differently from release to release. A tick is one picosecond.
  const auto seconds = [] { return static_cast<double>(now_ps()) * 1000 * 1e-15; };
  for (std::size_t i = 0; i < traffic_.classes(); ++i) {
    gauge("energy_" + std::string(context().families.traffic_names()[i]), "nJ",
          "dynamic energy of the flits of this class, queues, switch and links", [this, energy, i] {
            return static_cast<double>(traffic_.flits(i)) * (energy.router_flit() + energy.link_flit());
          });
  }
  gauge("energy_router_dynamic", "nJ", "energy of all flits in queues and switch",
        [energy, flits] { return flits() * energy.router_flit(); });
  gauge("energy_link_dynamic", "nJ", "energy of all flits on the links",
        [energy, flits] { return flits() * energy.link_flit(); });
  gauge("energy_router_static", "nJ", "leakage of the queues of all virtual networks",
        [energy, seconds] { return energy.router_leakage(seconds()); });
  gauge("energy_link_static", "nJ", "leakage of the repeaters of the links",
        [energy, seconds] { return energy.link_leakage(seconds()); });
}

bool Crossbar::receive(Message& message, const sc_core::sc_time& arrival, unsigned port) {
  if (message.network >= spec_.virtual_networks)
    throw base::ModelError(fmt::format("{}: a {} message for virtual network {}, but there are only {}", name(),
                                       describe(message), message.network, spec_.virtual_networks));
  const unsigned output = router_.port(message.destination);
  if (output == Router::nowhere)
    throw base::ModelError(fmt::format("{}: a {} message for {}, to which none of the {} outputs leads", name(),
                                       describe(message), models::name(message.destination), outputs_.size()));
  InputQueue& queue = inputs_[port]->queues[message.network];
  const unsigned size = flits(message.bytes);
  // A message longer than the queue streams through it alone.
  if (queue.flits != 0 && queue.flits + size > input_room_) {
    in_order(tile().lane(), [this] { refused_.add(); });
    return false;
  }
  base::Cycle ready = clock()->cycle_at_or_after(arrival);
  if (!message.ideal) ready += spec_.allocation_period;
  const base::Cycle arrived = ready;
  if (perturbation_.network_jitter != 0) ready += random_.below(perturbation_.network_jitter + 1);
  // Delayed by chance, messages overtake those for other outputs, as in networks with a queue per output.
  base::Cycle& last_ready = queue.last_ready[perturbation_.network_jitter != 0 ? output : 0];
  ready = std::max(ready, last_ready);
  last_ready = ready;
  const unsigned depth = queue.flits;
  queue.flits += size;
  inputs_[port]->flits += size;
  const auto behind = std::upper_bound(queue.fifo.begin(), queue.fifo.end(), ready,
                                       [](base::Cycle at, const Queued& queued) { return at < queued.ready; });
  if (!queue.fifo.empty() && behind == queue.fifo.begin()) {
    const Queued& first = queue.fifo.front();
    let_go(outputs_[first.output]->queues[message.network], *first.message);
  }
  queue.fifo.insert(behind, {&message, ready, arrived, output, message.bytes, message.ideal});
  const unsigned contender = port * spec_.virtual_networks + message.network;
  in_order(tile().lane(), [this, contender, depth, size, ready, is_ideal = message.ideal] {
    queued(contender, depth, size, is_ideal);
    wake(is_ideal ? ready : allocation_of(ready));
  });
  return true;
}

/// What no port has to itself.
void Crossbar::queued(unsigned contender, unsigned depth, unsigned size, bool is_ideal) {
  has_ideal_ |= is_ideal;
  input_depth_.sample(depth);
  queued_flits_ += size;
  waiting_[contender / 64] |= std::uint64_t{1} << (contender % 64);
}

base::Cycle Crossbar::tick(base::Cycle now) {
  if (has_ideal_) pass_ideal(now);
  const base::Cycle begin = allocation_of(now), end = begin + period_;
  base::Cycle next = now == begin ? begin : next_grant(end - 1);
  while (next < end) {
    while (arbitrate(next)) {
    }
    next = next_grant(next);
  }
  if (next != base::never) next = allocation_of(next);
  return has_ideal_ ? std::min(next, next_ideal(now)) : next;
}

void Crossbar::pass_ideal(base::Cycle now) {
  for (std::size_t word = 0; word < waiting_.size(); ++word) {
    for (std::uint64_t bits = waiting_[word]; bits != 0; bits &= bits - 1) {
      const unsigned contender = static_cast<unsigned>(word * 64) + static_cast<unsigned>(__builtin_ctzll(bits));
      const Contender& from = contenders_[contender];
      while (!from.queue->fifo.empty()) {
        const Queued& head = from.queue->fifo.front();
        Output& output = *outputs_[head.output];
        if (!head.ideal || head.ready > now) break;
        if (!has_room(output.queues[from.network], head.bytes)) break;
        Message& message = *take(contender).message;
        tell(message, traffic_.count_ideal(message), 0);
        ++tile().progress;
        deliver(output, from.network, message, clock()->ps_of(now + 1));
        from.input->target.resume(from.network);
      }
    }
  }
}

/// Smaller is better: the distance from the contender whose turn it is, which under `age` decides among equally old
/// ones.
std::uint64_t Crossbar::rank_of(const Queued& head, unsigned contender, const Output& output) const {
  const auto contenders = static_cast<unsigned>(contenders_.size());
  const unsigned turn = (contender >= output.turn ? contender : contender + contenders) - output.turn;
  return spec_.arbitration == Arbitration::age ? head.arrived * contenders + turn : turn;
}

bool Crossbar::arbitrate(base::Cycle now) {
  requested_.clear();
  bool some_left = false;
  for (std::size_t word = 0; word < waiting_.size(); ++word) {
    for (std::uint64_t bits = waiting_[word]; bits != 0; bits &= bits - 1) {
      const unsigned contender = static_cast<unsigned>(word * 64) + static_cast<unsigned>(__builtin_ctzll(bits));
      const Contender& from = contenders_[contender];
      const Queued& head = from.queue->fifo.front();
      if (head.ready > now || from.input->free_at > now || head.ideal) continue;
      Output& output = *outputs_[head.output];
      if (output.free_at > now) continue;
      const std::uint64_t turn = rank_of(head, contender, output);
      OutputQueue& queue = output.queues[from.network];
      if (!may_pass(queue, head)) {
        some_left |= keep_room(now, queue, turn, head);
        continue;
      }
      const std::uint64_t rank = perturbation_.random_arbitration ? random_.below(~0U) : turn;
      if (output.winner < 0) requested_.push_back(head.output);
      if (output.winner < 0 || rank < output.rank) {
        output.winner = static_cast<int>(contender);
        output.rank = rank;
      }
    }
  }
  bool granted = false;
  for (const unsigned port : requested_) {
    Output& output = *outputs_[port];
    const auto contender = static_cast<unsigned>(output.winner);
    output.winner = -1;
    if (contenders_[contender].input->free_at > now) {
      some_left = true;
    } else {
      grant(now, contender, output);
      granted = true;
    }
  }
  return granted && some_left;
}

/// A message that finds too little room is granted before shorter ones: were they granted what becomes free, it could
/// wait for ever. Of several it is the one whose turn comes first.
bool Crossbar::keep_room(base::Cycle now, OutputQueue& queue, std::uint64_t rank, const Queued& head) {
  if (queue.kept_for != nullptr && (queue.kept_since != now || queue.kept_rank <= rank)) return false;
  queue.kept_for = head.message;
  queue.kept_bytes = head.bytes;
  queue.kept_since = now;
  queue.kept_rank = rank;
  return true;
}

Crossbar::Queued Crossbar::take(unsigned contender) {
  InputQueue& queue = *contenders_[contender].queue;
  const Queued head = queue.fifo.front();
  queue.fifo.pop_front();
  if (queue.fifo.empty()) {
    waiting_[contender / 64] &= ~(std::uint64_t{1} << (contender % 64));
  } else {
    prefetch(*queue.fifo.front().message);
  }
  const unsigned size = flits(head.bytes);
  queue.flits -= size;
  contenders_[contender].input->flits -= size;
  queued_flits_ -= size;
  return head;
}

void Crossbar::grant(base::Cycle now, unsigned contender, Output& output) {
  Input& input = *contenders_[contender].input;
  const VirtualNetwork network = contenders_[contender].network;
  const Queued head = take(contender);

  Message& message = *head.message;
  let_go(output.queues[network], message);
  const unsigned size = flits(message.bytes);
  const base::Cycle cycles = (std::uint64_t{size} * spec_.flit + spec_.bandwidth - 1) / spec_.bandwidth;
  input.free_at = output.free_at = now + cycles;
  output.family = message.family;
  output.kind = message.kind;
  output.line = message.line;
  output.turn = contender + 1 == contenders_.size() ? 0 : contender + 1;

  tell(message, traffic_.count(message, size), size);
  busy_port_cycles_.add(cycles);
  queueing_.sample(now - head.arrived);
  ++tile().progress;

  base::Cycle arrival = now + spec_.latency - spec_.allocation_period + cycles - 1;
  if (perturbation_.network_jitter != 0) arrival += random_.below(perturbation_.network_jitter + 1);
  deliver(output, network, message, clock()->ps_of(arrival));
  // The place in the input queue is free: a sender that waits gets its END_REQ now.
  input.target.resume(network);
}

void Crossbar::deliver(Output& output, VirtualNetwork network, Message& message, std::uint64_t arrival_ps) {
  OutputQueue& queue = output.queues[network];
  arrival_ps = std::max(arrival_ps, queue.last_arrival_ps);
  queue.last_arrival_ps = arrival_ps;
  if (!output.initiator.ready(network)) {
    queue.flits += flits(message.bytes);
    queue.fifo.push_back({&message, arrival_ps});
    in_order(tile().lane(), [this] { ++blocked_messages_; });
    return;
  }
  const std::uint64_t now = now_ps();
  const sc_core::sc_time delay = sc_core::sc_time::from_value(arrival_ps > now ? arrival_ps - now : 0);
  output.initiator.send(message, delay);
}

void Crossbar::on_ready(VirtualNetwork network, unsigned port) {
  Output& output = *outputs_[port];
  OutputQueue& queue = output.queues[network];
  while (!queue.fifo.empty() && output.initiator.ready(network)) {
    const Granted next = queue.fifo.front();
    queue.fifo.pop_front();
    queue.flits -= flits(next.message->bytes);
    in_order(tile().lane(), [this] { --blocked_messages_; });
    deliver(output, network, *next.message, next.arrival_ps);
  }
  // What is granted for this period has been.
  wake(period_ == 1 || has_ideal_ ? 0 : base::round_up(clock()->now() + 1, period_));
}

base::Cycle Crossbar::next_grant(base::Cycle now) const {
  base::Cycle next = base::never;
  for (std::size_t word = 0; word < waiting_.size(); ++word) {
    for (std::uint64_t bits = waiting_[word]; bits != 0; bits &= bits - 1) {
      const unsigned contender = static_cast<unsigned>(word * 64) + static_cast<unsigned>(__builtin_ctzll(bits));
      const Contender& from = contenders_[contender];
      const Queued& head = from.queue->fifo.front();
      const Output& output = *outputs_[head.output];
      // Without room in the output queue, on_ready wakes.
      if (head.ideal || !may_pass(output.queues[from.network], head)) continue;
      next = std::min(next, std::max({head.ready, from.input->free_at, output.free_at, now + 1}));
    }
  }
  return next;
}

base::Cycle Crossbar::next_ideal(base::Cycle now) const {
  base::Cycle next = base::never;
  for (const Contender& from : contenders_) {
    if (from.queue->fifo.empty()) continue;
    const Queued& head = from.queue->fifo.front();
    if (!head.ideal || !has_room(outputs_[head.output]->queues[from.network], head.bytes)) continue;
    next = std::min(next, std::max(head.ready, now + 1));
  }
  return next;
}

base::Cycle Crossbar::woken_by_tiles_in() const {
  if (approach_ == 0 || expects_ideal_) return 0;
  if (approach_ == base::never) return base::never;
  // A receiver that has refused something may take it at any time.
  const bool blocked =
      std::any_of(outputs_.begin(), outputs_.end(), [](const auto& output) { return output->initiator.any_busy(); });
  return blocked ? 0 : approach_;
}

std::vector<std::string> Crossbar::check_end_of_run() const {
  return describe_waiting();
}

std::vector<std::string> Crossbar::describe_waiting() const {
  std::vector<std::string> lines;
  for (std::size_t port = 0; port < inputs_.size(); ++port) {
    for (unsigned network = 0; network < spec_.virtual_networks; ++network) {
      const InputQueue& queue = inputs_[port]->queues[network];
      if (queue.fifo.empty()) continue;
      const Message& head = *queue.fifo.front().message;
      lines.push_back(fmt::format("{}: input {} network {}: {} messages wait, the first is a {} of line {:#x} for {}",
                                  name(), port, network, queue.fifo.size(), describe(head), head.line.value(),
                                  models::name(head.destination)));
    }
  }
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    for (unsigned network = 0; network < spec_.virtual_networks; ++network) {
      if (outputs_[port]->initiator.ready(static_cast<VirtualNetwork>(network))) continue;
      lines.push_back(fmt::format("{}: output {} network {}: the receiver does not take a message, {} more behind it",
                                  name(), port, network, outputs_[port]->queues[network].fifo.size()));
    }
  }
  return lines;
}

}  // namespace syncline::models
