#include "platform/observe/consistency_complaints.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platform/observe/line_copies.h"
#include "platform/observe/warp_name.h"

namespace syncline::platform {

using consistency::OnlineKind;
using consistency::OnlineModel;

namespace {

std::string bytes_of(const base::ByteMask& mask) {
  unsigned first = 0, last = base::max_line_bytes - 1;
  if (mask.empty()) return "no bytes";
  while (!mask.test(first)) ++first;
  while (!mask.test(last)) --last;
  const char* const some = last - first + 1 == mask.count() ? "" : "some of ";
  return fmt::format("{}bytes {} to {}", some, first, last);
}

}  // namespace

std::string ConsistencyComplaints::describe(const Step& step) const {
  const consistency::OnlineAccess& a = step.access;
  std::string who = "a warp that ended long ago";
  std::string where = fmt::format("pc {}", a.label);
  if (const models::WarpIdentity* const w = threads_.who(a.thread); w != nullptr) {
    if (w->sm == WatchedThreads::host) {
      who = "the host";
      where.clear();
    } else if (w->sm == WatchedThreads::other_module) {
      who = "the L2 of another module";
      where.clear();
    } else if (w->sm.value() >= threads_.sms()) {
      who = fmt::format("foreign initiator {}", w->sm.value());
    } else {
      who = name_of(*w);
      const std::string known = where_ ? where_(w->grid, static_cast<std::uint32_t>(a.label)) : std::string();
      if (!known.empty()) where = known;
    }
  }
  std::string what = consistency::name(step.kind);
  if (step.kind == OnlineKind::fence)
    where.clear();  // its message does not say which instruction it is
  else
    what += fmt::format(" of {} of line {:#x}", bytes_of(a.bytes), a.line);
  if (step.kind != OnlineKind::fence && step.version != LineCopy::unknown)
    what += fmt::format(", version {}", step.version);
  return where.empty() ? fmt::format("{}: {}", who, what) : fmt::format("{}: {} at {}", who, what, where);
}

void ConsistencyComplaints::of_order(OnlineModel model, const consistency::OnlineViolation& violation) const {
  std::string text = fmt::format(
      "the run breaks {}; each of these {} accesses comes before the next, and the last "
      "before the first:",
      model == OnlineModel::sc ? "sequential consistency" : "weak ordering", violation.steps.size());
  for (const Step& step : violation.steps)
    text += fmt::format("\n  {}\n    before, by {},", describe(step), consistency::name(step.reason));
  text.back() = ' ';
  throw base::ModelError(text + "the first");
}

void ConsistencyComplaints::of_values(const Step& reader, const std::string& what) const {
  throw base::ModelError(fmt::format("the run breaks the values of memory: {}: {}", describe(reader), what));
}

void ConsistencyComplaints::of_values(const Step& reader, const consistency::ValueVerdict& verdict,
                                      const char* where) const {
  of_values(reader,
            fmt::format("byte {} holds {:#04x} {}, not {:#04x}", verdict.byte, verdict.found, where, verdict.expected));
}

}  // namespace syncline::platform
