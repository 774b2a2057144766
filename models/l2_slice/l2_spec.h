// Parameters of one L2 slice: the last-level cache of a memory partition.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/ids.h"
#include "models/atomic_unit/atomic_unit_spec.h"
#include "models/cache/tag_array.h"

namespace syncline::models {

struct L2Spec {
  std::uint32_t size = 128 * 1024;
  std::uint32_t ways = 8;
  std::uint32_t line = 128;
  Replacement replacement = Replacement::lru;
  base::Cycle latency = 100;
  base::Cycle queue_latency = 0;
  std::uint32_t banks = 4;
  base::Cycle bank_busy = 2;
  std::uint32_t ports = 1;
  std::uint32_t mshr_entries = 128;
  std::uint32_t mshr_merges = 32;
  std::uint32_t input_queue = 8;
  std::uint32_t output_queue = 8;
  std::uint32_t memory_queue = 32;
  std::uint32_t locks = 16;
  std::uint32_t handles = 256;
  AtomicUnitSpec atomic_unit;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field(
        "size", size,
        param::bytes("data that the slice holds", "RCC T3.3, GETM T4.2: 128 KiB per partition").between(32, 1 << 30));
    v.field("ways", ways, param::count("lines per set", "RCC T3.3, GETM T4.2").between(1, 1024));
    v.field("line", line, param::bytes("size of a line", "RCC T3.3").between(32, 128).power_of_two());
    v.choice("replacement", replacement, replacement_names(), param::text("which line leaves a full set"));
    v.field("latency", latency,
            param::latency(
                "L2",
                "from the arrival of a request to the departure of its reply on a hit; with the networks it makes "
                "the minimum load-to-use time of the tables (RCC T3.3: 340 core cycles, GETM T4.2: 330, GPUDet "
                "T5.2: 220)",
                "fitted to RCC T3.3")
                .at_least(1));
    v.field(
        "queue_latency", queue_latency,
        param::latency("L2",
                       "the part of `latency` that a request spends before it is looked up; it takes no place in the "
                       "input queue. What the home does with a line, a request that waits for the line has behind "
                       "it; answers of L1s are looked up as they arrive",
                       "choice: none"));
    v.field("banks", banks,
            param::count("banks of the data array; lines are dealt to them in turn", "choice").between(1, 64));
    v.field("bank_busy", bank_busy,
            param::latency("L2", "time for which an access holds its bank", "choice: 64 B per cycle").at_least(1));
    v.field("ports", ports, param::count("requests that are looked up in a cycle", "choice").between(1, 16));
    v.field("mshr_entries", mshr_entries, param::count("lines in transient states", "RCC T3.3: 128").between(1, 4096));
    v.field("mshr_merges", mshr_merges, param::count("requests that wait for one line", "choice").between(1, 256));
    v.field("input_queue", input_queue, param::entries("requests that wait, per virtual network", "choice"));
    v.field("output_queue", output_queue,
            param::entries("replies that wait for the network behind the pipeline, per virtual network", "choice"));
    v.field("memory_queue", memory_queue, param::entries("reads and writes of memory under way", "choice").at_least(2));
    v.field(
        "locks", locks,
        param::entries("lines that are locked at a time while the atomic unit works on them; for each, `mshr_merges` "
                       "requests wait without keeping up others",
                       "choice"));
    v.field(
        "handles", handles,
        param::entries("stores, atomics and loads around copies that are on their way to another module's L2 at a time",
                       "choice")
            .at_least(2));
    v.group("atomic_unit", atomic_unit, "read-modify-write on lines of the slice");
    v.require(queue_latency < latency, "queue_latency", "must be less than `latency`");
    v.require(ways != 0 && line != 0 && size % (ways * line) == 0 && size >= ways * line, "size",
              "must be a whole number of sets of `ways` lines");
  }
  /// From the lookup to the departure of a reply.
  base::Cycle access_latency() const { return latency - queue_latency; }
  std::uint32_t sets() const { return size / (ways * line); }
};

}  // namespace syncline::models
