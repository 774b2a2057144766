#include "platform/observe/wave_sink.h"

#include <filesystem>

#include "base/error.h"
#include "platform/observe/vcd_sink.h"

#ifdef SYNCLINE_FST
#include "platform/observe/fst_sink.h"
#endif

namespace syncline::platform {

std::unique_ptr<WaveSink> make_wave_sink(Outputs& outputs, const std::string& path,
                                         std::vector<const models::TracedSignal*> signals, std::uint64_t limit) {
  const std::filesystem::path ending = std::filesystem::path(path).extension();
  if (ending == ".vcd") return std::make_unique<VcdSink>(outputs, path, std::move(signals), limit);
  if (ending != ".fst")
    throw base::UserError("cannot write waves to `" + path + "`: expected a file name that ends in .vcd or .fst");
#ifdef SYNCLINE_FST
  return std::make_unique<FstSink>(outputs, path, std::move(signals), limit);
#else
  throw base::UserError("cannot write waves to `" + path +
                        "`: this build writes no FST, for it found no fstapi (Debian's packages verilator and "
                        "zlib1g-dev) or -DSYNCLINE_FST=OFF; VCD needs none");
#endif
}

}  // namespace syncline::platform
