// Quanta: who may issue, when a quantum ends, in which order its stores and its atomics take effect.
//
// The machine knows no time. Its host tells what warps do, asks whether they may go on, and does what each mode is
// about. All answers are functions of what the warps themselves did, never of the order in which the host reports about
// different warps; `syncline check gpudet` explores that.
//
// Warps have places: SM s owns the places [s * warps_per_sm, (s + 1) * warps_per_sm). They are the machine's own, not
// the SM's warp slots, whose choice may depend on time. The place is the "hardware wavefront ID" of section 4.4.2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocols/determinism/gpudet/spec.h"

namespace syncline::protocols::gpudet {

/// In this order; `serial` is left out where no warp stopped at an atomic. In `distribution` CTAs are dealt to SMs
/// (section 4.2.2).
enum class Mode : std::uint8_t { distribution, parallel, commit, serial };
const char* name(Mode mode);

/// Why a warp stopped in parallel mode (section 4.2; figure 4.2). `log_full`: its store buffer has no room for another
/// store; the thesis has no bound.
enum class EndReason : std::uint8_t { instruction_count, atomic, fence, barrier, exit, log_full };
const char* name(EndReason reason);

/// What a warp is about to issue. `call`: of the system, which like an atomic waits for its turn, and besides for all
/// that is before it: it reads memory.
enum class OpClass : std::uint8_t { plain, store, atomic, fence, call };
struct Ask {
  OpClass op = OpClass::plain;
  bool log_room = true;   ///< its store buffer has room for another store instruction
  bool shared = false;    ///< it may access the shared memory of its CTA
  bool releases = false;  ///< who reads what it writes, be it in this quantum, has to see the warp's earlier stores
  bool ahead = false;     ///< it is no barrier, no exit, nor anything else that other warps hear of
  bool reads = false;     ///< it may read global memory
  bool counted = false;   ///< it comes to a barrier, and some of its program are for so many threads, whoever they are
};

using Place = std::uint32_t;     ///< of a warp
using CtaPlace = std::uint32_t;  ///< of a CTA: its number among those of the GPU

/// Where a store stands in the order of commits (section 4.4.2: depth is warp - round * 2^m).
struct Rank {
  std::uint64_t round = 0;  ///< counts quanta, and barriers within them
  Place warp = 0;
  /// The stores of `a` stay where both write.
  friend bool wins(const Rank& a, const Rank& b) { return a.round != b.round ? a.round > b.round : a.warp <= b.warp; }
};

class QuantumMachine {
 public:
  static constexpr unsigned barriers = 16;  ///< of a CTA

  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

  /// `rounds`: as many as a quantum may have, at least 1.
  QuantumMachine(const GpudetSpec& spec, unsigned sms, unsigned warps_per_sm, std::uint64_t rounds = no_limit);

  Mode mode() const { return mode_; }
  std::uint64_t quantum() const { return quantum_; }
  /// Rank::round of the first stores of this quantum.
  std::uint64_t round() const { return round_; }
  /// The highest of its stores so far.
  std::uint64_t last_round() const { return round_ + epochs_; }

  // Distribution mode.
  /// A CTA of `warps` warps takes the lowest places of `sm`; nothing when it has not so many left.
  std::optional<CtaPlace> launch(unsigned sm, unsigned warps);
  /// No CTA waits that has a place: parallel mode begins, if any warp can run.
  void distributed();

  // Parallel mode, the atomics of serial mode, and with Overlap::next_quantum what goes ahead of its quantum.
  /// Whether the warp may issue such an instruction now. A warp that may not in parallel mode has stopped, perhaps by
  /// this question, or waits for its turn where there is an order: at barriers that count, and at shared memory if the
  /// spec says so. What goes ahead reads what memory holds when commit mode is over; the host sees to that.
  bool may_issue(Place warp, const Ask& ask);
  bool may_issue(Place warp, OpClass op) { return may_issue(warp, Ask{op}); }
  /// The warp of the CTA whose turn it is where there is an order: of those that run, the one that has issued the
  /// fewest instructions, those of warps that it waited for at barriers included (a logical clock, which time does not
  /// move). Nothing when none runs.
  std::optional<Place> first_in_order(CtaPlace cta) const;
  void issued(Place warp, OpClass op);
  /// The warp is counted at a barrier; `waits`: until it opens (bar.sync, not bar.arrive).
  void arrived(Place warp, unsigned barrier, bool waits);
  /// All have come: who waits goes on, in this quantum or (`base`, or when this has no round left) in the next.
  void opened(CtaPlace cta, unsigned barrier);
  void exited(Place warp);
  /// An instruction of the warp is at fault: it never goes on. One that went ahead counts for the next quantum.
  void faulted(Place warp);
  /// The CTA has ended and `bta_dwp` lets another take its place now, unless `no_more` was said or the quantum has no
  /// round left for it.
  bool may_replenish(CtaPlace cta) const;
  /// Another CTA with as many warps takes the place of one that ended.
  void replenish(CtaPlace cta);
  /// No CTA is left in the partition of this place: the quantum ends without.
  void no_more(CtaPlace cta);
  /// Commit mode begins if nobody runs. To be called when all that an instruction brought about has been told (a warp
  /// that comes last to a barrier also opens it), and after `may_issue` denied.
  void advance();

