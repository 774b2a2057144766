// One run: a platform, a host program, what is watched, and what comes out.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "isa/trace/trace_event.h"
#include "platform/host/device.h"
#include "platform/observe/outputs.h"
#include "platform/observe/provenance.h"
#include "platform/observe/questions.h"
#include "platform/observe/wave_spec.h"
#include "platform/run/own_parts.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// What a host program says of its own result; no value: it checked nothing.
struct Outcome {
  std::optional<bool> verified;
  std::string detail;
  std::string signature{};  ///< of what was computed, where chance decides that; empty: it does not
};

/// A program on the CPU side. Runs once, on the device it is given.
using HostProgram = std::function<Outcome(Device&)>;

/// What to leave behind. Empty paths: nothing.
struct Observation {
  std::string statistics_path;  ///< CSV by the ending .csv, else JSON
  std::string series_path;
  base::Cycle series_period = 500;        ///< SM cycles a row; the thesis of GPUDet draws its figures 5.1-5.4 with 500
  std::vector<std::string> series_names;  ///< statistics to follow; empty: IPC, occupancy and queue depths
  bool series_of_kernels = false;         ///< no rows where no kernel is under way
  std::string report_path;                ///< a page by the ending .html or .htm, else the JSON that it is drawn from
  WaveSpec wave;
  LatencyQuestions latency;
  TraceQuestions trace;
  bool progress = false;
};

struct RunRequest {
  PlatformSpec platform;
  std::uint64_t seed = 1;
  bool functional = false;
  Provenance provenance = {};  ///< for files of results
  Settings settings = {};      ///< of the platform, for a report
  Observation observe;
  OwnParts parts = {};
  bool many_runs = false;  ///< the program's launches are runs of their own: `limits.cycles` is one of each
};

struct RunResult {
  Outcome outcome;
  DeviceTotals totals;
  double host_seconds = 0;  ///< of the host program, platform construction left out
  std::uint64_t memory_signature = 0;
  std::vector<std::string> notes;  ///< what the machine has to tell the user (PlatformContext::notes)
  std::string consistency;         ///< what was judged while the program ran; empty: nothing
  std::string transactions;        ///< the same of its transactions
  std::string threads;             ///< of the host's, and why not more; empty: one, as asked
  std::string latency;             ///< tables that LatencyQuestions asks for; empty: it asks for nothing
};

/// Runs `program` on the platform, timed or functional, and writes what was asked for to `outputs`, which it does not
/// commit. One timed run per process (SystemC allows one elaboration). Throws base::Error.
RunResult run(const RunRequest& request, const HostProgram& program, Outputs& outputs);
/// The same where nothing is to be left behind.
RunResult run(const RunRequest& request, const HostProgram& program);
/// A functional run, whatever the request says, whose every instruction `sink` is told of; what kernels print goes to
/// `printed`.
RunResult run_traced(const RunRequest& request, const HostProgram& program, isa::TraceSink& sink,
                     std::ostream& printed);

}  // namespace syncline::platform
