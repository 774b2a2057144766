// The coherence policies that exist, in one visible list.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/gpu_vi/gpu_vi.h"
#include "protocols/coherence/gpu_vi_ni/gpu_vi_ni.h"
#include "protocols/coherence/ideal/ideal.h"
#include "protocols/coherence/ideal_free/ideal_free.h"
#include "protocols/coherence/mesi/mesi.h"
#include "protocols/coherence/nhcc/nhcc.h"
#include "protocols/coherence/none/none.h"
#include "protocols/coherence/rcc/rcc.h"
#include "protocols/coherence/rcc_wo/rcc_wo.h"
#include "protocols/coherence/tc_strong/tc_strong.h"
#include "protocols/coherence/tc_weak/tc_weak.h"

namespace syncline::protocols {

/// The names of the policies, for the key that chooses one.
const base::ChoiceTable<std::string>& coherence_policy_names();

/// CoherenceEntry::weak of the policy with this name; false when there is none.
bool is_weak(const std::string& policy);
/// CoherenceEntry::of_modules of it.
bool needs_modules(std::string_view policy);

/// `coherence.consistency`: a model, or the one that the policy's paper keeps with it.
enum class ConsistencyChoice { policy, wo, sc };
const base::ChoiceTable<ConsistencyChoice>& consistency_choices();
std::string_view name(Consistency consistency);

/// The keys `coherence.*`: which policy, and below each policy's name its own parameters.
struct CoherenceSpec {
  std::string policy = "none";
  ConsistencyChoice consistency = ConsistencyChoice::policy;
  std::uint32_t header_bytes = 8;
  std::string mutant;
  NoneSpec none;
  MesiSpec mesi;
  GpuViNiSpec gpu_vi_ni;
  TcSpec tc;
  RccSpec rcc;
  NhccSpec nhcc;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("policy", policy, coherence_policy_names(), param::text("who keeps copies of a line current, and how"));
    v.choice(
        "consistency", consistency, consistency_choices(),
        param::text("wo: fences order; sc: one global access in flight per warp; policy: as the policy's paper has it",
                    "RCC ch. 3"));
    v.require(!(consistency == ConsistencyChoice::sc && is_weak(policy)), "consistency",
              "the policy `" + policy + "` is weakly ordered by its nature; use `wo`, or a policy that can keep `sc`");
    v.field("header_bytes", header_bytes,
            param::bytes("size of a message without data; timestamps ride in it", "RCC T3.3").between(1, 64));
    v.field("mutant", mutant,
            param::text("one row of the policy's tables made wrong, to see what notices: a name that `syncline check "
                        "POLICY --mutate --verbose` prints, as `L1 V, Flush: to V`; empty: none"));
    v.group("none", none, "no coherence, as in real GPUs");
    v.group("mesi", mesi, "directory protocol; ideal and ideal_free use the same keys");
    v.group("gpu_vi_ni", gpu_vi_ni, "GPU-VI with a directory apart from the L2's data");
    v.group("tc", tc, "Temporal Coherence: tc_strong and tc_weak");
    v.group("rcc", rcc, "Relativistic Cache Coherence; rcc_wo uses the same keys");
    v.group("nhcc", nhcc, "coherence between modules; all policies of several modules use the same keys");
  }
};

struct CoherenceEntry {
  std::string_view name;
  std::string_view summary;
  bool weak;  ///< cannot keep sequential consistency, whatever the SM does
  std::function<CoherencePolicy(const CoherenceSpec&, const CoherenceContext&)> make;
  /// Settings below `coherence.` with which exhaustive exploration ends soon: short leases.
  std::vector<std::string_view> small = {};
  /// Sets of such settings under which random tests take rows that they seldom or never take otherwise.
  std::vector<std::vector<std::string_view>> rare = {};
  bool of_modules = false;  ///< CoherencePolicy::of_modules
};

const std::deque<CoherenceEntry>& coherence_policies();
/// Adds one of the caller's, behind those of the library. ModelError for a name that is none or is taken. For
/// platform/packages/registry.h, which makes it known to commands, too.
const CoherenceEntry& add_coherence_entry(CoherenceEntry entry);

/// The policy that `spec` names, with the row that `spec.mutant` names made wrong; UserError with the names that exist
/// and the nearest one when there is none.
CoherencePolicy make_coherence_policy(const CoherenceSpec& spec, const CoherenceContext& context = {});

}  // namespace syncline::protocols
