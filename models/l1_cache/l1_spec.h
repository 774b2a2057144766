// Parameters of an L1 data cache.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/ids.h"
#include "models/cache/tag_array.h"

namespace syncline::models {

struct L1Spec {
  std::uint32_t size = 16 * 1024;
  std::uint32_t ways = 4;
  std::uint32_t line = 128;
  std::uint32_t sector = 32;
  Replacement replacement = Replacement::lru;
  base::Cycle hit_latency = 20;
  base::Cycle send_latency = 0;
  std::uint32_t ports = 1;
  std::uint32_t mshr_entries = 64;
  std::uint32_t mshr_merges = 32;
  std::uint32_t handles = 256;
  std::uint32_t input_queue = 8;
  std::uint32_t reply_queue = 8;
  std::uint32_t output_queue = 8;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("size", size,
            param::bytes("data that the cache holds", "CUDA C Programming Guide: 16 KiB of Fermi's 64")
                .between(32, 1 << 30));
    v.field("ways", ways, param::count("lines per set", "RCC T3.3").between(1, 1024));
    v.field("line", line, param::bytes("size of a line", "RCC T3.3").between(32, 128).power_of_two());
    v.field("sector", sector,
            param::bytes("unit in which a load that goes around the L1 asks the L2",
                         "CUDA C Programming Guide: 32 B segments")
                .between(8, 128)
                .power_of_two());
    v.choice("replacement", replacement, replacement_names(), param::text("which line leaves a full set"));
    v.field("hit_latency", hit_latency,
            param::latency("core", "from the arrival of a load to the departure of its data on a hit", "choice")
                .at_least(1));
    v.field(
        "send_latency", send_latency,
        param::latency("core",
                       "what the L1 sends waits for so long before it stands at the network: requests, the bytes of "
                       "stores, acknowledgements, unblocks; any number wait at once",
                       "choice: none; 140 in the released simulator of RCC"));
    v.field("ports", ports, param::count("accesses that are looked up in a cycle", "choice").between(1, 16));
    v.field("mshr_entries", mshr_entries,
            param::count("lines that may be on their way", "RCC T3.3: 128").between(1, 4096));
    v.field("mshr_merges", mshr_merges,
            param::count("accesses that wait for one line", "GPGPU-Sim's wrapper of RCC: 32").between(1, 256));
    v.field(
        "handles", handles,
        param::count("stores, atomics and loads around the L1 that may be on their way", "choice").between(1, 65536));
    v.field("input_queue", input_queue, param::entries("requests of the SM that wait", "choice"));
    v.field("reply_queue", reply_queue,
            param::entries("messages from the network that wait, per virtual network", "choice"));
    v.field("output_queue", output_queue,
            param::entries("messages that wait for the network, per virtual network", "choice"));
    v.require(ways != 0 && line != 0 && size % (ways * line) == 0 && size >= ways * line, "size",
              "must be a whole number of sets of `ways` lines");
    v.require(sector <= line, "sector", "must not be larger than a line");
  }
  std::uint32_t sets() const { return size / (ways * line); }
};

}  // namespace syncline::models
