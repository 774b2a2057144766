#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

const base::ChoiceTable<TieRule>& tie_rules() {
  static const base::ChoiceTable<TieRule> table{
      {"thesis", TieRule::thesis}, {"last_reader", TieRule::last_reader}, {"reader_set", TieRule::reader_set}};
  return table;
}

}  // namespace syncline::protocols::getm
