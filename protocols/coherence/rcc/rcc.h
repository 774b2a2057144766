// The policy `rcc`: Relativistic Cache Coherence. Each SM has a logical clock (now), each line of the L2 the logical
// time of its last write (ver) and the end of the last lease that an L1 holds of it (exp). A write takes effect at a
// logical time behind all leases, so it needs nobody's permission; a copy in an L1 is valid until the SM's own clock
// has passed its lease.
//
// Source: X. Ren, doctoral thesis, chapter 3: figures 3.4 and 3.5 (states, transitions), table 3.2 (timestamps),
// sections 3.4.4 (evictions, rollover), 3.4.5 (renewal and prediction of leases, livelock).
#pragma once

#include <algorithm>

#include "base/fields.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

enum class RccPredictor { text, released, fixed };
enum class RccLease { shortest, longest };
enum class RccMnowRule { thesis, plus1 };
enum class RccAroundL1 { home, hit };

inline const base::ChoiceTable<RccPredictor>& rcc_predictor_names() {
  static const base::ChoiceTable<RccPredictor> names{
      {"text", RccPredictor::text}, {"released", RccPredictor::released}, {"fixed", RccPredictor::fixed}};
  return names;
}
inline const base::ChoiceTable<RccLease>& rcc_lease_names() {
  static const base::ChoiceTable<RccLease> names{{"shortest", RccLease::shortest}, {"longest", RccLease::longest}};
  return names;
}
inline const base::ChoiceTable<RccMnowRule>& rcc_mnow_rule_names() {
  static const base::ChoiceTable<RccMnowRule> names{{"thesis", RccMnowRule::thesis}, {"plus1", RccMnowRule::plus1}};
  return names;
}
inline const base::ChoiceTable<RccAroundL1>& rcc_around_l1_names() {
  static const base::ChoiceTable<RccAroundL1> names{{"home", RccAroundL1::home}, {"hit", RccAroundL1::hit}};
  return names;
}

/// The keys `coherence.rcc.*`, which rcc_wo reads too.
struct RccSpec {
  RccPredictor predictor = RccPredictor::text;
  std::uint64_t lease_min = 8;
  std::uint64_t lease_max = 2048;
  std::uint64_t lease_released = 64;
  std::uint64_t lease_fixed = 64;
  RccLease lease_first = RccLease::longest;
  bool renew = true;
  RccMnowRule mnow_rule = RccMnowRule::plus1;
  RccAroundL1 around_l1 = RccAroundL1::home;
  std::uint64_t tick = 10'000;
  std::uint32_t timestamp_bits = 32;

