// The text of a report. A page is one HTML file with all that it shows and all that shows it, which opens without a
// network.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace syncline::platform {

/// The report of one run, or of several side by side: `runs` are report_model's, `title` stands at its head. By the
/// ending .html or .htm of `path` it is a page; else the JSON that the page is drawn from, {"title", "runs"}.
std::string report_text(const std::string& path, const std::string& title,
                        const std::vector<nlohmann::ordered_json>& runs);

}  // namespace syncline::platform
