// Waves as FST, GTKWave's own format: a fraction of the size of VCD, and opened at once however long it is. Values are
// pushed into GTKWave's own writer (fstapi) while the simulation runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/observe/wave_sink.h"

namespace syncline::platform {

class FstSink final : public WaveSink {
 public:
  FstSink(Outputs& outputs, const std::string& path, std::vector<const models::TracedSignal*> signals,
          std::uint64_t limit);
  ~FstSink() override;
  void begin(std::uint64_t ps, const std::vector<std::uint64_t>& values) override;
  bool change(std::uint64_t ps, const std::vector<Change>& changes) override;
  void finish(std::uint64_t ps) override;

 private:
  /// What a change needs of a signal.
  struct Variable {
    unsigned width;
    std::uint32_t handle;
  };
  void declare();
  void put_value(std::uint32_t signal, std::uint64_t value);
  bool has_room(std::uint64_t bytes);
  void flush();
  void close();

  OutputPath& path_;
  std::vector<const models::TracedSignal*> signals_;
  void* writer_ = nullptr;
  std::vector<Variable> variables_;  ///< by number of the signal
  std::uint64_t limit_;
  std::uint64_t written_ = 0;    ///< bytes of the file, as of the last flush
  std::uint64_t unwritten_ = 0;  ///< bytes that what came since needs at most
  std::uint64_t last_ps_ = 0;
};

}  // namespace syncline::platform
