#include "protocols/determinism/gpudet/spec.h"

namespace syncline::protocols::gpudet {

const base::ChoiceTable<QuantumFormation>& quantum_formations() {
  static const base::ChoiceTable<QuantumFormation> table{
      {"base", QuantumFormation::base}, {"bta", QuantumFormation::bta}, {"bta_dwp", QuantumFormation::bta_dwp}};
  return table;
}

const base::ChoiceTable<SerialOrder>& serial_orders() {
  static const base::ChoiceTable<SerialOrder> table{{"w_ser", SerialOrder::w_ser}, {"cu_ser", SerialOrder::cu_ser}};
  return table;
}

const base::ChoiceTable<BarrierRule>& barrier_rules() {
  static const base::ChoiceTable<BarrierRule> table{{"thesis", BarrierRule::thesis}, {"visible", BarrierRule::visible}};
  return table;
}

const base::ChoiceTable<SharedOrder>& shared_orders() {
  static const base::ChoiceTable<SharedOrder> table{{"free", SharedOrder::free},
                                                    {"instructions", SharedOrder::instructions}};
  return table;
}

const base::ChoiceTable<LogData>& log_data_names() {
  static const base::ChoiceTable<LogData> table{{"chunk", LogData::chunk}, {"packed", LogData::packed}};
  return table;
}

const base::ChoiceTable<Overlap>& overlaps() {
  static const base::ChoiceTable<Overlap> table{{"none", Overlap::none}, {"next_quantum", Overlap::next_quantum}};
  return table;
}

}  // namespace syncline::protocols::gpudet
