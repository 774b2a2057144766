#include "platform/observe/wave.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::platform {
namespace {

std::string stem_of(const std::string& path) {
  const std::string ending = ".vcd";
  if (path.size() <= ending.size() || path.compare(path.size() - ending.size(), ending.size(), ending) != 0)
    throw base::UserError("cannot write waves to `" + path + "`: expected a file name that ends in .vcd");
  std::ofstream probe(path);
  if (!probe) throw base::UserError("cannot write `" + path + "`: " + std::strerror(errno));
  return path.substr(0, path.size() - ending.size());
}

}  // namespace

std::vector<std::string> wave_groups(const std::vector<models::TracedSignal>& signals) {
  std::set<std::string> groups;
  for (const models::TracedSignal& signal : signals) groups.insert(signal.group);
  return {groups.begin(), groups.end()};
}

WaveWriter::WaveWriter(const std::string& path, const std::vector<models::TracedSignal>& signals,
                       const std::vector<std::string>& groups) {
  const std::vector<std::string> known = wave_groups(signals);
  for (const std::string& group : groups) {
    if (std::find(known.begin(), known.end(), group) == known.end())
      throw base::UserError("unknown wave group `" + group + "`" + base::suggestion(group, known));
  }
  file_ = sc_core::sc_create_vcd_trace_file(stem_of(path).c_str());
  file_->set_time_unit(1, sc_core::SC_PS);
  std::vector<const models::TracedSignal*> chosen;
  for (const models::TracedSignal& signal : signals) {
    if (groups.empty() || std::find(groups.begin(), groups.end(), signal.group) != groups.end())
      chosen.push_back(&signal);
  }
  std::sort(chosen.begin(), chosen.end(), [](const models::TracedSignal* a, const models::TracedSignal* b) {
    return std::tie(a->block, a->name) < std::tie(b->block, b->name);
  });
  for (const models::TracedSignal* signal : chosen) {
    samples_.push_back({signal, 0});
    sc_core::sc_trace(file_, samples_.back().value, signal->block + "." + signal->name,
                      static_cast<int>(signal->width));
  }
}

WaveWriter::~WaveWriter() {
  if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
}

base::Cycle WaveWriter::tick(base::Cycle now) {
  for (Sample& sample : samples_) sample.value = sample.signal->value();
  return now + 1;
}

}  // namespace syncline::platform
