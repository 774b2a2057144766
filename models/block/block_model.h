// By what a block is modelled.
#pragma once

#include <string>

#include "base/fields.h"

namespace syncline::models {

enum class BlockModel {
  tlm,  ///< C++ behind sockets
  rtl   ///< the SystemVerilog of models/rtl behind a transactor
};

inline const base::ChoiceTable<BlockModel>& block_models() {
  static const base::ChoiceTable<BlockModel> table{{"tlm", BlockModel::tlm}, {"rtl", BlockModel::rtl}};
  return table;
}

}  // namespace syncline::models
