// The policy family of GPU-LocalTM: transactions in shared memory.
//
// Source: A. Villegas, A. Navarro, R. Asenjo, O. Plata, "Improvements in hardware transactional memory for GPU
// architectures", University of Malaga (referred to as [LocalTM]). Where the text leaves something open, the key or the
// comment says what was chosen.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::protocols::local {

/// How conflicts are found (section 4, table 2).
enum class Detection : std::uint8_t {
  prw_sig,  ///< a signature for each work-item and bank has what it has read and written
  swo_sig,  ///< beside it, one for each wavefront has what its work-items have written: readers share
  dcd,      ///< the owner in shadow memory: one work-item, whether it reads or writes
  smdcd     ///< and whether the word is shared or modified: readers share
};
const base::ChoiceTable<Detection>& detections();

/// Which lanes go first when a wavefront is serialised (section 3).
enum class Selection : std::uint8_t {
  ascending_single,    ///< the lowest lane in conflict
  descending_single,   ///< the highest
  ascending_multiple,  ///< all that have lost to no lower lane of their wavefront
  descending_multiple  ///< to no higher one
};
const base::ChoiceTable<Selection>& selections();
constexpr bool is_multiple(Selection s) {
  return s == Selection::ascending_multiple || s == Selection::descending_multiple;
}
constexpr bool is_ascending(Selection s) {
  return s == Selection::ascending_single || s == Selection::ascending_multiple;
}

/// Of the same direction, that selects one lane.
constexpr Selection single(Selection s) {
  return is_ascending(s) ? Selection::ascending_single : Selection::descending_single;
}

/// That selects several.
constexpr Selection multiple(Selection s) {
  return is_ascending(s) ? Selection::ascending_multiple : Selection::descending_multiple;
}

/// When MCM forgets who has lost to whom.
enum class McmReset : std::uint8_t {
  restart,  ///< whenever the transaction starts again (section 3). Two sets of lanes can then take turns for ever
  progress  ///< under work-group serialisation only after a lane has committed, so that the set shrinks to one lane
};
const base::ChoiceTable<McmReset>& mcm_resets();

/// Whose the 32 bits of a helper signature are.
enum class HelperPer : std::uint8_t { wavefront, bank };
const base::ChoiceTable<HelperPer>& helper_places();

/// What conflicts depend on.
struct LocalTmSpec {
  Detection detection = Detection::prw_sig;  ///< the policy's name
  Selection selection = Selection::ascending_single;
  McmReset mcm_reset = McmReset::progress;
  std::uint32_t banks = 32;          ///< those of shared memory
  std::uint32_t signature_bits = 8;  ///< of a work-item in a bank; at most 32
  std::uint32_t helper_bits = 32;    ///< of a wavefront; at most 32
  HelperPer helper_per = HelperPer::wavefront;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("selection", selection, selections(),
             param::text("lanes that go first when a wavefront is serialised: the lowest or the highest of those that "
                         "have lost (single), or all of them that have lost to no lower or higher one (multiple)",
                         "[LocalTM] 3; ascending_single is the original design"));
    v.choice(
        "mcm_reset", mcm_reset, mcm_resets(),
        param::text("when a multiple selection forgets who has lost to whom: whenever the transaction starts again "
                    "(restart), where sets of lanes can take turns for ever; or, alone in the work-group, only "
                    "after a commit (progress)",
                    "choice; [LocalTM] 3.1: restart"));
    v.field("signature_bits", signature_bits,
            param::bits("of the signature of a work-item in a bank", "[LocalTM] table 3: 8").between(1, 32));
    v.field("helper_bits", helper_bits,
            param::bits("of a helper signature of swo_sig", "[LocalTM] table 3: 32").between(1, 32));
    v.choice(
        "helper_per", helper_per, helper_places(),
        param::text("whose a helper signature is: all banks of a wavefront have one (wavefront), or one each (bank)",
                    "choice: [LocalTM] table 3 has a register of a wavefront"));
  }

  /// Helper signatures of a wavefront.
  std::uint32_t helpers() const {
    return detection != Detection::swo_sig ? 0 : helper_per == HelperPer::bank ? banks : 1;
  }
  bool has_signatures() const { return detection == Detection::prw_sig || detection == Detection::swo_sig; }
};

}  // namespace syncline::protocols::local
