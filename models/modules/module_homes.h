// Who is asked for a line on a device whose modules cache lines of each other's memory.
#pragma once

#include "models/modules/module_map.h"
#include "models/modules/paged_homes.h"
#include "models/partition/module_places.h"

namespace syncline::models {

/// Lines lie where a placement of pages says. An L1 asks the L2 of its module; that asks the home, or the home that its
/// GPU has for the line, which is the module there with the number that the home has in its own GPU (Ren 2018, 5.6).
class ModuleHomes final : public HomeMap, public ModulePlaces {
 public:
  /// `pages` and `map` outlive it. `gpu_homes`: each GPU has homes for lines of other GPUs.
  ModuleHomes(const PagedHomes& pages, const ModuleMap& map, bool gpu_homes)
      : pages_(pages), map_(map), gpu_homes_(gpu_homes) {}

  NodeId home(base::LineAddress line, isa::Scope scope, const NodeId& asker) const override;
  std::uint64_t local(std::uint64_t address) const override { return pages_.local(address); }
  std::uint64_t global(const NodeId& home, std::uint64_t local) const override { return pages_.global(home, local); }
  std::uint64_t together(std::uint64_t address) const override { return pages_.together(address); }
  unsigned homes() const override { return pages_.homes(); }
  const ModulePlaces* places() const override { return this; }
  using HomeMap::home;

  Standing standing(base::LineAddress line, const NodeId& l2) const override;
  unsigned module(const NodeId& node) const override {
    return node.kind == NodeKind::l1 ? map_.module_of_l1(node.index) : map_.module_of_home(node.index);
  }
  protocols::CoherencePolicy::Span span(const NodeId& from, const NodeId& to) const override;
  unsigned slices() const override { return map_.homes_of_module(); }
  NodeId slice(unsigned module, unsigned number) const override { return map_.home(module * slices() + number); }
  unsigned slice_number(const NodeId& l2) const override { return l2.index % slices(); }
  unsigned l1_number(const NodeId& l1) const override { return map_.number_of_l1(l1.index); }
  NodeId l1(unsigned module, unsigned number) const override { return map_.l1(module, number); }

 private:
  unsigned gpu_home(unsigned module, unsigned home) const {
    return map_.gpu_of(module) * map_.gpms() + home % map_.gpms();
  }

  const PagedHomes& pages_;
  const ModuleMap& map_;
  bool gpu_homes_;
};

}  // namespace syncline::models
