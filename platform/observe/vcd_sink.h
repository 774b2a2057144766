// Waves as VCD (IEEE 1364-2005, 18), as SystemC's own writer has it, byte for byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/observe/output_file.h"
#include "platform/observe/wave_sink.h"

namespace syncline::platform {

class VcdSink final : public WaveSink {
 public:
  VcdSink(Outputs& outputs, const std::string& path, std::vector<const models::TracedSignal*> signals,
          std::uint64_t limit);
  void begin(std::uint64_t ps, const std::vector<std::uint64_t>& values) override;
  bool change(std::uint64_t ps, const std::vector<Change>& changes) override;
  void finish(std::uint64_t ps) override;

 private:
  void put_header();
  void put_value(std::uint32_t signal, std::uint64_t value);
  void flush();

  OutputFile file_;
  std::vector<const models::TracedSignal*> signals_;
  std::vector<std::string> identifiers_;  ///< short names that stand for the signals
  std::uint64_t limit_, written_ = 0;
  std::string text_;  ///< that is not written yet
  std::uint64_t last_ps_ = 0;
};

}  // namespace syncline::platform
