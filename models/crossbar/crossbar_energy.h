// What a crossbar's flits and its leakage cost, in the parts of ORION 2.0 (Kahng, Li, Peh, Samadi, DATE 2009): queues,
// the switch and the links; dynamic by the flit, static by the time. Arbiters and clock trees are left out.
//
// A wire costs what its transitions cost, half of its bits change from flit to flit. The switch is a matrix: a flit
// drives a wire across all outputs and one across all inputs, each port as wide as a flit.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::models {

struct CrossbarEnergySpec {
  double wire = 240;
  double buffer = 40;
  double link_length = 10;
  double track = 280;
  double buffer_leakage = 50;
  double wire_leakage = 500;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("wire", wire,
            param::count("a transition of one bit on 1 mm of wire, fJ",
                         "recalled from Keckler et al. 2011, table 2: 40 nm, 0.9 V")
                .at_least(0));
    v.field("buffer", buffer,
            param::count(
                "one bit written to a queue or read from it, fJ",
                "choice: 14 pJ for 64 bits of 8 KiB (recalled from Keckler et al. 2011, table 2) times the root of the "
                "ratio of the sizes")
                .at_least(0));
    v.field("link_length", link_length,
            param::count("wire from an SM through the crossbar to a partition, mm",
                         "choice: half the side of a GTX 480's die")
                .at_least(0));
    v.field("track", track, param::count("distance of two wires in the switch, nm", "choice").at_least(0));
    v.field(
        "buffer_leakage", buffer_leakage,
        param::count("of one bit of a queue, nW", "choice: 0.5 um of transistors at 100 nA/um and 1 V").at_least(0));
    v.field(
        "wire_leakage", wire_leakage,
        param::count("of the repeaters on 1 mm of wire, nW", "choice: 2.5 um of transistors each 0.5 mm").at_least(0));
  }
};

/// The shape of one direction that its energy follows from.
struct CrossbarShape {
  unsigned inputs = 1, outputs = 1, networks = 1;
  unsigned flit_bytes = 32;
  unsigned input_queue = 8, output_queue = 8;  ///< flits, per port and network
};

class CrossbarEnergy {
 public:
  CrossbarEnergy(const CrossbarEnergySpec& spec, const CrossbarShape& shape) : spec_(spec), shape_(shape) {}

  /// nJ of one flit in the input queue (written and read) and the switch.
  double router_flit() const {
    const double transitions = bits() / 2;
    const double millimetres = (shape_.inputs + shape_.outputs) * bits() * spec_.track * 1e-6;
    return (2 * bits() * spec_.buffer + transitions * millimetres * spec_.wire) * femto_in_nano;
  }
  /// nJ of one flit on the wires before and behind the switch.
  double link_flit() const { return bits() / 2 * spec_.link_length * spec_.wire * femto_in_nano; }
  /// nJ that all queues leak in `seconds`.
  double router_leakage(double seconds) const {
    const double kept =
        bits() * shape_.networks *
        (double{1} * shape_.inputs * shape_.input_queue + double{1} * shape_.outputs * shape_.output_queue);
    return kept * spec_.buffer_leakage * seconds;
  }
  /// nJ that the repeaters of all links leak in `seconds`; each port has half of the length.
  double link_leakage(double seconds) const {
    return bits() * (shape_.inputs + shape_.outputs) * spec_.link_length / 2 * spec_.wire_leakage * seconds;
  }

 private:
  static constexpr double femto_in_nano = 1e-6;
  double bits() const { return 8.0 * shape_.flit_bytes; }
  CrossbarEnergySpec spec_;
  CrossbarShape shape_;
};

}  // namespace syncline::models
