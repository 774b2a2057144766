// The caches of the model checker and those of the timed platform side by side: the same stimuli, one at a time, and
// after each cycle both must have taken the same rows and remember, hold and send the same.
//
// The timed side goes first. Accesses, fences, messages and memory's answers reach it when the bench says so, and then
// it goes on by itself, with replays, timers and replacements; the explored side is told what must have happened. A
// stimulus that has to wait stands at its cache on both sides, for the same reason, until both take it; others go on.
//
// What the world of the checker does not model, and so is not compared here:
//   room         it has a miss register, a frame, a handle and room in queues for everything. A timed cache may refuse
//                for want of these what the world takes, if the world would then hold more than the timed cache can
//   atomics      are performed in one step: the lock of a line (AtomicUnitSpec::forwarding off; atomic_lock_test.cpp)
//   arrival      of a request that waits (Stimulus::arrived): predictors of leases that learn from it
//   write-backs  of an L1, which `none` has for private lines unless told otherwise: the world writes memory at once
//   accesses     prefetches, last uses (ld.lu), program counters, messages of other families
//   a far time   WorldOptions::time_left begins near the largest timestamp; here timestamps are short instead
//   several homes, and what the SM does with fences (explore/sm_rules.h; unit/sm/memory_order_test.cpp)
#pragma once

#include <fmt/format.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "models/atomic_unit/atomic_unit.h"
#include "models/l1_cache/l1_cache.h"
#include "models/l2_slice/l2_slice.h"
#include "models/partition/address_map.h"
#include "platform/stress/core.h"
#include "protocols/coherence/explore/world.h"
#include "protocols/coherence/registry.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {

namespace explore = protocols::explore;

/// Keeps each message until it is asked to deliver it.
class HandNetwork : public sc_core::sc_module, public models::MessageReceiver, public models::MessageSender {
 public:
  struct Flight {
    models::Message* message;
    unsigned from, to;  ///< nodes of the explored side
  };
  HandNetwork(const sc_core::sc_module_name& name, unsigned l1s, bool peers) : sc_core::sc_module(name), l1s_(l1s) {
    for (unsigned i = 0; i < (peers ? 2 : 1) * l1s + 1; ++i)
      inputs_.push_back(std::make_unique<models::MessageTarget>("in" + std::to_string(i), *this, i));
    for (unsigned i = 0; i < l1s + 1; ++i)
      outputs_.push_back(std::make_unique<models::MessageInitiator>("out" + std::to_string(i), *this, i));
  }
  models::MessageTarget& from_l1(unsigned i) { return *inputs_[i]; }
  models::MessageTarget& from_home() { return *inputs_[l1s_]; }
  models::MessageTarget& from_l1_to_peers(unsigned i) { return *inputs_[l1s_ + 1 + i]; }
  models::MessageInitiator& to_l1(unsigned i) { return *outputs_[i]; }
  models::MessageInitiator& to_home() { return *outputs_[l1s_]; }
  const std::vector<Flight>& flights() const { return flights_; }
  /// The messages of one way, oldest first.
  std::vector<const models::Message*> way(unsigned from, unsigned to, unsigned network) const {
    std::vector<const models::Message*> found;
    for (const Flight& f : flights_) {
      if (f.from == from && f.to == to && f.message->network == network) found.push_back(f.message);
    }
    return found;
  }
  /// The oldest message of the way arrives, or is lost.
  void take(unsigned from, unsigned to, unsigned network, bool lose) {
    for (std::size_t i = 0; i < flights_.size(); ++i) {
      const Flight f = flights_[i];
      if (f.from != from || f.to != to || f.message->network != network) continue;
      flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
      if (lose)
        f.message->payload()->release();
      else
        outputs_[to == home ? l1s_ : to]->send(*f.message);
      return;
    }
  }

  static constexpr unsigned home = explore::max_l1s;  ///< the only one

