// Which module of a device has which L1s and which homes: the same many of each, in the order of their numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "models/modules/modules_spec.h"
#include "models/transport/router.h"

namespace syncline::models {

class ModuleMap {
 public:
  /// `sms` and `homes` are whole multiples of the number of modules. L1s beyond those of the SMs are of foreign
  /// initiators, in the first module, where a host would be; the last `copy_engines` of them, none or one a GPU, are in
  /// the first module of their GPU.
  ModuleMap(const ModulesSpec& spec, unsigned sms, unsigned l1s, unsigned homes, GpuPlace place = {},
            unsigned copy_engines = 0)
      : modules_(spec.count()),
        gpms_(spec.gpms),
        sms_(sms),
        engines_(l1s - copy_engines),
        l1s_(l1s),
        homes_(homes),
        place_(place) {}

  unsigned modules() const { return modules_; }
  unsigned gpus() const { return modules_ / gpms_; }
  unsigned gpms() const { return gpms_; }  ///< of each GPU
  unsigned gpu_of(unsigned module) const { return module / gpms_; }
  unsigned homes_of_module() const { return homes_ / modules_; }

  /// Neighbouring modules, `last` not included.
  struct Modules {
    unsigned first = 0, last = 0;
  };
  static Modules module(unsigned number) { return {number, number + 1}; }
  /// Those of some GPUs.
  Modules gpu(unsigned first, unsigned count = 1) const { return {first * gpms_, (first + count) * gpms_}; }

  bool is_sm(unsigned l1) const { return l1 < sms_; }
  bool has_foreign_l1s() const { return engines_ != sms_; }
  unsigned module_of_l1(unsigned l1) const {
    if (is_sm(l1)) return l1 / sms_of_module();
    return l1 < engines_ ? 0 : (l1 - engines_) * gpms_;
  }
  unsigned module_of_home(unsigned home) const { return home / homes_of_module(); }
  NodeId home(unsigned index) const { return home_node(base::PartitionId(static_cast<std::uint16_t>(index)), place_); }
  /// Numbers of L1s in their modules: those of SMs, then those of foreign initiators, and that of the copy engine.
  unsigned number_of_l1(unsigned l1) const {
    if (is_sm(l1)) return l1 % sms_of_module();
    return sms_of_module() + std::min(l1, engines_) - sms_;
  }
  NodeId l1(unsigned module, unsigned number) const {
    unsigned index = module * sms_of_module() + number;
    if (number >= sms_of_module()) index = sms_ + number - sms_of_module();
    if (index == engines_) index += module / gpms_;
    return l1_node(base::SmId(static_cast<std::uint16_t>(index)), place_);
  }

  using Nodes = std::vector<Router::Nodes>;
  Nodes l1s(Modules of) const {
    const unsigned each = sms_ / modules_;
    Nodes nodes{{NodeKind::l1, of.first * each, (of.last - of.first) * each, place_}};
    if (of.first == 0 && of.last != 0 && engines_ != sms_)
      nodes.push_back({NodeKind::l1, sms_, engines_ - sms_, place_});
    // Of the GPUs whose first module is among these.
    const unsigned first_gpu = (of.first + gpms_ - 1) / gpms_, last_gpu = (of.last + gpms_ - 1) / gpms_;
    if (l1s_ != engines_ && first_gpu < last_gpu)
      nodes.push_back({NodeKind::l1, engines_ + first_gpu, last_gpu - first_gpu, place_});
    return nodes;
  }
  Nodes homes(Modules of) const {
    const unsigned each = homes_ / modules_;
    return {{NodeKind::home, of.first * each, (of.last - of.first) * each, place_}};
  }
  Nodes nodes(Modules of) const { return sum(l1s(of), homes(of)); }

  static Nodes sum(Nodes some, const Nodes& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
  }

  Nodes l1s_outside(Modules of) const { return sum(l1s({0, of.first}), l1s({of.last, modules_})); }
  Nodes homes_outside(Modules of) const { return sum(homes({0, of.first}), homes({of.last, modules_})); }
  Nodes nodes_outside(Modules of) const { return sum(l1s_outside(of), homes_outside(of)); }

 private:
  unsigned sms_of_module() const { return sms_ / modules_; }

  unsigned modules_, gpms_, sms_, engines_, l1s_, homes_;
  GpuPlace place_;
};

}  // namespace syncline::models
