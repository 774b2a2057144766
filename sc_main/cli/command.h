// The commands of `syncline`. Each adds its arguments to the parser and says what to do when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/error.h"

namespace syncline::cli {

/// What a chosen command does; its return value is the exit status.
using Action = std::function<base::ExitStatus()>;

/// Each function adds one subcommand; when that one is parsed, `chosen` is set.
void add_run(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_describe(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_stress(CLI::App& app, Action& chosen);
void add_validate(CLI::App& app, Action& chosen);
void add_litmus(CLI::App& app, Action& chosen);

/// What a seed may be: CLI11 itself takes a sign and turns what is too large into the largest number.
const CLI::Validator& whole_number();

/// Sends what was printed on its way. UserError when standard output takes no more.
void flush_standard_output();

/// The whole command line: parses, acts, turns errors into one line on standard error and the exit status.
int main(int argc, char** argv);

}  // namespace syncline::cli