 private:
  bool receive(models::Message& message, const sc_core::sc_time&, unsigned port) override {
    if (port < l1s_)
      flights_.push_back({&message, port, home});
    else
      flights_.push_back({&message, port == l1s_ ? home : port - l1s_ - 1, message.destination.index});
    return true;
  }
  void on_ready(models::VirtualNetwork, unsigned) override {}
  unsigned l1s_;
  std::vector<std::unique_ptr<models::MessageTarget>> inputs_;
  std::vector<std::unique_ptr<models::MessageInitiator>> outputs_;
  std::vector<Flight> flights_;
};

/// Writes at once; answers a read when it is asked to, with what it holds then.
class HandMemory : public sc_core::sc_module {
 public:
  HandMemory(const sc_core::sc_module_name& name, std::size_t bytes)
      : sc_core::sc_module(name), socket("socket"), bytes_(bytes) {
    socket.register_nb_transport_fw(this, &HandMemory::nb_transport_fw);
    socket.register_transport_dbg(this, &HandMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<HandMemory> socket;
  void answer(std::uint64_t address) {
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      tlm::tlm_generic_payload& payload = *reads_[i];
      if (payload.get_address() != address) continue;
      reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
      access(payload);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time none = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(payload, phase, none);
      payload.release();
      return;
    }
    throw base::ModelError(fmt::format("nobody reads {:#x}", address));
  }
  std::size_t reads() const { return reads_.size(); }
  std::uint8_t byte(std::uint64_t address) const { return bytes_[address]; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (payload.is_write()) {
      access(payload);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    reads_.push_back(&payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void access(tlm::tlm_generic_payload& payload) {
    const std::uint8_t* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enables != nullptr && enables[i] == TLM_BYTE_DISABLED) continue;
      std::uint8_t& here = bytes_.at(payload.get_address() + i);
      (payload.is_read() ? payload.get_data_ptr()[i] : here) = payload.is_read() ? here : payload.get_data_ptr()[i];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    access(payload);
    return payload.get_data_length();
  }
  std::vector<std::uint8_t> bytes_;
  std::vector<tlm::tlm_generic_payload*> reads_;
};

/// How the timed side is made to differ on purpose.
enum class Deviation {
  none,
  loses_a_message,
  changes_a_byte,
  is_late,
  loses_what_waits,  ///< a message that has to wait is lost
  narrows_fences,    ///< a fence reaches the L1 as one of its CTA
  hurries_fences     ///< an L1's answer to a fence counts as if it had come at once
};

struct ContractSpec {
  protocols::CoherenceSpec coherence;
  std::optional<protocols::CoherencePolicy> own_policy;  ///< instead of that of `coherence`
  std::uint64_t seed = 1;
  unsigned steps = 400;
  bool tight = false;  ///< one miss register and one handle a cache, and nobody joins
  Deviation deviation = Deviation::none;
};

class HostContract : public PlatformFixture {
 protected:
  /// Empty, or the first thing in which the two sides differ.
  std::string run(const ContractSpec& spec);
  /// How often rows for this event were taken, on both sides.
  std::uint64_t taken(std::string_view event) const;

  /// What happened, on both sides.
  unsigned done_ = 0, replays_ = 0, replacements_ = 0, fences_ = 0, late_fences_ = 0;
  unsigned refused_ = 0, recycled_ = 0;  ///< by both
  unsigned lacked_ = 0;                  ///< refusals by the timed side alone, for want of room

 private:
  using Verdict = explore::World::Verdict;
  static constexpr unsigned l1s = 2, line_bytes = 32, word_bytes = line_bytes / explore::max_words;
  static constexpr unsigned home = HandNetwork::home;
  static constexpr std::uint64_t cycle_ps = 1000;
  static constexpr unsigned quiet = 12, patience = 1500;  ///< cycles
  /// What is presented to a cache, which may have to wait.
  struct Command {
    enum class Kind { issue, deliver, memory } kind;
    unsigned node, which;  ///< where it is presented; the thread, packet or line
    unsigned line = 0;
    explore::Packet packet{};
    Verdict met = Verdict::done;          ///< by the explored side when it was asked last
    bool lacks = false;                   ///< the explored side takes it, and the timed one has no room
    bool waited = false, lacked = false;  ///< at any time so far
    std::uint64_t accepted_since = 0;     ///< cycle since which only the timed side has it wait
  };
  /// Something that the timed side may have done in a cycle.
  struct Move {
    enum class Kind { fire, replace_directory_entry, replace, ring, replay, take } kind;
    unsigned which;
  };
  struct Fence {
    bool waits = false;          ///< for the timed L1's answer
    std::uint64_t earliest = 0;  ///< cycle in which the explored side lets it end; 0: not taken yet
    std::uint64_t answered = 0;  ///< cycle; 0: not yet
  };
  void build(const ContractSpec& spec);
  void make_program(std::uint64_t seed);
  explore::Op make_op(base::Random& random, unsigned thread, bool has_private_line) const;
  std::optional<Command> choose(base::Random& random) const;
  bool may_stand_behind(const Command& command) const;
  void present(const Command& command, Deviation deviation);
  void present_access(const Command& command, Deviation deviation);
  std::string cycle(bool look);
  std::string refused(const Command& command, const char* how) const;
  std::string watch(Command& command);
  std::string compare_reason(const Command& command) const;
  std::string settle(bool look_at_once);
  std::string end_fences();
  std::string follow(unsigned node);
  bool reach(unsigned node, unsigned moves);
  std::vector<Move> moves(unsigned node) const;
  Verdict apply(explore::World& world, explore::State& state, unsigned node, const Move& move) const;
  Verdict ask(explore::World& world, explore::State& state, const Command& command) const;
  bool fits(const explore::State& state, unsigned node) const;
  bool has_room(const Command& command);
  bool noted(unsigned node, const std::vector<std::uint64_t>& before);
  bool made(unsigned node, const Move& move);
  bool same_rows(unsigned node) const;
  bool waits_only(unsigned node, std::size_t row) const {
    return world_->machine(node).table().transitions()[row].only_waits();
  }
  std::string compare_node(unsigned node) const;
  static bool same_bytes(const explore::Bytes& explored, const base::ByteMask& valid, const base::ByteMask& dirty,
                         const base::LineData& data);
  const char* differ(const explore::Packet& packet, const models::Message& message) const;
  std::string compare_flights(const std::function<bool(unsigned)>& from) const;
  std::string compare_rest() const;
  const explore::Op& next_op(unsigned thread) const {
    return program_.threads[thread].ops[state_.threads[thread].next];
  }
  const models::CoherentLines& lines(unsigned node) const {
    return node == home ? slice_->lines() : l1s_[node]->lines();
  }
  std::string where(unsigned node) const { return world_->node_name(node); }

  ContractSpec spec_;
  protocols::CoherencePolicy policy_;
  explore::Program program_;
  std::unique_ptr<explore::World> world_;
  explore::State state_;
  std::array<std::vector<std::uint64_t>, explore::max_nodes> taken_;  ///< by the explored side
  std::vector<Command> waiting_;                                      ///< presented, not yet taken; oldest first
  std::array<Fence, explore::max_threads> fence_{};
  std::array<std::uint64_t, l1s> fences_taken_{};  ///< by the explored side
  std::string difference_;                         ///< that which one way to explain a cycle has led to
  std::uint64_t now_ = 0;                          ///< cycles

  models::AddressMap map_{[] {
    models::InterleavingSpec spec;
    spec.partitions = 1;
    return spec;
  }()};
  models::L1Spec l1_spec_;
  models::L2Spec l2_spec_;
  std::unique_ptr<HandNetwork> network_;
  std::unique_ptr<HandMemory> memory_;
  std::vector<std::unique_ptr<models::L1Cache>> l1s_;
  std::vector<std::unique_ptr<stress::Core>> cores_;
  std::unique_ptr<models::L2Slice> slice_;
  std::unique_ptr<models::AtomicUnit> atomic_unit_;
  std::array<const base::Counter*, l1s> timed_fences_{};
  std::array<const base::Statistic*, l1s> handles_{};  ///< in use
  std::array<std::array<std::optional<std::uint8_t>, explore::max_operations>, explore::max_threads> answers_{};
};

}  // namespace syncline::tests
