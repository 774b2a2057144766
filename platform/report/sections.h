// What a program adds to reports beside what every report has: sections of the page, and files of another form.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/gpu/gpu.h"
#include "platform/report/report_model.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {

/// What a section knows of one run.
class SectionOfRun {
 public:
  SectionOfRun() = default;
  SectionOfRun(const SectionOfRun&) = delete;
  SectionOfRun& operator=(const SectionOfRun&) = delete;
  virtual ~SectionOfRun() = default;
  /// Before the GPU is made: who is to be told of what happens in its blocks.
  virtual void listen(GpuOptions&) {}
  /// Blocks are there, and nothing has run yet.
  virtual void watch(Simulation&) {}
  /// The run has ended: what the section shows, which stands in the report as `sections.NAME`. Of two runs that are
  /// equal it is equal.
  virtual nlohmann::ordered_json data(const ReportSources& run) = 0;
};

/// A section of the caller's, behind all others.
struct ReportSection {
  std::string name;   ///< letters, digits and _: of its box in the page and of its data
  std::string title;  ///< its headline
  std::string note;   ///< what it shows, below; may be empty
  /// How the page draws it: the body of a JavaScript function of `box`, a D3 selection to append to, `data`, and `run`,
  /// the whole of the run (report_model). D3 and all of shapes.js (`table`, `stackedBars`, `heatMap`, ...) are there.
  std::string script;
  /// Asked once a run that has a report.
  std::function<std::unique_ptr<SectionOfRun>(const PlatformSpec&)> begin;
};

/// Adds a section to all reports that are written from now on. ModelError for a name that is taken or none, and for a
/// script that would end the element of the page in which it stands.
void add_report_section(ReportSection section);
/// In the order in which they were added.
const std::deque<ReportSection>& report_sections();

/// A form of the whole report, which is chosen by the ending of the file.
struct ReportForm {
  std::string ending;   ///< ".md"
  std::string meaning;  ///< a few words, for `syncline list reports`
  /// The file's text. `runs` are report_model's; several where `syncline compare` writes it.
  std::function<std::string(const std::string& title, const std::vector<nlohmann::ordered_json>& runs)> text;
};

/// ModelError for an ending that is none or is taken.
void add_report_form(ReportForm form);
/// The page's first, then those that were added.
const std::deque<ReportForm>& report_forms();

}  // namespace syncline::platform
