// A file of waves, whatever its format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/block/traced_signal.h"
#include "platform/observe/outputs.h"

namespace syncline::platform {

/// Takes values and times, and makes a file of them that appears with the other outputs of the call. The signals are
/// numbered as `signals` has them; scopes follow their names. Times are picoseconds.
class WaveSink {
 public:
  struct Change {
    std::uint32_t signal;
    std::uint64_t value;
  };

  virtual ~WaveSink() = default;
  /// The values of all signals at the time at which the file begins. Called once, before any `change`.
  virtual void begin(std::uint64_t ps, const std::vector<std::uint64_t>& values) = 0;
  /// What has changed at a later time than anything before, in the order of signals. False: the file would become
  /// longer than its limit; it takes nothing more.
  virtual bool change(std::uint64_t ps, const std::vector<Change>& changes) = 0;
  /// The file ends, at a time that is not before anything else; without `begin` it holds names alone. UserError when
  /// not all of it could be written.
  virtual void finish(std::uint64_t ps) = 0;
};

/// By the ending of `path`: VCD (.vcd) or FST (.fst). `limit`: bytes that the file may have, 0 for any number.
/// UserError for another ending, for a path that cannot be written, and for FST where this build cannot write it.
std::unique_ptr<WaveSink> make_wave_sink(Outputs& outputs, const std::string& path,
                                         std::vector<const models::TracedSignal*> signals, std::uint64_t limit);

}  // namespace syncline::platform
