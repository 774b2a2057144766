// A Spec with one parameter of every kind, as the tests of the configuration need it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"

namespace syncline::platform::test {

enum class Policy { none, rcc, mesi };

inline const base::ChoiceTable<Policy>& policy_names() {
  static const base::ChoiceTable<Policy> table{{"none", Policy::none}, {"rcc", Policy::rcc}, {"mesi", Policy::mesi}};
  return table;
}

struct RccSpec {
  base::Cycle lease = 10;
  bool renew = true;
  friend bool operator==(const RccSpec& a, const RccSpec& b) { return a.lease == b.lease && a.renew == b.renew; }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("lease", lease, param::cycles("core", "how long a copy may be read", "RCC table 4.2").at_least(1));
    v.field("renew", renew, param::flag("extend leases of unchanged lines"));
  }
};

struct CoherenceSpec {
  Policy policy = Policy::none;
  RccSpec rcc;
  friend bool operator==(const CoherenceSpec& a, const CoherenceSpec& b) {
    return a.policy == b.policy && a.rcc == b.rcc;
  }

  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, policy_names(), base::param::text("who keeps caches coherent"));
    v.group("rcc", rcc, "Relativistic cache coherence.");
  }
};

struct L1Spec {
  std::uint32_t size = 16384;
  std::uint32_t ways = 4;
  std::uint32_t line = 128;
  friend bool operator==(const L1Spec& a, const L1Spec& b) {
    return a.size == b.size && a.ways == b.ways && a.line == b.line;
  }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("size", size, param::bytes("capacity", "Fermi white paper").between(32, 1 << 20));
    v.field("ways", ways, param::count("associativity").at_least(1).at_most(64));
    v.field("line", line, param::bytes("line size").between(32, 128).power_of_two());
    v.require(size % (ways * line) == 0, "size", "must be a multiple of ways times line");
  }
};

struct SampleSpec {
  std::uint64_t seed = 1;
  std::int32_t bias = -3;
  std::uint8_t small = 7;
  double clock = 1.4e9;
  std::uint64_t dram_clock = 924000000;
  double share = 0.5;
  double period = 1e-6;
  std::uint32_t bandwidth = 32;
  std::uint32_t width = 64;
  std::string name = "sample";
  std::vector<std::uint32_t> latencies{4, 8};
  std::vector<double> weights;
  std::vector<std::string> names;
  bool enabled = false;
  L1Spec l1;
  CoherenceSpec coherence;
  friend bool operator==(const SampleSpec& a, const SampleSpec& b) {
    return a.seed == b.seed && a.bias == b.bias && a.small == b.small && a.clock == b.clock &&
           a.dram_clock == b.dram_clock && a.share == b.share && a.period == b.period && a.bandwidth == b.bandwidth &&
           a.width == b.width && a.name == b.name && a.latencies == b.latencies && a.weights == b.weights &&
           a.names == b.names && a.enabled == b.enabled && a.l1 == b.l1 && a.coherence == b.coherence;
  }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("seed", seed, param::count("seed of all random streams"));
    v.field("bias", bias, param::count("a signed number").between(-100, 100));
    v.field("small", small, param::count("a number of eight bits"));
    v.field("clock", clock, param::hertz("core clock", "Fermi white paper"));
    v.field("dram_clock", dram_clock, param::hertz("DRAM command clock"));
    v.field("share", share, param::ratio("a share | of something").between(0, 1));
    v.field("period", period, param::seconds("sampling period").at_least(0));
    v.field("bandwidth", bandwidth, param::bytes_per_cycle("of a port"));
    v.field("width", width, param::bits("of a link"));
    v.field("name", name, param::text("a text"));
    v.field("latencies", latencies, param::cycles("core", "one per unit").at_most(1000));
    v.field("weights", weights, param::ratio("any numbers"));
    v.field("names", names, param::text("some texts"));
    v.field("enabled", enabled, param::flag("a switch"));
    v.group("l1", l1, "The L1 data cache.");
    v.group("coherence", coherence);
  }
};

}  // namespace syncline::platform::test
