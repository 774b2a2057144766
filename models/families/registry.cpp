#include "models/families/registry.h"

#include "models/families/transaction_family.h"
#include "models/sm/l1_interface.h"
#include "models/z_unit/depth_family.h"

namespace syncline::models {

const std::vector<const MessageFamily*>& message_families() {
  static const std::vector<const MessageFamily*> all{
      &coherence_family,
      &l1_family,
      &depth_family,
      &transaction_family,
  };
  return all;
}

}  // namespace syncline::models
