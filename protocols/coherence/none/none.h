// The policy `none`: what GPUs ship. Writes go through to the L2, where atomics are done too; nothing keeps L1 copies
// current except the boundary of a grid. A program that is free of data races within a grid, or that uses volatile and
// atomic accesses for what its CTAs share, reads what was written.
//
// Sources: CUDA C Programming Guide, "Compute Capability 2.x/3.x, Global Memory" (L1 caching on Fermi, bypass on
// Kepler, no coherence between L1s); PTX ISA, "Cache Operators" (ca, cg, cs, lu, cv).
#pragma once

#include "base/fields.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

enum class NoneL1 { caching, bypass };
enum class NoneStoreHit { invalidate, update };
enum class NoneAcquire { invalidate, keep };
enum class NonePrivate { write_back, write_through };

inline const base::ChoiceTable<NoneL1>& none_l1_names() {
  static const base::ChoiceTable<NoneL1> names{{"caching", NoneL1::caching}, {"bypass", NoneL1::bypass}};
  return names;
}
inline const base::ChoiceTable<NoneStoreHit>& none_store_hit_names() {
  static const base::ChoiceTable<NoneStoreHit> names{{"invalidate", NoneStoreHit::invalidate},
                                                     {"update", NoneStoreHit::update}};
  return names;
}
inline const base::ChoiceTable<NoneAcquire>& none_acquire_names() {
  static const base::ChoiceTable<NoneAcquire> names{{"invalidate", NoneAcquire::invalidate},
                                                    {"keep", NoneAcquire::keep}};
  return names;
}
inline const base::ChoiceTable<NonePrivate>& none_private_names() {
  static const base::ChoiceTable<NonePrivate> names{{"write_back", NonePrivate::write_back},
                                                    {"write_through", NonePrivate::write_through}};
  return names;
}

/// The keys `coherence.none.*`.
struct NoneSpec {
  NoneL1 l1 = NoneL1::caching;
  NoneStoreHit store_hit = NoneStoreHit::invalidate;
  NoneAcquire acquire = NoneAcquire::invalidate;
  NonePrivate private_memory = NonePrivate::write_back;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice(
        "l1", l1, none_l1_names(),
        param::text("global loads are cached in the L1, or go around it; local and read-only data is cached in both",
                    "CUDA C Programming Guide: Fermi caches, Kepler bypasses"));
    v.choice("store_hit", store_hit, none_store_hit_names(),
             param::text("what a global store does to the L1's copy of its line", "Fermi evicts on a global write"));
    v.choice(
        "acquire", acquire, none_acquire_names(),
        param::text("whether an acquire of gpu or sys scope, fences included, empties the L1 as PTX's memory model "
                    "needs it (Volta) or keeps stale lines (Fermi)",
                    "PTX ISA, Memory Consistency Model"));
    v.choice("private", private_memory, none_private_names(),
             param::text("stores to a thread's own memory stay in the L1 until their frame is wanted, or go through to "
                         "the L2 at once",
                         "GPGPU-Sim's GTX 480: local memory is written back, global memory through"));
  }
};

/// States, events and messages are public: tests name them.
namespace none {

enum class Message : std::uint8_t { GETS, GETU, WRITE, ATOMIC, DATA, DATA_U, ACK, ATOMIC_DATA };

enum class L1State : std::uint8_t { I, V, IV, IX, P, M, PM };
enum class L1Event : std::uint8_t {
  Load,
  Load_Around,
  Store,
  Store_Private,
  Atomic,
  Replacement,
  Flush,
  Data,
  Reply,
  Load_Last
};
/// From `keep` on only where a thread's own memory is written back.
enum class L1Action : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  hit,
  write,
  drop,
  fill,
  answer_parked,
  deliver,
  keep,
  acknowledge,
  write_back,
  replay
};

enum class HomeState : std::uint8_t { NP, P, V, F };
enum class HomeEvent : std::uint8_t { Load, Store, Atomic, Replacement, Mem_Data };
enum class HomeGuard : std::uint8_t { covered, completes, dirty };
enum class HomeAction : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  send_DATA,
  send_ACK,
  send_ATOMIC_DATA,
  write_back,
  drop
};

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> l1_table(const NoneSpec& spec);
std::shared_ptr<const TransitionTable> home_table();
std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const NoneSpec& spec);
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table);

/// The machines, for policies that add to them.
class L1Machine : public Machine {
 public:
  L1Machine(std::shared_ptr<const TransitionTable> table, const NoneSpec& spec)
      : Machine(std::move(table)), spec_(spec) {}
  FenceOutcome fence(const Stimulus& stimulus, NodeMeta& node) override;

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;

 private:
  NoneSpec spec_;
};

class HomeMachine : public Machine {
 public:
  using Machine::Machine;

 protected:
  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override;
};

}  // namespace none

CoherencePolicy make_none(const NoneSpec& spec);

}  // namespace syncline::protocols
