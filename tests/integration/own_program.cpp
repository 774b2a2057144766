// Ends as --end says: every exit status of a program with a platform of its own.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <systemc>

#include "base/error.h"
#include "models/nvlink/nvlink_port.h"
#include "platform/timed/simulation.h"
#include "sc_main/cli/main.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

/// Has a port that nobody binds.
struct Loose : sc_core::sc_module {
  explicit Loose(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  sc_core::sc_in<bool> in{"in"};
};

struct Thrower : sc_core::sc_module {
  SC_HAS_PROCESS(Thrower);
  explicit Thrower(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { SC_THREAD(run); }
  void run() { throw std::runtime_error("a block of the user's throws"); }
};

/// What goes to GPU 0 comes no farther than to its link.
void cut(Simulation& simulation) {
  auto* const link = dynamic_cast<models::NvlinkPort*>(sc_core::sc_find_object("gpu.nvlink0_in"));
  if (link == nullptr) throw base::UserError("there is no link to cut");
  const Gpu& gpu = simulation.gpu();
  for (const unsigned way : {0U, 1U}) {
    for (unsigned network = 0; network < gpu.coherence().virtual_networks(); ++network)
      link->lose_credits(way, static_cast<models::VirtualNetwork>(network), gpu.spec().modules.link.credits);
  }
}

constexpr const char* store_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 to)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  st.global.u32 [%rd1], 7;
  ret;
}
)";

Outcome store(Device& gpu, bool astray) {
  const DevicePointer to = gpu.upload(std::vector<std::uint32_t>{0});
  const KernelHandle kernel = gpu.module_get_function(gpu.module_load_text(store_ptx, "store.ptx"), "store");
  gpu.launch_kernel(kernel, {{1}, {1}}, astray ? arguments(std::uint64_t{64}) : arguments(to));
  return {gpu.download<std::uint32_t>(to, 1).front() == 7, "a word"};
}

}  // namespace

int sc_main(int argc, char** argv) {
  std::string end = "well";
  std::unique_ptr<sc_core::sc_module> part;
  cli::OwnProgram own;
  own.platform = "tiny";
  own.summary = "Ends as it is told to";
  own.add_options = [&](CLI::App& app) {
    app.add_option(std::getenv("OPTION_THERE_IS") == nullptr ? "--end" : "--seed", end, "how the program ends");
  };
  own.parts.options = [&](const PlatformSpec& spec) {
    if (end == "parts" && spec.sms == 2) throw base::UserError("two SMs are not enough");
    return GpuOptions{};
  };
  own.parts.bind = [&](Simulation& simulation) {
    if (end == "cut") cut(simulation);
    if (end == "unbound") part = std::make_unique<Loose>("loose");
    if (end == "thread") part = std::make_unique<Thrower>("thrower");
  };
  own.program = [&](Device& gpu) -> Outcome {
    if (end == "wrong") return {false, "nothing is right"};
    if (end == "unchecked") return {};
    if (end == "mistake") throw base::UserError("no such input");
    if (end == "model") throw base::ModelError("lost a message");
    if (end == "exception") throw std::runtime_error("out of range");
    return store(gpu, end == "fault");
  };
  return cli::run_own(argc, argv, own);
}