  /// Bounds of a lease, logical time. No lease is longer than an eighth of what a timestamp can say.
  std::uint64_t shortest() const { return fitting(predictor == RccPredictor::fixed ? lease_fixed : lease_min); }
  std::uint64_t longest() const {
    switch (predictor) {
      case RccPredictor::text:
        return fitting(lease_max);
      case RccPredictor::released:
        return fitting(lease_released);
      case RccPredictor::fixed:
        break;
    }
    return fitting(lease_fixed);
  }
  /// Of a line that comes from memory.
  std::uint64_t first() const { return lease_first == RccLease::longest ? longest() : shortest(); }
  /// The largest timestamp.
  std::uint64_t horizon() const { return (std::uint64_t{1} << timestamp_bits) - 1; }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("predictor", predictor, rcc_predictor_names(),
             param::text("length of a lease. text: up to lease_max, doubled when a lease is renewed; released: up to "
                         "lease_released, doubled by every GETS that hits in the L2; both: lease_first for a line that "
                         "comes from memory, lease_min once it is written; fixed: lease_fixed",
                         "Ren 3.4.5, T3.3"));
    v.field("lease_min", lease_min,
            param::count("shortest predicted lease, logical time", "Ren T3.3").between(1, 1 << 20));
    v.field("lease_max", lease_max,
            param::count("longest predicted lease, logical time; at most an eighth of a timestamp's range", "Ren T3.3")
                .between(1, 1 << 20));
    v.field("lease_released", lease_released,
            param::count("longest lease of the predictor `released`", "default of the released simulator")
                .between(1, 1 << 20));
    v.field("lease_fixed", lease_fixed, param::count("lease of the predictor `fixed`", "choice").between(1, 1 << 20));
    v.choice(
        "lease_first", lease_first, rcc_lease_names(),
        param::text("predicted lease of a line that comes from memory", "Ren 3.4.5; the released simulator has both"));
    v.field("renew", renew,
            param::flag("answer a request for an unchanged line without its bytes (RENEW)", "Ren 3.4.5, F3.7"));
    v.choice("mnow_rule", mnow_rule, rcc_mnow_rule_names(),
             param::text("time that covers a line which leaves the L2. thesis: max(exp, ver), which lets a later write "
                         "share its time with a living lease; plus1: max(exp + 1, ver)",
                         "Ren F3.5, corrected"));
    v.choice(
        "around_l1", around_l1, rcc_around_l1_names(),
        param::text("a load that asks for a copy beyond the L1 (volatile, relaxed, acquire, cg, cv). home: goes to "
                    "the L2, which may renew the copy; hit: is satisfied with a living lease",
                    "choice"));
    v.field("tick", tick,
            param::cycles("core",
                          "logical time of an SM advances by one in this time, so that a spinning SM sees its "
                          "leases end; 0: never",
                          "Ren 3.4.5"));
    v.field("timestamp_bits", timestamp_bits,
            param::bits("width of a timestamp; when one would overflow, logical time begins anew", "Ren 3.4.4, T3.3")
                .between(8, 48));
    v.require(lease_min <= lease_max, "lease_min", "must not exceed lease_max");
    v.require(lease_min <= lease_released, "lease_released", "must not be below lease_min");
  }

 private:
  std::uint64_t fitting(std::uint64_t lease) const { return std::min(lease, (horizon() + 1) / 8); }
};

/// States, events and messages are public: tests name them.
namespace rcc {

enum class Message : std::uint8_t {
  GETS,
  WRITE,
  ATOMIC,
  DATA,
  RENEW,
  ACK,
  ATOMIC_DATA,
  FLUSH,
  FLUSH_ACK,
  STALL,
  RESUME
};

/// What the places of a message's timestamps hold.
enum Stamp : unsigned {
  stamp_time,   ///< request: M.now; reply: M.ver
  stamp_exp,    ///< GETS: end of the lease of the copy that the L1 still has, 0 without one; reply: M.exp
  stamp_alone,  ///< 1: a thread's own memory, which needs no order
  stamp_epoch   ///< NodeMeta::epoch of the sender, in which the timestamps were taken
};

enum class L1State : std::uint8_t { I, V, IV, II, VI };
enum class L1Event : std::uint8_t {
  Load,
  Load_Expired,
  Store,
  Store_Private,
  Atomic,
  Replacement,
  Flush,
  Data,
  Renew,
  Read_Late,
  Ack,
  Ack_Private,
  Atomic_Data,
  Rollover
};

enum class HomeState : std::uint8_t { I, V, IV, IAV };
enum class HomeEvent : std::uint8_t {
  Load,
  Load_Private,
  Store,
  Store_Private,
  Atomic,
  Overflow,
  Held,
  Replacement,
  Mem_Data,
  Flush,
  Stall,
  Flush_Ack,
  Resume
};

/// NodeMeta::phase of a home.
enum class Phase : std::uint8_t {
  working,
  leading,  ///< began a rollover: STALL is on the ring, or the L1s are being flushed
  stalled   ///< another home leads
};

/// The logical clocks of an SM. RCC has one for everything; RCC-WO has a view for loads and one for writes.
struct Clocks {
  std::uint64_t NodeMeta::*read;
  std::uint64_t NodeMeta::*write;
};
inline constexpr Clocks one_clock{&NodeMeta::now, &NodeMeta::now};

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> l1_table(const RccSpec& spec);
std::shared_ptr<const TransitionTable> home_table(const RccSpec& spec);
/// `tick_ps`: a core cycle.
std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const RccSpec& spec, Clocks clocks,
                                 std::uint64_t tick_ps);
/// `l1s`: how many L1s a rollover flushes.
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const RccSpec& spec, unsigned l1s);

}  // namespace rcc

CoherencePolicy make_rcc(const RccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
