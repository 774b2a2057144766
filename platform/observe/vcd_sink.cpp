#include "platform/observe/vcd_sink.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <iterator>
#include <systemc>

#include "platform/observe/wave_scopes.h"

namespace syncline::platform {
namespace {

constexpr std::size_t identifier_letters = 5;
constexpr std::size_t closing_bytes = 24;  // `#` and the time at which the file ends

std::string identifier(std::size_t number) {
  std::string text(identifier_letters, 'a');
  for (std::size_t at = identifier_letters; at-- > 0; number /= 26) text[at] = static_cast<char>('a' + number % 26);
  return text;
}

}  // namespace

VcdSink::VcdSink(Outputs& outputs, const std::string& path, std::vector<const models::TracedSignal*> signals,
                 std::uint64_t limit)
    : file_(outputs, path, "--wave"), signals_(std::move(signals)), limit_(limit) {
  for (std::size_t i = 0; i < signals_.size(); ++i) identifiers_.push_back(identifier(i));
  put_header();
  flush();
}

void VcdSink::put_header() {
  const auto to = std::back_inserter(text_);
  fmt::format_to(to, "$date\n     {:%b %d, %Y       %H:%M:%S}\n$end\n\n", fmt::localtime(std::time(nullptr)));
  fmt::format_to(to, "$version\n {}\n$end\n\n$timescale\n     1 ps\n$end\n\n", sc_core::sc_version());
  fmt::format_to(to, "$scope module {} $end\n", wave_root_scope);
  WaveScopes(signals_).walk([&](const std::string& name) { fmt::format_to(to, "$scope module {} $end\n", name); },
                            [&](const std::string& name, std::uint32_t signal) {
                              const unsigned width = signals_[signal]->width;
                              const std::string range = width == 1 ? "    " : fmt::format("[{}:0]", width - 1);
                              fmt::format_to(to, "$var wire  {:3}  {}  {} {}  $end\n", width, identifiers_[signal],
                                             name, range);
                            },
                            [&] { fmt::format_to(to, "$upscope $end\n"); });
  fmt::format_to(to, "$upscope $end\n$enddefinitions  $end\n\n");
}

void VcdSink::put_value(std::uint32_t signal, std::uint64_t value) {
  const unsigned width = signals_[signal]->width;
  if (width == 1) {
    text_ += value > 1 ? 'x' : static_cast<char>('0' + value);
  } else {
    text_ += 'b';
    if (width < 64 && value >> width != 0) {  // more than it has room for
      text_ += 'x';
    } else {
      for (int bit = value == 0 ? 0 : 63 - __builtin_clzll(value); bit >= 0; --bit)
        text_ += static_cast<char>('0' + (value >> bit & 1));
    }
    text_ += ' ';
  }
  text_ += identifiers_[signal];
  text_ += '\n';
}

void VcdSink::flush() {
  file_.stream() << text_;
  written_ += text_.size();
  text_.clear();
}

void VcdSink::begin(std::uint64_t ps, const std::vector<std::uint64_t>& values) {
  fmt::format_to(std::back_inserter(text_),
                 "$comment\nAll initial values are dumped below at time {:g} sec = {} timescale units.\n$end\n\n",
                 static_cast<double>(ps) * 1e-12, ps);
  if (ps != 0) fmt::format_to(std::back_inserter(text_), "#{}\n", ps);
  text_ += "$dumpvars\n";
  for (std::uint32_t i = 0; i < values.size(); ++i) put_value(i, values[i]);
  text_ += "$end\n\n";
  flush();
  last_ps_ = ps;
}

bool VcdSink::change(std::uint64_t ps, const std::vector<Change>& changes) {
  fmt::format_to(std::back_inserter(text_), "#{}\n", ps);
  for (const Change& change : changes) put_value(change.signal, change.value);
  text_ += '\n';
  if (limit_ != 0 && written_ + text_.size() + closing_bytes > limit_) {
    text_.clear();
    return false;
  }
  flush();
  last_ps_ = ps;
  return true;
}

void VcdSink::finish(std::uint64_t ps) {
  if (ps > last_ps_) fmt::format_to(std::back_inserter(text_), "#{}\n", ps);
  flush();
  file_.finish();
}

}  // namespace syncline::platform
