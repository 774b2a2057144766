// Monte Carlo valuation of a portfolio of swaptions in the LIBOR market model (Brace, Gatarek, Musiela 1997): a thread
// simulates one path of forward rates, which it keeps in local memory, and discounts what the swaptions pay.
// Normal numbers come from Philox4x32-10 (Salmon et al. 2011), counter = (path, step), by Box and Muller's method.
#include "workloads/common/cuda_device.h"

#define RATES 40
#define OPTIONS 16

/// What the host sets: accrual period, steps until the options expire, options with length and strike.
struct Market {
  float period;
  u32 steps;
  u32 rates;
  u32 options;
  u32 lengths[OPTIONS];
  float strikes[OPTIONS];
  float volatilities[RATES];
  float start[RATES];
};

__constant__ Market market;

INLINE u32 high_product(u32 a, u32 b) {
  return (u32)((u64)a * b >> 32);
}

__device__ __noinline__ uint4 philox(u32 path, u32 step, u32 seed_low, u32 seed_high) {
  u32 a = path;
  u32 b = step;
  u32 c = 0;
  u32 d = 0;
  for (u32 round = 0; round < 10; ++round) {
    u32 next_a = high_product(0xcd9e8d57u, c) ^ b ^ seed_low;
    u32 next_c = high_product(0xd2511f53u, a) ^ d ^ seed_high;
    b = 0xcd9e8d57u * c;
    d = 0xd2511f53u * a;
    a = next_a;
    c = next_c;
    seed_low += 0x9e3779b9u;
    seed_high += 0xbb67ae85u;
  }
  return uint4{a, b, c, d};
}

/// A normal number from two uniform ones in (0, 1).
INLINE float normal(u32 first, u32 second) {
  float radius = square_root(-2 * fast_log(((float)(first >> 9) + 0.5f) * 0x1.0p-23f));
  float turn = ((float)(second >> 9) + 0.5f) * 0x1.0p-23f - 0.5f;
  return radius * fast_cos(6.2831853f * turn);
}

KERNEL lib(float* values, u32 paths, u64 seed) {
  u32 path = global_thread();
  if (path >= paths) return;
  float rates[RATES];
  float bonds[RATES];
  float annuities[RATES];
  u32 count = market.rates;
  float period = market.period;
  for (u32 i = 0; i < count; ++i) rates[i] = market.start[i];

  float root_period = square_root(period);
  float discount = 1;
  for (u32 step = 0; step < market.steps; ++step) {
    discount /= 1 + period * rates[step];
    uint4 random = philox(path, step, (u32)seed, (u32)(seed >> 32));
    float shock = root_period * normal(random.x, random.y);
    float drift = 0;
    for (u32 i = step + 1; i < count; ++i) {
      float volatility = market.volatilities[i - step - 1];
      float scaled = period * volatility;
      drift += scaled * rates[i] / (1 + period * rates[i]);
      rates[i] *= fast_exp(scaled * drift + volatility * (shock - 0.5f * scaled));
    }
  }

  float bond = 1;
  float annuity = 0;
  for (u32 i = market.steps; i < count; ++i) {
    bond /= 1 + period * rates[i];
    annuity += period * bond;
    bonds[i] = bond;
    annuities[i] = annuity;
  }
  float value = 0;
  for (u32 option = 0; option < market.options; ++option) {
    u32 last = market.steps + market.lengths[option] - 1;
    float swap = bonds[last] + market.strikes[option] * annuities[last] - 1;
    if (swap < 0) value -= 100 * swap;
  }
  values[path] = value * discount;
}
