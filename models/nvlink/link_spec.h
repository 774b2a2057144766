// Parameters of one direction of a link between GPUs.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::models {

struct LinkSpec {
  double bandwidth = 200e9;
  double latency = 250e-9;
  std::uint32_t flit = 32;
  std::uint32_t queue = 64;
  std::uint32_t credits = 8192;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("bandwidth", bandwidth,
            param::bytes_per_second("bytes that one direction moves", "Ren 2018, T5.2: 200 GB/s a link")
                .between(1e6, 1e15));
    v.field("latency", latency,
            param::seconds("from the last byte at one end to the last byte at the other",
                           "choice: a hop between GPUs of NUMA-GPU studies; the thesis gives none")
                .between(0, 1e-4));
    v.field("flit", flit, param::bytes("unit in which messages take room and credits", "choice").between(1, 256));
    v.field("queue", queue,
            param::count("flits that wait at the sending end, per virtual network", "choice").between(1, 65536));
    v.field(
        "credits", credits,
        param::count("flits that the receiving end has room for, per virtual network; a credit comes back a latency "
                     "after its flit was taken, so fewer than bandwidth times twice the latency slow the link down",
                     "choice: twice 200 GB/s times 500 ns, and some")
            .between(1, 1 << 24));
  }
};

}  // namespace syncline::models
