// The caches of the model checker and those of the timed platform side by side: the same stimuli, one at a time, and
// after each cycle both must have taken the same rows and remember, hold and send the same.
//
// The timed side goes first. Accesses, messages and memory's answers reach it when the bench says so, and then it goes
// on by itself, with replays, timers and replacements; the explored side is told what must have happened.
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
enum class Deviation { none, loses_a_message, changes_a_byte, is_late };

struct ContractSpec {
  protocols::CoherenceSpec coherence;
  std::optional<protocols::CoherencePolicy> own_policy;  ///< instead of that of `coherence`
  std::uint64_t seed = 1;
  unsigned steps = 150;
  Deviation deviation = Deviation::none;
};

class HostContract : public PlatformFixture {
 protected:
  /// Empty, or the first thing in which the two sides differ.
  std::string run(const ContractSpec& spec);

  unsigned done_ = 0, replays_ = 0, replacements_ = 0;  ///< what happened, on both sides

 private:
  static constexpr unsigned l1s = 2, line_bytes = 32, home = HandNetwork::home;
  static constexpr std::uint64_t cycle_ps = 1000;
  static constexpr unsigned quiet = 12, patience = 300;  ///< cycles
  struct Command {
    enum class Kind { issue, deliver, memory } kind;
    unsigned node, which;  ///< where it is presented; the thread, packet or line
    explore::Packet packet{};
  };
  void build(const ContractSpec& spec);
  void make_program(std::uint64_t seed);
  std::optional<Command> choose(base::Random& random);
  void present(const Command& command, Deviation deviation);
  std::string cycle(bool look);
  std::string refused() const;
  std::string follow(unsigned node);
  std::string compare_node(unsigned node) const;
  std::string compare_rest() const;
  const models::CoherentLines& lines(unsigned node) const {
    return node == home ? slice_->lines() : l1s_[node]->lines();
  }
  /// Tries `step` on a copy and keeps it if the timed side has taken the same rows, too.
  bool took(unsigned node, const std::function<explore::World::Verdict(explore::World&, explore::State&)>& step);
  std::string where(unsigned node) const { return world_->node_name(node); }

  protocols::CoherencePolicy policy_;
  explore::Program program_;
  std::unique_ptr<explore::World> world_;
  explore::State state_;
  std::array<std::vector<std::uint64_t>, explore::max_nodes> taken_;  ///< by the explored side
  std::optional<Command> command_;                                    ///< presented, not yet taken
  std::uint64_t now_ = 0;                                             ///< cycles

  models::AddressMap map_{[] {
    models::InterleavingSpec spec;
    spec.partitions = 1;
    return spec;
  }()};
  std::unique_ptr<HandNetwork> network_;
  std::unique_ptr<HandMemory> memory_;
  std::vector<std::unique_ptr<models::L1Cache>> l1s_;
  std::vector<std::unique_ptr<stress::Core>> cores_;
  std::unique_ptr<models::L2Slice> slice_;
  std::unique_ptr<models::AtomicUnit> atomic_unit_;
  std::array<std::array<std::optional<std::uint8_t>, explore::max_operations>, explore::max_threads> answers_{};
};

}  // namespace syncline::tests
