#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

const base::ChoiceTable<TieRule>& tie_rules() {
  static const base::ChoiceTable<TieRule> table{
      {"thesis", TieRule::thesis}, {"last_reader", TieRule::last_reader}, {"reader_set", TieRule::reader_set}};
  return table;
}

const base::ChoiceTable<BeginsAt>& begin_times() {
  static const base::ChoiceTable<BeginsAt> table{{"warp", BeginsAt::warp}, {"sm", BeginsAt::sm}};
  return table;
}

}  // namespace syncline::protocols::getm
