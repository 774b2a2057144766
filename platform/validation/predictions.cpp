#include "platform/validation/predictions.h"

#include <algorithm>

#include "base/error.h"
#include "platform/validation/curves.h"

namespace syncline::platform {

const std::vector<Prediction>& predictions() {
  static const std::vector<Prediction> all = [] {
    std::vector<Prediction> made = memory_predictions();
    for (const auto& more : {atomic_predictions(), sm_predictions()}) made.insert(made.end(), more.begin(), more.end());
    return made;
  }();
  return all;
}

const Prediction& find_prediction(std::string_view curve) {
  const auto found = std::find_if(predictions().begin(), predictions().end(),
                                  [curve](const Prediction& prediction) { return prediction.curve == curve; });
  if (found == predictions().end())
    throw base::ModelError("nothing predicts `" + std::string(curve) + "`: it has no row in platform/validation");
  return *found;
}

}  // namespace syncline::platform
