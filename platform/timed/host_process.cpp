#include "platform/timed/host_process.h"

namespace syncline::platform {

HostProcess::HostProcess(const sc_core::sc_module_name& name, models::Scheduler& scheduler)
    : sc_core::sc_module(name), scheduler_(scheduler) {
  SC_HAS_PROCESS(HostProcess);
  SC_THREAD(run);
  // Host programs keep vectors on the heap but recurse into CPU checks; SystemC's default of 64 KiB is too little.
  set_stack_size(8 * 1024 * 1024);
}

void HostProcess::run() {
  try {
    program_();
  } catch (...) {
    error_ = std::current_exception();
  }
  finished_ = true;
  if (at_end_ == AtEnd::stops) sc_core::sc_stop();
}

void HostProcess::check_failure() const {
  if (scheduler_.failure()) std::rethrow_exception(scheduler_.failure());
}

void HostProcess::wait_until(const std::function<bool()>& condition, const sc_core::sc_event& event) {
  check_failure();
  while (!condition()) {
    waits_ = true;
    wait(event | scheduler_.failed());
    waits_ = false;
    check_failure();
  }
}

void HostProcess::wait_for(const sc_core::sc_time& time) {
  check_failure();
  if (time > sc_core::SC_ZERO_TIME) wait(time, scheduler_.failed());
  check_failure();
}

void HostProcess::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace syncline::platform
