// The text of a report. A page is one HTML file with all that it shows and all that shows it, which opens without a
// network.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace syncline::platform {

/// The page of one run, or of several side by side: `runs` are report_model's, `title` stands at its head.
std::string report_page(const std::string& title, const std::vector<nlohmann::ordered_json>& runs);

/// The report in the form that the ending of `path` chooses (sections.h); by any other the JSON that the page is drawn
/// from, {"title", "runs"}.
std::string report_text(const std::string& path, const std::string& title,
                        const std::vector<nlohmann::ordered_json>& runs);

}  // namespace syncline::platform
