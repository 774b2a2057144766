#include "platform/report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "platform/report/page.h"

namespace syncline::platform {
namespace {

std::deque<ReportSection>& all_sections() {
  static std::deque<ReportSection> all;
  return all;
}

std::deque<ReportForm>& all_forms() {
  static std::deque<ReportForm> all{{".html", "a page that opens offline", report_page},
                                    {".htm", "the same", report_page}};
  return all;
}

bool is_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return (c < 0x80 && std::isalnum(c) != 0) || c == '_'; });
}

}  // namespace

void add_report_section(ReportSection section) {
  if (!is_word(section.name))
    throw base::ModelError(
        fmt::format("`{}` cannot be the name of a section: it has letters, digits and _ only", section.name));
  for (const ReportSection& other : all_sections()) {
    if (other.name == section.name)
      throw base::ModelError(fmt::format("two sections of reports are called `{}`", section.name));
  }
  // Within <script> these begin what only the end of the page, or of a comment, ends.
  for (const char* const mark : {"</script", "<script", "<!--"}) {
    if (section.script.find(mark) != std::string::npos)
      throw base::ModelError(
          fmt::format("the script of the section `{}` has `{}`, which would end it in a page", section.name, mark));
  }
  if (!section.begin) throw base::ModelError(fmt::format("nobody gathers data of the section `{}`", section.name));
  all_sections().push_back(std::move(section));
}

const std::deque<ReportSection>& report_sections() {
  return all_sections();
}

void add_report_form(ReportForm form) {
  if (form.ending.size() < 2 || form.ending.front() != '.')
    throw base::ModelError(fmt::format("`{}` is not the ending of a file", form.ending));
  for (const ReportForm& other : all_forms()) {
    if (other.ending == form.ending)
      throw base::ModelError(fmt::format("reports with the ending `{}` are there already", form.ending));
  }
  all_forms().push_back(std::move(form));
}

const std::deque<ReportForm>& report_forms() {
  return all_forms();
}

}  // namespace syncline::platform
