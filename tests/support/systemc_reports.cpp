#include "tests/support/systemc_reports.h"

#include <gtest/gtest.h>

#include <systemc>
#include <vector>

namespace syncline::tests {
namespace {

std::vector<std::string>& expected_reports() {
  static std::vector<std::string> parts;
  return parts;
}

bool is_expected(const sc_core::sc_report& report) {
  const std::string text = std::string(report.get_msg_type()) + ": " + report.get_msg();
  for (const std::string& part : expected_reports()) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

void handle_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() >= sc_core::SC_WARNING && !is_expected(report))
    ADD_FAILURE() << "unexpected SystemC report: " << report.what();
  sc_core::sc_report_handler::default_handler(report, actions & ~sc_core::SC_DISPLAY);
}

}  // namespace

void install_report_handler() {
  sc_core::sc_report_handler::set_handler(&handle_report);
}

void expect_report(const std::string& part) {
  expected_reports().push_back(part);
}

}  // namespace syncline::tests
