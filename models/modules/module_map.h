// Which module of a device has which L1s and which homes: the same many of each, in the order of their numbers.
#pragma once

#include <vector>

#include "models/modules/modules_spec.h"
#include "models/transport/router.h"

namespace syncline::models {

class ModuleMap {
 public:
  /// `sms` and `homes` are whole multiples of the number of modules. L1s beyond those of the SMs, of foreign
  /// initiators, are in the first module, where a host would be.
  ModuleMap(const ModulesSpec& spec, unsigned sms, unsigned l1s, unsigned homes, GpuPlace place = {})
      : modules_(spec.count()), gpms_(spec.gpms), sms_(sms), l1s_(l1s), homes_(homes), place_(place) {}

  unsigned modules() const { return modules_; }
  unsigned gpus() const { return modules_ / gpms_; }
  unsigned modules_of_gpu() const { return gpms_; }
  unsigned gpu_of(unsigned module) const { return module / gpms_; }
  unsigned homes_of_module() const { return homes_ / modules_; }

  /// Neighbouring modules, `last` not included.
  struct Modules {
    unsigned first = 0, last = 0;
  };
  static Modules module(unsigned number) { return {number, number + 1}; }
  /// Those of some GPUs.
  Modules gpu(unsigned first, unsigned count = 1) const { return {first * gpms_, (first + count) * gpms_}; }

  unsigned module_of_l1(unsigned l1) const { return l1 < sms_ ? l1 / (sms_ / modules_) : 0; }
  unsigned module_of_home(unsigned home) const { return home / homes_of_module(); }
  NodeId home(unsigned index) const { return home_node(base::PartitionId(static_cast<std::uint16_t>(index)), place_); }
  /// Numbers of L1s in their modules: those of SMs, and in the first module behind them those of foreign initiators.
  unsigned number_of_l1(unsigned l1) const {
    const unsigned each = sms_ / modules_;
    return l1 < sms_ ? l1 % each : l1 - sms_ + each;
  }
  NodeId l1(unsigned module, unsigned number) const {
    const unsigned each = sms_ / modules_;
    const unsigned index = number < each ? module * each + number : sms_ + number - each;
    return l1_node(base::SmId(static_cast<std::uint16_t>(index)), place_);
  }

  using Nodes = std::vector<Router::Nodes>;
  Nodes l1s(Modules of) const {
    const unsigned each = sms_ / modules_;
    Nodes nodes{{NodeKind::l1, of.first * each, (of.last - of.first) * each, place_}};
    if (of.first == 0 && of.last != 0 && l1s_ != sms_) nodes.push_back({NodeKind::l1, sms_, l1s_ - sms_, place_});
    return nodes;
  }
  Nodes homes(Modules of) const {
    const unsigned each = homes_ / modules_;
    return {{NodeKind::home, of.first * each, (of.last - of.first) * each, place_}};
  }
  Nodes nodes(Modules of) const { return sum(l1s(of), homes(of)); }

  Nodes l1s_outside(Modules of) const { return sum(l1s({0, of.first}), l1s({of.last, modules_})); }
  Nodes homes_outside(Modules of) const { return sum(homes({0, of.first}), homes({of.last, modules_})); }
  Nodes nodes_outside(Modules of) const { return sum(l1s_outside(of), homes_outside(of)); }

  static Nodes sum(Nodes some, const Nodes& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
  }

 private:
  unsigned modules_, gpms_, sms_, l1s_, homes_;
  GpuPlace place_;
};

}  // namespace syncline::models
