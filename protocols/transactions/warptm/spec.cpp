#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

const base::ChoiceTable<IntraWarp>& intra_warp_names() {
  static const base::ChoiceTable<IntraWarp> table{{"none", IntraWarp::none},
                                                  {"two_phase", IntraWarp::two_phase},
                                                  {"serial", IntraWarp::serial},
                                                  {"perfect", IntraWarp::perfect}};
  return table;
}

const base::ChoiceTable<TcdRule>& tcd_rules() {
  static const base::ChoiceTable<TcdRule> table{{"thesis", TcdRule::thesis}, {"pending", TcdRule::pending}};
  return table;
}

WarptmSpec WarptmSpec::of(Design design) {
  WarptmSpec spec;
  if (design == Design::kilotm) {
    spec.intra_warp = IntraWarp::none;
    spec.coalescing = spec.tcd = false;
  }
  spec.eager = design == Design::warptm_el;
  spec.early_abort = spec.pause_and_go = design == Design::eapg;
  return spec;
}

}  // namespace syncline::protocols::warptm
