#include "protocols/transactions/local/spec.h"

namespace syncline::protocols::local {

const base::ChoiceTable<Detection>& detections() {
  static const base::ChoiceTable<Detection> table{{"prw_sig", Detection::prw_sig},
                                                  {"swo_sig", Detection::swo_sig},
                                                  {"dcd", Detection::dcd},
                                                  {"smdcd", Detection::smdcd}};
  return table;
}

const base::ChoiceTable<Selection>& selections() {
  static const base::ChoiceTable<Selection> table{{"ascending_single", Selection::ascending_single},
                                                  {"descending_single", Selection::descending_single},
                                                  {"ascending_multiple", Selection::ascending_multiple},
                                                  {"descending_multiple", Selection::descending_multiple}};
  return table;
}

const base::ChoiceTable<McmReset>& mcm_resets() {
  static const base::ChoiceTable<McmReset> table{{"restart", McmReset::restart}, {"progress", McmReset::progress}};
  return table;
}

const base::ChoiceTable<HelperPer>& helper_places() {
  static const base::ChoiceTable<HelperPer> table{{"wavefront", HelperPer::wavefront}, {"bank", HelperPer::bank}};
  return table;
}

}  // namespace syncline::protocols::local