  /// The warp whose atomic or call may issue next; nothing when others have to be performed first.
  std::optional<Place> turn() const;

  /// Of a store that the warp issues now.
  Rank rank(Place warp) const { return {round_ + warps_[warp].epoch, warp}; }
  /// How many of the store instructions that `mate`, of the same CTA, issued in this quantum `warp` sees.
  std::uint32_t seen(Place warp, Place mate) const;
  /// Whether there may be such of any other warp.
  bool sees_others(Place warp) const { return !warps_[warp].seen.empty(); }

  // Commit mode.
  /// All stores of the warp have taken effect.
  void committed(Place warp);

  // Serial mode.
  /// The warp's atomic or call has taken effect.
  void performed(Place warp);

  // What a host may want to know.
  bool present(Place warp) const { return warps_[warp].state != State::absent; }
  /// A warp can run, or could not go on for a fault: there is something to do in parallel mode.
  bool anybody_runs() const { return running_ + faulted_ != 0; }
  /// That the warp has issued in this quantum.
  std::uint32_t instructions(Place warp) const { return warps_[warp].issued; }
  bool running(Place warp) const { return warps_[warp].state == State::running; }
  /// Of a warp that is present and not running.
  EndReason reason(Place warp) const { return warps_[warp].reason; }
  bool waits_at_barrier(Place warp) const { return warps_[warp].waits_at != barriers; }
  bool has_exited(Place warp) const { return warps_[warp].state == State::exited; }
  CtaPlace cta_of(Place warp) const { return warps_[warp].cta; }
  const std::vector<Place>& warps_of(CtaPlace cta) const { return ctas_[cta].warps; }
  unsigned places() const { return static_cast<unsigned>(warps_.size()); }
  /// Appends all that later answers depend on, so that two machines can be compared.
  void encode(std::string& to) const;

 private:
  enum class State : std::uint8_t {
    absent,
    running,
    at_barrier,  ///< runs on in this quantum when the barrier opens, unless it is `base`
    stopped,
    exited,
    faulted
  };
  enum class Serial : std::uint8_t { none, waits, issued };
  /// Store instructions seen of each warp of the CTA, by their order there.
  using Seen = std::vector<std::uint32_t>;
  struct Warp {
    State state = State::absent;
    EndReason reason = EndReason::exit;
    Serial serial = Serial::none;
    bool fence_paid = false;  ///< its stores were committed since it met the fence, or what releases them
    bool committed = false;   ///< in this commit mode
    bool alone = false;       ///< what it stopped at waits until all before it is performed
    std::uint8_t waits_at = barriers;
    std::uint32_t issued = 0, stores = 0;  ///< in this quantum
    std::uint32_t ahead = 0;               ///< issued since it ended, of the next one
    std::uint32_t clock = 0;               ///< `issued`, with what it waited for at barriers
    std::uint32_t epoch = 0;               ///< barriers that are behind it in this quantum (Lamport's clock)
    CtaPlace cta = 0;
    std::uint32_t index = 0;  ///< in the CTA
    Seen seen;
  };
  struct Barrier {
    std::uint32_t epoch = 0, clock = 0;
    Seen seen;
  };
  struct Cta {
    std::vector<Place> warps;
    bool partition_empty = false;  ///< `no_more`
    std::array<Barrier, barriers> barrier;
  };

  bool may_go_ahead(const Warp& warp, const Ask& ask) const;
  /// There is a round behind that of `epoch`, where rounds are counted.
  bool may_follow(std::uint32_t epoch) const {
    return spec_.barrier_rule == BarrierRule::thesis || epoch + std::uint64_t{1} < rounds_;
  }
  std::uint32_t last_epoch(const Cta& cta) const;
  void set(Warp& warp, State state);
  void stop(Warp& warp, EndReason reason);
  void begin_serial();
  void end_quantum();
  bool ended(const Cta& cta) const;

  GpudetSpec spec_;
  unsigned warps_per_sm_;
  std::uint64_t rounds_;
  Mode mode_ = Mode::distribution;
  std::uint64_t quantum_ = 0;
  std::uint64_t round_ = 1;          ///< of this quantum's first stores
  std::vector<Warp> warps_;          ///< by place
  std::vector<Cta> ctas_;            ///< by place; those without warps are free
  std::uint32_t epochs_ = 0;         ///< the highest epoch of this quantum
  unsigned running_ = 0;             ///< warps in that state
  unsigned faulted_ = 0;             ///< and in that
  unsigned uncommitted_ = 0;         ///< warps, in commit mode
  unsigned atomics_ = 0;             ///< warps that stopped at one, or at a call, in this quantum
  std::vector<Place> serial_;        ///< these warps, in the order of their turns
  std::size_t next_to_issue_ = 0;    ///< in serial_
  std::size_t next_to_perform_ = 0;  ///< in serial_: those before are performed
};

}  // namespace syncline::protocols::gpudet
