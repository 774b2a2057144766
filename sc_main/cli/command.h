// The commands of `syncline`. Each adds its arguments to the parser and says what to do when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "platform/run/own_parts.h"

namespace syncline::cli {

/// What a chosen command does; its return value is the exit status.
using Action = std::function<base::ExitStatus()>;

/// Each function adds one subcommand; when that one is parsed, `chosen` is set. `parts` are those of all GPUs with
/// time.
void add_run(CLI::App& app, Action& chosen, const platform::OwnParts& parts);
/// `platform`, with `settings` as of --set: what is meant unless --platform says another one.
void add_list(CLI::App& app, Action& chosen, const platform::OwnParts& parts, const std::string& platform = "gtx480",
              const std::vector<std::string>& settings = {});
void add_describe(CLI::App& app, Action& chosen, const std::string& platform = "gtx480");
void add_compare(CLI::App& app, Action& chosen);
void add_sweep(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_stress(CLI::App& app, Action& chosen);
void add_validate(CLI::App& app, Action& chosen, const platform::OwnParts& parts);
void add_litmus(CLI::App& app, Action& chosen, const platform::OwnParts& parts);

/// For `transform` of an option that takes a whole number: it is read as configuration files have it ("16", "0x10",
/// "1e6", with a unit if there is one), where CLI11 itself would take a sign for a large number and 010 for 8.
CLI::Validator number(std::uint64_t least = 0, std::uint64_t most = ~std::uint64_t{0},
                      base::Unit unit = base::Unit::count);
/// For `check` of an option that takes the name of a file or of something else: an empty one would be no option at all.
CLI::Validator some_name();
/// UserError where an option of `names` is given that says nothing about `what`. The command need not have all of them.
void refuse_given(const CLI::App& command, const std::vector<std::string>& names, const std::string& what);

/// Sends what was printed on its way. UserError when standard output takes no more.
void flush_standard_output();

}  // namespace syncline::cli
