// Parameters of GPUDet on a timed machine: those of its quanta, and of what keeps and commits stores.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "protocols/determinism/gpudet/spec.h"

namespace syncline::models {

/// Who decides between stores of different warps to one place: the Z-unit of the memory partition, or the SMs, which
/// take a lock on each chunk (GPUDet, 4.4 and 6.2.2).
enum class CommitKind : std::uint8_t { z_unit, lock };
const base::ChoiceTable<CommitKind>& commit_kinds();

/// When what a store of less than a word writes takes effect: with all other stores, which have depths for words, or
/// behind them in serial mode (GPUDet, 4.6).
enum class ByteStores : std::uint8_t { parallel, serial };
const base::ChoiceTable<ByteStores>& byte_stores_names();

/// Bits of a warp's Bloom filter, as a choice: the sizes that the thesis tries, and one without false positives.
enum class BloomSize : std::uint16_t { ideal = 0, b128 = 128, b256 = 256, b512 = 512, b1024 = 1024 };
const base::ChoiceTable<BloomSize>& bloom_sizes();

/// Bits of the filter over all that a quantum has stored.
enum class OverlapBloom : std::uint32_t { ideal = 0, b1024 = 1024, b4096 = 4096, b16384 = 16384, b65536 = 65536 };
const base::ChoiceTable<OverlapBloom>& overlap_bloom_sizes();

struct StoreBufferSpec {
  BloomSize bloom = BloomSize::b1024;
  std::uint32_t entries = 32768;
  protocols::gpudet::LogData data = protocols::gpudet::LogData::packed;
  std::uint32_t commit_window = 32;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("bloom", bloom, bloom_sizes(),
             param::text("bits of a warp's Bloom filter, in four sub-arrays; ideal: no false positives",
                         "GPUDet 4.3, 6.3.2"));
    v.field("entries", entries,
            param::count("stores of a lane that a warp's log holds, each of which may be to a line of its own; a "
                         "quantum ends before it overflows",
                         "choice: more than a quantum of the thesis's sizes can store")
                .between(64, 1 << 20));
    v.choice(
        "data", data, protocols::gpudet::log_data_names(),
        param::text("what a store takes of the log: a line, with its bytes where they are in theirs (chunk), or no "
                    "more than its bytes, one behind the other (packed); no result depends on it",
                    "GPUDet 4.3; packing: choice"));
    v.field("commit_window", commit_window,
            param::count("line accesses that an SM has under way while it commits", "choice").between(1, 1024));
  }
};

/// The keys `determinism.gpudet.*`.
struct GpudetSpec {
  protocols::gpudet::GpudetSpec quanta;
  CommitKind commit = CommitKind::z_unit;
  ByteStores byte_stores = ByteStores::parallel;
  std::uint32_t sync_latency = 0;
  std::uint32_t depth_bits = 32;
  OverlapBloom overlap_bloom = OverlapBloom::b16384;
  StoreBufferSpec store_buffer;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    quanta.fields(v);
    v.choice("commit", commit, commit_kinds(),
             param::text("stores are committed through the Z-units, or chunk by chunk under locks at the L2",
                         "GPUDet 4.4, 6.2.2"));
    v.choice(
        "byte_stores", byte_stores, byte_stores_names(),
        param::text("chunks to which a warp stores less than a word are committed with the others, where the order "
                    "of arrival may show, or behind them, one after the other",
                    "GPUDet 4.6"));
    v.field(
        "sync_latency", sync_latency,
        param::latency("core", "of each of the barriers over all SMs that separate the modes", "GPUDet 5.2, 6.3.4"));
    v.field("depth_bits", depth_bits,
            param::bits("of a depth: the number of a warp and the rounds until all depths are cleared; a quantum ends "
                        "before it has more",
                        "GPUDet 4.4.2: a 32-bit Z-buffer")
                .between(8, 32));
    v.choice(
        "overlap_bloom", overlap_bloom, overlap_bloom_sizes(),
        param::text("bits of the filter over the stores of all warps, in four sub-arrays, by which a load that goes "
                    "ahead of its quantum knows whether the commit may change what it reads; ideal: no false "
                    "positives",
                    "choice"));
    v.group("store_buffer", store_buffer, "the log of each warp's stores, in its private memory");
  }
};

}  // namespace syncline::models
