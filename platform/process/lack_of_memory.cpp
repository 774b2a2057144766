#include "platform/process/lack_of_memory.h"

#include <cstring>
#include <new>
#include <systemc>

#include "sysc/kernel/sc_kernel_ids.h"

namespace syncline::platform {

bool is_lack_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error);
  return report != nullptr && std::strcmp(report->get_msg_type(), sc_core::SC_ID_STACK_SETUP_FAILED_) == 0;
}

}  // namespace syncline::platform
