#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/nearest.h"
#include "platform/process/lack_of_memory.h"
#include "sc_main/cli/command.h"

namespace syncline::cli {
namespace {

// CLI11 says only that an argument was not expected; say what is near, as everywhere else.
std::string mistake(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands, options;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty())
    return "unknown command `" + std::string(argv[1]) + "`" + base::suggestion(argv[1], commands);
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
  }
  for (const std::string& extra : app.remaining(true)) {
    if (extra.rfind("--", 0) == 0) return "unknown option `" + extra + "`" + base::suggestion(extra, options);
  }
  return error.what();
}

int report(base::ExitStatus status, const std::string& text) {
  std::fprintf(stderr, "syncline: %s\n", text.c_str());
  return static_cast<int>(status);
}

int internal_error(const std::exception& error) {
  return report(base::ExitStatus::model_error, std::string("internal error: ") + error.what());
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

int parse_and_act(int argc, char** argv) {
  CLI::App app{"Syncline: a SystemC/TLM-2.0 virtual platform of GPUs, for the design of how GPUs synchronize"};
  app.name("syncline");
  app.require_subcommand(1);
  app.set_version_flag("--version", SYNCLINE_VERSION);
  Action action;
  add_run(app, action);
  add_list(app, action);
  add_describe(app, action);
  add_check(app, action);
  add_stress(app, action);
  add_compare(app, action);
  add_validate(app, action);
  add_litmus(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return report(base::ExitStatus::user_error, mistake(app, error, argc, argv) + "\nsee `syncline --help`");
  } catch (const base::Error& error) {
    return report(error.status(), error.what());
  }

  try {
    return static_cast<int>(action());
  } catch (const base::Error& error) {
    return report(error.status(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return report(base::ExitStatus::user_error,
                  "cannot use `" + error.path1().string() + "`: " + error.code().message());
  } catch (const std::system_error& error) {
    // fmt throws this where standard output takes no more.
    if (std::ferror(stdout) != 0) return report(base::ExitStatus::user_error, lost_output(error.code().value()));
    return internal_error(error);
  } catch (const std::exception& error) {
    if (platform::is_lack_of_memory(error)) return report(base::ExitStatus::user_error, platform::lack_of_memory_text);
    return internal_error(error);
  }
}

}  // namespace

void flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw base::UserError(lost_output(errno));
}

int main(int argc, char** argv) {
  if (!keep_standard_streams())
    return report(base::ExitStatus::user_error, "cannot write standard output: it is closed");
  const int status = parse_and_act(argc, argv);
  // A command that ended by an error has told it. Of the others, results may still be on their way, and a stream that
  // failed says so only when asked, which SystemC's main() does not do.
  if (status > static_cast<int>(base::ExitStatus::not_verified)) return status;
  try {
    flush_standard_output();
  } catch (const base::UserError& error) {
    const int lost = report(error.status(), error.what());
    return status == static_cast<int>(base::ExitStatus::done) ? lost : status;
  }
  return status;
}

}  // namespace syncline::cli
