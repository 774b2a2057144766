// syncline run PLATFORM WORKLOAD: one program on one platform.
#include <memory>

#include "sc_main/cli/command.h"
#include "sc_main/cli/program.h"
#include "sc_main/cli/run_options.h"

namespace syncline::cli {
namespace {

struct Options : RunOptions {
  ProgramOptions program;
};

}  // namespace

void add_run(CLI::App& app, Action& chosen, const platform::OwnParts& parts) {
  auto options = std::make_shared<Options>();
  options->request.parts = parts;
  CLI::App& run = *app.add_subcommand("run", "Run a program on a platform; the last line of output is one JSON object");
  run.add_option("PLATFORM", options->platform, "a name in configs/ (`syncline list platforms`), or a YAML file")
      ->required()
      ->check(some_name());
  run.add_option("WORKLOAD", options->program.workload,
                 "a name (`syncline list workloads`), a script (.yaml), or a .ptx file with --kernel")
      ->required()
      ->check(some_name());
  add_program_options(run, options->program);
  add_run_options(run, *options);
  run.add_option("--dump", options->program.kernel.dumps, "BUFFER=FILE: write a buffer after the run")
      ->take_all()
      ->allow_extra_args(false);
  run.callback([options, &chosen] {
    chosen = [options] {
      return perform(*options, [&](platform::Outputs& outputs) {
        return program_of(*options->command, options->program, outputs);
      });
    };
  });
}

}  // namespace syncline::cli
