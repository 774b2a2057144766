// GPU-Racey: a stress test of determinism (Jooybar 2013, section 2.2, after Hill and Xu's racey). Threads walk over few
// shared elements, each step by what the last one read, and leave there what they are: one access in another order
// changes everything that follows. An element has a line of its own. Accesses are volatile, so they go past the L1.
#include "workloads/common/cuda_device.h"

constexpr u32 elements = 64;
constexpr u32 words_per_element = 32;

INLINE u32 mix(u32 i, u32 j) {
  return (i + j * 103995407u) % 103072243u;
}
INLINE u32 word_of(u32 number) {
  return number % elements * words_per_element;
}

KERNEL racey(volatile u32* element, volatile u32* signature, u32 rounds) {
  u32 thread = global_thread();
  for (u32 round = 0; round < rounds; ++round) {
    u32 number = signature[thread];
    number = mix(number, element[word_of(number)]);
    u32 word = word_of(number);
    number = mix(number, element[word]);
    element[word] = number;
    signature[thread] = number;
  }
}

/// The second step exchanges: none of the elements' values is lost. `balance` adds up what the thread has put into the
/// elements less what it has taken out.
KERNEL racey_atomic(volatile u32* element, volatile u32* signature, u32* balance, u32 rounds) {
  u32 thread = global_thread();
  u32 put = 0;
  for (u32 round = 0; round < rounds; ++round) {
    u32 number = signature[thread];
    number = mix(number, element[word_of(number)]);
    u32 taken = atomic_exchange((u32*)&element[word_of(number)], number);
    put += number - taken;
    signature[thread] = mix(number, taken);
  }
  balance[thread] = put;
}
