#include "platform/report/page.h"

#include <fmt/format.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "platform/report/page_parts.h"
#include "platform/report/sections.h"

namespace syncline::platform {
namespace {

/// JSON within a <script>: nothing in a string can end that element, nor begin a comment there.
std::string as_script(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string as_text(const std::string& title) {
  std::string text;
  for (const char c : title) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else
      text += c;
  }
  return text;
}

nlohmann::ordered_json model_of(const std::string& title, const std::vector<nlohmann::ordered_json>& runs) {
  return {{"title", title}, {"runs", runs}};
}

/// The sections of the program's, each in an element of its own: a mistake in one script leaves the others whole.
std::string own_sections() {
  std::string text;
  for (const ReportSection& one : report_sections())
    text += fmt::format("<script>\nSECTIONS.push({{...{}, draw(box, data, run) {{\n{}\n}}}});\n</script>\n",
                        as_script({{"name", one.name}, {"title", one.title}, {"note", one.note}}), one.script);
  return text;
}

}  // namespace

std::string report_page(const std::string& title, const std::vector<nlohmann::ordered_json>& runs) {
  const std::pair<std::string_view, std::string> parts[] = {{"TITLE", as_text(title)},
                                                            {"STYLE", page_parts::style},
                                                            {"CHARTS", page_parts::charts},
                                                            {"LICENSE", page_parts::license},
                                                            {"SHAPES", page_parts::shapes},
                                                            {"SCRIPT", page_parts::script},
                                                            {"MODEL", as_script(model_of(title, runs))},
                                                            {"SECTIONS", own_sections()}};
  // What is filled in may hold the mark of another part: the frame is read from its beginning to its end, once.
  const std::string_view frame = page_parts::frame;
  std::string page;
  for (std::size_t at = 0; at < frame.size();) {
    const std::size_t mark = frame.find("@@", at);
    page += frame.substr(at, mark - at);
    if (mark == std::string_view::npos) break;
    const std::size_t end = frame.find("@@", mark + 2);
    for (const auto& [name, text] : parts) {
      if (frame.substr(mark + 2, end - mark - 2) == name) page += text;
    }
    at = end + 2;
  }
  return page;
}

std::string report_text(const std::string& path, const std::string& title,
                        const std::vector<nlohmann::ordered_json>& runs) {
  const std::filesystem::path ending = std::filesystem::path(path).extension();
  for (const ReportForm& form : report_forms()) {
    if (ending == form.ending) return form.text(title, runs);
  }
  return model_of(title, runs).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace syncline::platform
