// The families of policies and the packages in each: what `syncline list policies`, `describe`, `check` and `compare`
// know, and what a key of a family may name. platform/packages/list.h is the visible list; a program may add its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"

namespace syncline::protocols {
struct CoherenceEntry;
}

namespace syncline::platform {

class Package;

struct PolicyFamily {
  std::string_view name;     ///< "determinism": in `policies` of a run's result
  std::string_view group;    ///< of its keys, often the same
  std::string_view meaning;  ///< of the key that chooses
  std::vector<const Package*> packages;

  std::string key() const { return std::string(group) + ".policy"; }
  base::ChoiceTable<std::string> names() const;
  /// UserError when there is none, with the family that has one of this name, or the nearest name.
  const Package& find(const std::string& package) const;
};

/// Coherence, transactions, those in shared memory, determinism, composition. Those of coherence are the policies of
/// protocols/coherence/registry.h, which put machines into the caches rather than parts into a GPU.
const std::vector<PolicyFamily>& policy_families();
const PolicyFamily& policy_family(std::string_view name);  ///< ModelError when there is none

/// Adds a policy of the caller's to a family other than coherence, before anything has read a configuration. It
/// outlives all that happens. ModelError when the family has one of this name.
void add_package(std::string_view family, const Package& package);

/// Adds a policy of coherence of the caller's: a maker of machines, under a name that `coherence.policy` may have from
/// then on. Before anything has read a configuration. ModelError when there is one of this name.
void add_coherence_policy(protocols::CoherenceEntry entry);

/// A policy of a family.
struct PolicyName {
  const PolicyFamily* family;
  const Package* package;

  /// "determinism.policy=gpudet".
  std::string setting() const;
};
/// NAME, which is that of the first family that has it, or FAMILY.policy=NAME. UserError with the nearest name of all
/// families when there is none.
PolicyName find_policy(const std::string& text);
/// What may be meant for the name of a policy: of `transactions.warptm` the part behind the last point.
std::string policy_part(const std::string& text);
/// The names of all policies, each once.
std::vector<std::string> policy_names();

}  // namespace syncline::platform
