#include "models/families/registry.h"

#include "models/families/transaction_family.h"
#include "models/sm/l1_interface.h"
#include "models/z_unit/depth_family.h"

namespace syncline::models {
namespace {

std::vector<const MessageFamily*>& all_families() {
  static std::vector<const MessageFamily*> all{
      &coherence_family,
      &l1_family,
      &depth_family,
      &transaction_family,
  };
  return all;
}

}  // namespace

const std::vector<const MessageFamily*>& message_families() {
  return all_families();
}

void add_message_family(const MessageFamily& family) {
  MessageFamilies known;
  known.add(family);  // checks what platforms would
  all_families().push_back(&family);
}

}  // namespace syncline::models
