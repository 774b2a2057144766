#include "platform/observe/trace_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace syncline::platform {
namespace {

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump();
}

/// In the format's microseconds.
std::string trace_time(std::uint64_t ps) {
  return fmt::format("{}.{:03}", ps / 1000, ps % 1000);
}

}  // namespace

TraceWriter::TraceWriter(std::ostream& out) : out_(out) {
  out_ << R"({"displayTimeUnit":"ns","otherData":{"producer":"syncline","time":"1 us of the trace is 1 ns simulated"},)"
       << R"("traceEvents":[)";
}

void TraceWriter::finish() {
  out_ << "\n]}\n";
}

void TraceWriter::open(char phase, const Track& track) {
  out_ << separator_ << R"({"ph":")" << phase << R"(","pid":)" << track.process << R"(,"tid":)" << track.thread;
  separator_ = ",\n";
}

void TraceWriter::metadata(const char* what, const Track& track, std::string_view key, const std::string& value) {
  open('M', track);
  out_ << R"(,"name":")" << what << R"(","args":{")" << key << R"(":)" << value << "}}";
}

void TraceWriter::name_process(unsigned process, std::string_view name) {
  metadata("process_name", {process, 0}, "name", quoted(name));
  metadata("process_sort_index", {process, 0}, "sort_index", std::to_string(process));
}

void TraceWriter::name_thread(const Track& track, std::string_view name) {
  metadata("thread_name", track, "name", quoted(name));
  metadata("thread_sort_index", track, "sort_index", std::to_string(track.thread));
}

void TraceWriter::slice(const Track& track, std::uint64_t from_ps, std::uint64_t until_ps, std::string_view name,
                        const Args& args) {
  open('X', track);
  out_ << R"(,"ts":)" << trace_time(from_ps) << R"(,"dur":)" << trace_time(until_ps - from_ps) << R"(,"name":)"
       << quoted(name);
  if (!args.empty()) out_ << R"(,"args":)" << args;
  out_ << "}";
  ++events_;
}

void TraceWriter::begin(const Track& track, std::uint64_t ps, std::string_view name, const Args& args) {
  open('B', track);
  out_ << R"(,"ts":)" << trace_time(ps) << R"(,"name":)" << quoted(name);
  if (!args.empty()) out_ << R"(,"args":)" << args;
  out_ << "}";
  ++events_;
}

void TraceWriter::end(const Track& track, std::uint64_t ps) {
  open('E', track);
  out_ << R"(,"ts":)" << trace_time(ps) << "}";
}

void TraceWriter::instant(const Track& track, std::uint64_t ps, std::string_view name, const Args& args) {
  open('i', track);
  out_ << R"(,"s":"t","ts":)" << trace_time(ps) << R"(,"name":)" << quoted(name);
  if (!args.empty()) out_ << R"(,"args":)" << args;
  out_ << "}";
  ++events_;
}

void TraceWriter::arrow(char phase, const Track& track, std::uint64_t ps, std::uint64_t id) {
  open(phase, track);
  out_ << R"(,"ts":)" << trace_time(ps) << R"(,"id":)" << id << R"(,"name":"because","cat":"because")";
  if (phase == 'f') out_ << R"(,"bp":"e")";
  out_ << "}";
}

}  // namespace syncline::platform
