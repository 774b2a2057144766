// reversed_construction PLATFORM WORKLOAD STATISTICS.json: runs a workload on a GPU whose blocks were made in the
// opposite order, and writes its statistics, to be compared with those of `syncline run`.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>

#include "platform/config/configuration.h"
#include "platform/observe/statistics_json.h"
#include "platform/timed/simulation.h"
#include "workloads/registry.h"

using namespace syncline;

int sc_main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string file = std::string(SYNCLINE_SOURCE_DIR) + "/configs/" + argv[1] + ".yaml";
  const auto configuration = platform::load_configuration<platform::PlatformSpec>(file);
  platform::GpuOptions options;
  options.reverse_construction = true;
  platform::Simulation simulation(configuration.spec, 1, options);
  bool verified = false;
  simulation.run([&](platform::Device& device) {
    const workloads::Workload& workload = workloads::find_workload(argv[2]);
    verified = workload.run({device, workloads::Size::small, 1, workloads::ptx_path(workload)}).verified;
    device.synchronize();
    (void)device.memory_signature();
  });
  std::ofstream out(argv[3]);
  platform::write_statistics(out, simulation.context().statistics, nlohmann::ordered_json::object(), {});
  return verified ? 0 : 1;
}
