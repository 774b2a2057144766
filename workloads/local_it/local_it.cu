// target: sm_70
// IT of GPU-LocalTM: queues as in the detection of intruders (STAMP's intruder). Each thread takes packets from a queue,
// adds each to the flow that it is a part of, and puts a flow that is complete into one of the lists of such.
//
// Data: how many packets of each of `size` queues are taken; how many of a flow have come, their sum, and the next flow
// of its list, counted from 1; the first of each of `size` lists; then locks of queues, of flows, and of lists. Input:
// packets, two for each thread, queue after queue: a flow in the upper 16 bits, a value in the lower.
#include "workloads/common/cta_sections.h"

constexpr u32 rounds = 2, packets_of_a_flow = 4;

template <Sections sections>
INLINE void local_it(u32* data, const u32* input, u32 size) {
  u32 packets = rounds * blockDim.x;
  u32 flows = packets / packets_of_a_flow;
  u32* taken = data;
  u32* come = taken + size;
  u32* sums = come + flows;
  u32* next = sums + flows;
  u32* first = next + flows;
  u32* locks = first + size;
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
    u32 list = flow % size;
    critical_section<sections>(&locks[size + flows + list], [&] {
      if (number != packets_of_a_flow) return;
      next[flow] = first[list];
      first[list] = flow + 1;
    });
  }
}

CTA_KERNELS(local_it)
