// The memory side of a GPU over random networks and memories, with L1s in front, as small or large as a test wants.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/l1_cache/l1_cache.h"
#include "platform/gpu/memory_side.h"
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
  models::ModulesSpec modules;  ///< L1s and slices are dealt to them
  protocols::CoherenceSpec coherence;
  models::MakeAtomicUnit atomic_unit;                    ///< instead of the library's
  std::optional<protocols::CoherencePolicy> own_policy;  ///< instead of one of the registry
  const models::HomeMap* own_homes = nullptr;            ///< instead of the interleaving; outlives the system

  /// That of the caches.
  protocols::CoherencePolicy policy() const;

  /// As few modules as show a hierarchy, for policies that need several: with L1s and slices in each, room in the L2
  /// for one line of each role, and pages of few lines.
  void spread() {
    modules.gpus = modules.gpms = 2;
    const auto of_each = [this](unsigned count) { return (count + modules.count() - 1) / modules.count(); };
    l1s = modules.count() * of_each(l1s);
    slices = modules.count() * of_each(slices);
    modules.pages.bytes = interleaving.chunk = 512;
    l2.ways = std::max(3U, l2.ways);
    l2.size = l2.ways * std::max(1U, l2.size / (l2.ways * l2.line)) * l2.line;
    l2.mshr_entries = std::max(3U, l2.mshr_entries);
    l2.handles = 3;
  }

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

/// No SM: each L1 is that of a foreign initiator, for whoever drives it. Blocks are called l1_0, part0_l2 and so on.
class MemorySystem {
 public:
  MemorySystem(models::PlatformContext& context, const MemorySystemSpec& s);

  std::uint32_t debug_word(std::uint64_t address) const {
    std::uint32_t word = 0;
    side.debug_read(address, &word, sizeof word);
    return word;
  }
  void debug_word(std::uint64_t address, std::uint32_t word) const { side.debug_write(address, &word, sizeof word); }

  const MemorySystemSpec spec;
  const platform::GpuPlan plan;
  platform::MemorySide side;
  const protocols::CoherencePolicy& policy;
  const models::HomeMap& homes;
  models::ClockDomain& core_clock;
  std::vector<std::unique_ptr<models::L1Cache>> l1s;
  std::vector<models::L2Slice*> slices;
};

}  // namespace syncline::stress
