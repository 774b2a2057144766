// Several L1s, networks and L2 slices with their memories, as small or large as a test wants.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/atomic_unit/atomic_unit.h"
#include "models/l1_cache/l1_cache.h"
#include "models/l2_slice/l2_slice.h"
#include "models/partition/address_map.h"
#include "platform/stress/delay_network.h"
#include "platform/stress/random_memory.h"
#include "protocols/coherence/registry.h"

namespace syncline::stress {

struct MemorySystemSpec {
  unsigned l1s = 3;
  unsigned slices = 2;
  std::uint64_t seed = 1;
  std::uint64_t max_network_delay_ps = 40'000;
  std::uint64_t max_memory_delay_ps = 100'000;
  std::size_t network_capacity = 2;
  std::size_t memory_bytes = 1 << 16;  ///< of each slice
  models::L1Spec l1;
  models::L2Spec l2;
  models::InterleavingSpec interleaving;
  protocols::CoherenceSpec coherence;
  models::MakeAtomicUnit atomic_unit;                    ///< instead of the library's
  std::optional<protocols::CoherencePolicy> own_policy;  ///< instead of one of the registry
  const models::HomeMap* own_homes = nullptr;            ///< instead of the interleaving; outlives the system

  /// Caches of four lines and queues of one or two entries: every race happens within a few thousand accesses.
  static MemorySystemSpec tiny() {
    MemorySystemSpec spec;
    spec.l1.size = 4 * 128;
    spec.l1.ways = 2;
    spec.l1.hit_latency = 3;
    spec.l1.mshr_entries = 2;
    spec.l1.mshr_merges = 2;
    spec.l1.handles = 3;
    spec.l1.input_queue = spec.l1.reply_queue = spec.l1.output_queue = 1;
    spec.l2.size = 4 * 128;
    spec.l2.ways = 2;
    spec.l2.latency = 4;
    spec.l2.mshr_entries = 2;
    spec.l2.mshr_merges = 2;
    spec.l2.banks = 2;
    spec.l2.input_queue = spec.l2.output_queue = 1;
    spec.l2.memory_queue = 3;
    return spec;
  }
};

class MemorySystem {
 public:
  MemorySystem(models::PlatformContext& context, const MemorySystemSpec& s)
      : spec(with_partitions(s)),
        core_clock(context.scheduler.add_domain("core", 1'400'000'000)),
        l2_clock(context.scheduler.add_domain("l2", 700'000'000)),
        map(spec.interleaving),
        homes(spec.own_homes != nullptr ? *spec.own_homes : map),
        policy(spec.own_policy ? *spec.own_policy
                               : protocols::make_coherence_policy(spec.coherence, protocol_context())),
        requests("requests", spec.l1s, models::Router::to(models::NodeKind::home, spec.slices),
                 spec.max_network_delay_ps, spec.network_capacity, spec.seed),
        replies("replies", spec.slices + (policy.peer_messages ? spec.l1s : 0),
                models::Router::to(models::NodeKind::l1, spec.l1s), spec.max_network_delay_ps, spec.network_capacity,
                spec.seed + 1) {
    context.seed = spec.seed;
    for (unsigned i = 0; i < spec.l1s; ++i) {
      l1s.push_back(std::make_unique<models::L1Cache>(("l1_" + std::to_string(i)).c_str(), context, core_clock, spec.l1,
                                                      policy, base::SmId(static_cast<std::uint16_t>(i)), homes));
      l1s[i]->to_network.socket.bind(requests.input(i).socket);
      replies.output(i).socket.bind(l1s[i]->from_network.socket);
      if (l1s[i]->to_peers) l1s[i]->to_peers->socket.bind(replies.input(spec.slices + i).socket);
    }
    for (unsigned i = 0; i < spec.slices; ++i) {
      const std::string number = std::to_string(i);
      slices.push_back(std::make_unique<models::L2Slice>(("l2_" + number).c_str(), context, l2_clock, spec.l2, policy,
                                                         base::PartitionId(static_cast<std::uint16_t>(i)), homes));
      memories.push_back(std::make_unique<RandomMemory>(("memory_" + number).c_str(), spec.memory_bytes,
                                                        spec.max_memory_delay_ps, spec.seed + i));
      requests.output(i).socket.bind(slices[i]->requests.socket);
      slices[i]->replies.socket.bind(replies.input(i).socket);
      slices[i]->memory.socket.bind(memories[i]->socket);
      if (spec.atomic_unit) {
        spec.atomic_unit(i, context, l2_clock, slices[i]->atomics.socket);
      } else {
        atomic_units.push_back(std::make_unique<models::AtomicUnit>(("atomic_unit_" + number).c_str(), context,
                                                                    l2_clock, spec.l2.atomic_unit));
        slices[i]->atomics.socket.bind(atomic_units[i]->socket);
      }
    }
    for (unsigned i = 0; i < spec.slices; ++i) {
      if (slices[i]->to_next) slices[i]->to_next->socket.bind(slices[(i + 1) % spec.slices]->from_previous->socket);
    }
  }

  models::L2Slice& home(std::uint64_t address) { return *slices[homes.home(address).index]; }
  std::uint32_t debug_word(std::uint64_t address) {
    std::uint32_t word = 0;
    home(address).debug_read(base::ByteAddress(address), reinterpret_cast<std::uint8_t*>(&word), sizeof word);
    return word;
  }
  void debug_word(std::uint64_t address, std::uint32_t word) {
    home(address).debug_write(base::ByteAddress(address), reinterpret_cast<const std::uint8_t*>(&word), sizeof word);
  }

  const MemorySystemSpec spec;
  models::ClockDomain& core_clock;
  models::ClockDomain& l2_clock;
  const models::AddressMap map;
  const models::HomeMap& homes;
  const protocols::CoherencePolicy policy;
  DelayNetwork requests, replies;
  std::vector<std::unique_ptr<models::L1Cache>> l1s;
  std::vector<std::unique_ptr<models::L2Slice>> slices;
  std::vector<std::unique_ptr<models::AtomicUnit>> atomic_units;  ///< none where the user makes them
  std::vector<std::unique_ptr<RandomMemory>> memories;

 private:
  protocols::CoherenceContext protocol_context() const {
    protocols::CoherenceContext context;
    context.l1s = spec.l1s;
    context.homes = spec.slices;
    return context;
  }
  static MemorySystemSpec with_partitions(MemorySystemSpec s) {
    s.interleaving.partitions = s.slices;
    return s;
  }
};

}  // namespace syncline::stress
