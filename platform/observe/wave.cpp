#include "platform/observe/wave.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "platform/observe/fst.h"

namespace syncline::platform {
namespace {

bool is_fst(const std::filesystem::path& path) {
  return path.extension() == ".fst";
}

OutputPath& add_waves(Outputs& outputs, const std::string& path) {
  const std::filesystem::path name(path);
  if (name.extension() != ".vcd" && !is_fst(name))
    throw base::UserError("cannot write waves to `" + path + "`: expected a file name that ends in .vcd or .fst");
  if (is_fst(name)) require_fst_converter();
  return outputs.add(path, "--wave", OutputPath::Writer::by_name, name.extension().string());
}

// SystemC's writer does not tell that the disk was full, but it closes a file with the time: the last line that begins
// with `#` says how far the file goes.
bool goes_to(const std::filesystem::path& vcd, const std::string& time) {
  constexpr std::streamoff tail = 1 << 20;
  std::ifstream stream(vcd, std::ios::binary | std::ios::ate);
  stream.seekg(std::max<std::streamoff>(0, stream.tellg() - tail));
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line[0] == '#') last = line.substr(1);
  }
  return last == time;
}

}  // namespace

std::vector<std::string> wave_groups(const std::vector<models::TracedSignal>& signals) {
  std::set<std::string> groups;
  for (const models::TracedSignal& signal : signals) groups.insert(signal.group);
  return {groups.begin(), groups.end()};
}

WaveWriter::WaveWriter(Outputs& outputs, const std::string& path, const std::vector<models::TracedSignal>& signals,
                       const std::vector<std::string>& groups)
    : path_(add_waves(outputs, path)), vcd_(path_.written()) {
  if (is_fst(path)) {
    if (const int error = before_fst_.create(path_.written().parent_path(), ".vcd", 0600); error != 0)
      path_.fail(error);
    vcd_ = before_fst_.path();
  }
  const std::vector<std::string> known = wave_groups(signals);
  for (const std::string& group : groups) {
    if (std::find(known.begin(), known.end(), group) == known.end())
      throw base::UserError("unknown wave group `" + group + "`" + base::suggestion(group, known));
  }
  // SystemC's writer puts the ending behind the name that it is given.
  file_ = sc_core::sc_create_vcd_trace_file(std::filesystem::path(vcd_).replace_extension().c_str());
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
  close();
}

void WaveWriter::close() {
  if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
}

void WaveWriter::finish() {
  const auto end =
      std::to_string(static_cast<std::uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS)));
  close();
  if (!goes_to(vcd_, end)) path_.fail(ENOSPC);
  if (vcd_ != path_.written() && !convert_to_fst(vcd_, path_.written())) path_.fail("vcd2fst has failed");
  path_.complete();
}

base::Cycle WaveWriter::tick(base::Cycle now) {
  for (Sample& sample : samples_) sample.value = sample.signal->value();
  return now + 1;
}

}  // namespace syncline::platform
