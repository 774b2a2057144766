#include "sc_main/cli/main.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <systemc>
#include <vector>

#include "base/nearest.h"
#include "platform/process/huge_pages.h"
#include "platform/process/lack_of_memory.h"
#include "sc_main/cli/command.h"
#include "sc_main/cli/run_options.h"

namespace syncline::cli {
namespace {

// SystemC's main() prints a banner before sc_main begins, unless it is told not to. A user's own setting wins.
const int quiet = setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);

// CLI11 says only that an argument was not expected; say what is near, as everywhere else.
std::string mistake(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands, options;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::vector<std::string> unknown = app.remaining(true);
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty() && !commands.empty() &&
      std::find(unknown.begin(), unknown.end(), argv[1]) != unknown.end())
    return "unknown command `" + std::string(argv[1]) + "`" + base::suggestion(argv[1], commands);
  const auto add_options = [&options](const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
  };
  if (app.get_subcommands().empty()) add_options(app);
  for (const CLI::App* command : app.get_subcommands()) add_options(*command);
  for (const std::string& extra : unknown) {
    if (extra.rfind("--", 0) == 0) return "unknown option `" + extra + "`" + base::suggestion(extra, options);
  }
  return error.what();
}

/// In one line on standard error, for the program of that name.
int report(const std::string& name, base::ExitStatus status, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", name.c_str(), text.c_str());
  return static_cast<int>(status);
}

/// `reason`: an errno; 0 if it is no longer known.
std::string lost_output(int reason) {
  return std::string("cannot write standard output: ") + (reason != 0 ? std::strerror(reason) : "a write failed");
}

/// Gives each standard stream that is closed a descriptor that refuses: a file that is opened later would get its
/// number, and what is printed. False where standard output is closed.
bool keep_standard_streams() {
  bool prints = true;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0 || stream == STDOUT_FILENO) prints = false;
  }
  return prints;
}

/// Adds what the parser knows; says what to do, now or when it was parsed.
using Setup = std::function<void(Action& chosen)>;

int parse_and_act(CLI::App& app, const Setup& setup, int argc, char** argv) {
  const auto told = [&app](base::ExitStatus status, const std::string& text) {
    return report(app.get_name(), status, text);
  };
  const auto broken = [&told](const std::string& whose, const std::exception& error) {
    if (platform::is_lack_of_memory(error)) return told(base::ExitStatus::user_error, platform::lack_of_memory_text);
    return told(base::ExitStatus::model_error, whose + ": " + error.what());
  };
  try {
    Action chosen;
    setup(chosen);
    app.parse(argc, argv);
    return static_cast<int>(chosen());
  } catch (const CLI::Success& answered) {  // --help, --version
    return app.exit(answered);
  } catch (const CLI::ParseError& error) {
    return told(base::ExitStatus::user_error,
                mistake(app, error, argc, argv) + "\nsee `" + app.get_name() + " --help`");
  } catch (const base::Error& error) {
    return told(error.status(), error.what());
  } catch (const sc_core::sc_report& error) {  // what is not bound, what a process of a user's block throws
    return broken("SystemC", error);
  } catch (const std::filesystem::filesystem_error& error) {
    return told(base::ExitStatus::user_error, "cannot use `" + error.path1().string() + "`: " + error.code().message());
  } catch (const std::system_error& error) {
    // fmt throws this where standard output takes no more.
    if (std::ferror(stdout) != 0) return told(base::ExitStatus::user_error, lost_output(error.code().value()));
    return broken("internal error", error);
  } catch (const std::exception& error) {
    return broken("internal error", error);
  }
}

/// The whole life of a program.
int serve(CLI::App& app, const Setup& setup, int argc, char** argv) {
  if (quiet != 0) return EXIT_FAILURE;
  platform::prefer_huge_pages();
  // Notes such as "simulation stopped by user" are not results.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  app.set_version_flag("--version", SYNCLINE_VERSION);
  if (!keep_standard_streams())
    return report(app.get_name(), base::ExitStatus::user_error, "cannot write standard output: it is closed");
  const int status = parse_and_act(app, setup, argc, argv);
  // A command that ended by an error has told it. Of the others, results may still be on their way, and a stream that
  // failed says so only when asked, which SystemC's main() does not do.
  if (status > static_cast<int>(base::ExitStatus::not_verified)) return status;
  try {
    flush_standard_output();
  } catch (const base::UserError& error) {
    const int lost = report(app.get_name(), error.status(), error.what());
    return status == static_cast<int>(base::ExitStatus::done) ? lost : status;
  }
  return status;
}

}  // namespace

void flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw base::UserError(lost_output(errno));
}

int main(int argc, char** argv, const platform::OwnParts& parts) {
  CLI::App app{"Syncline: a SystemC/TLM-2.0 virtual platform of GPUs, for the design of how GPUs synchronize"};
  app.name("syncline");
  app.require_subcommand(1);
  const auto add_commands = [&](Action& chosen) {
    add_run(app, chosen, parts);
    add_list(app, chosen, parts);
    add_describe(app, chosen);
    add_check(app, chosen);
    add_stress(app, chosen);
    add_compare(app, chosen);
    add_sweep(app, chosen);
    add_validate(app, chosen, parts);
    add_litmus(app, chosen, parts);
  };
  return serve(app, add_commands, argc, argv);
}

int run_own(int argc, char** argv, const OwnProgram& own) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  CLI::App app{own.summary};
  app.name(name);
  RunOptions options;
  options.platform = own.platform;
  options.request.parts = own.parts;
  const auto add_options = [&](Action& chosen) {
    app.add_option("--platform", options.platform, "a name in configs/, or a YAML file")
        ->check(some_name())
        ->capture_default_str();
    add_run_options(app, options);
    if (own.add_options) own.add_options(app);
    add_list(app, chosen, own.parts, own.platform, own.settings);
    add_describe(app, chosen, own.platform);
    chosen = [&] {
      options.overrides.insert(options.overrides.begin(), own.settings.begin(), own.settings.end());
      return perform(options, [&](platform::Outputs&) { return Program{name, own.program}; });
    };
  };
  return serve(app, add_options, argc, argv);
}

}  // namespace syncline::cli
