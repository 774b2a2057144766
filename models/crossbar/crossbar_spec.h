// Parameters of one direction of the interconnect between SMs and memory partitions.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/ids.h"
#include "models/crossbar/crossbar_energy.h"

namespace syncline::models {

/// Whose turn it is at an output: of the inputs and networks one behind the other, or who has waited longest.
enum class Arbitration : std::uint8_t { round_robin, age };

const base::ChoiceTable<Arbitration>& arbitrations();

inline constexpr std::uint32_t longest_queue = 65536;  ///< flits of a network at a port

/// A crossbar per direction (GPUDet T5.2, RCC T3.3, GETM T4.2). RCC T3.3 prints "32-bit flit"; 32 bytes is what its
/// 175 GB/s per direction at 700 MHz and 8 ports means.
struct CrossbarSpec {
  std::uint32_t flit = 32;
  std::uint32_t bandwidth = 32;
  base::Cycle latency = 5;
  base::Cycle allocation_period = 0;
  std::uint32_t virtual_networks = 2;
  std::uint32_t input_queue = 8;
  std::uint32_t output_queue = 8;
  Arbitration arbitration = Arbitration::round_robin;
  CrossbarEnergySpec energy;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("flit", flit,
            param::bytes("unit in which messages cross; a message takes whole flits, also if it is shorter than one",
                         "RCC T3.3")
                .between(1, 256));
    v.field("bandwidth", bandwidth,
            param::bytes_per_cycle("bytes that each port moves in an interconnect cycle", "GPUDet T5.2")
                .between(1, 1 << 20));
    v.field("latency", latency,
            param::latency("interconnect", "from the arbitration of a message to the arrival of its first flit",
                           "GPUDet T5.2")
                .at_least(1));
    v.field(
        "allocation_period", allocation_period,
        param::latency("interconnect",
                       "of `latency`, what passes before a message that has come takes part in arbitration. Ways are "
                       "then granted for so many cycles at once, so that a run takes less time, above all on several "
                       "threads; 0: each cycle by itself, among all that have come",
                       "choice")
            .at_most(256));
    v.field("virtual_networks", virtual_networks,
            param::count("kinds of messages that cannot block each other; raised to what the coherence policy and the "
                         "message families need",
                         "RCC T3.3")
                .between(1, 8));
    v.field(
        "input_queue", input_queue,
        param::count("flits that wait at an input port, per virtual network", "RCC T3.3").between(1, longest_queue));
    v.field("output_queue", output_queue,
            param::count("flits that wait at an output port for a busy receiver, per virtual network", "RCC T3.3")
                .between(1, longest_queue));
    v.choice("arbitration", arbitration, arbitrations(),
             param::text("which of the messages that wait for an output goes first: in turns over inputs and networks, "
                         "or by the time that they have waited at this crossbar",
                         "choice"));
    v.group("energy", energy, "what the energy statistics of a crossbar are worked out from; no effect on time");
  }
};

}  // namespace syncline::models
