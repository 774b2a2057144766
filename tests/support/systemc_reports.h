// SystemC's reports inside tests: an unexpected warning or error is a failure of the test.
#pragma once

#include <string>

namespace syncline::tests {

/// Makes every SystemC warning, error and fatal report fail the running test, unless it was announced.
void install_report_handler();

/// Announces that a report whose message type or text contains `part` may come (any number of times) in this test.
/// Errors still throw sc_core::sc_report.
void expect_report(const std::string& part);

}  // namespace syncline::tests
