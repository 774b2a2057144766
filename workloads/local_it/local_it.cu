// target: sm_70
// IT of GPU-LocalTM: queues as in the detection of intruders (STAMP's intruder). Each thread takes packets from a queue,
// adds each to the flow that it is a part of, and puts a flow that is complete into the queue of such.
//
// Data: how many packets of each of `size` queues are taken; how many of a flow have come, their sum, and the flows that
// are complete in the order in which they became so, with their number; then locks of queues, of flows, and of the last
// queue. Input: packets, two for each thread, queue after queue: a flow in the upper 16 bits, a value in the lower.
#include "workloads/common/cta_sections.h"

constexpr u32 rounds = 2, packets_of_a_flow = 4;

template <Sections sections>
INLINE void local_it(u32* data, const u32* input, u32 size) {
  u32 packets = rounds * blockDim.x;
  u32 flows = packets / packets_of_a_flow;
  u32* taken = data;
  u32* come = taken + size;
  u32* sums = come + flows;
  u32* complete = sums + flows;
  u32* completes = complete + flows;
  u32* locks = completes + 1;
  u32 queue = threadIdx.x % size;
  for (u32 round = 0; round < rounds; ++round) {
    u32 place = 0;
    critical_section<sections>(&locks[queue], [&] {
      place = taken[queue];
      taken[queue] = place + 1;
    });
    u32 packet = constant_word(&input[queue * (packets / size) + place]);
    u32 flow = packet >> 16;
    u32 number = 0;
    critical_section<sections>(&locks[size + flow], [&] {
      number = come[flow] + 1;
      come[flow] = number;
      sums[flow] += packet & 0xffff;
    });
    if (sections != Sections::serial && number != packets_of_a_flow) continue;
    critical_section<sections>(&locks[size + flows], [&] {
      if (number != packets_of_a_flow) return;
      complete[*completes] = flow;
      *completes += 1;
    });
  }
}

CTA_KERNELS(local_it)
