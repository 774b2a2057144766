// syncline list WHAT: what exists.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "base/nearest.h"
#include "models/families/registry.h"
#include "platform/config/configuration.h"
#include "platform/gpu/catalogue.h"
#include "platform/observe/wave_choice.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"
#include "platform/report/sections.h"
#include "platform/timed/simulation.h"
#include "protocols/coherence/registry.h"
#include "sc_main/cli/command.h"
#include "workloads/registry.h"

namespace syncline::cli {
namespace {

using platform::PlatformSpec;

struct ListOptions {
  std::string what, platform, format = "text";
  std::vector<std::string> settings;
  platform::OwnParts parts;
  std::vector<std::string> given;  ///< names of the options that the user wrote
};

bool is_given(const ListOptions& options, const std::string& name) {
  return std::find(options.given.begin(), options.given.end(), name) != options.given.end();
}

platform::Configuration<PlatformSpec> configuration_of(const std::string& platform,
                                                       const std::vector<std::string>& settings = {}) {
  return platform::load_configuration<PlatformSpec>(platform::find_platform(platform), settings);
}

std::unique_ptr<platform::Simulation> composed(const ListOptions& options) {
  return platform::compose(configuration_of(options.platform, options.settings).spec, 1, options.parts);
}

void list_platforms(const ListOptions&) {
  for (const std::string& name : platform::platform_names())
    fmt::print("{:<12} {}\n", name, configuration_of(name).spec.description);
}

/// Behind a description.
std::string shapes_of(const std::vector<workloads::Option>& options) {
  std::string text;
  for (const workloads::Option& option : options) text += (text.empty() ? "; " : ", ") + shape(option);
  return text;
}

void list_workloads(const ListOptions&) {
  for (const workloads::Workload* workload : workloads::all_workloads())
    fmt::print("{:<20} {}{}\n", workload->name(), workload->description(), shapes_of(workload->options()));
}

void list_policies(const ListOptions&) {
  for (const platform::PolicyFamily& family : platform::policy_families()) {
    for (const platform::Package* const package : family.packages)
      fmt::print("{:<26} {:<12} {}\n", family.key(), package->name(), package->summary());
    if (family.name != "coherence") continue;
    for (const auto& row : protocols::consistency_choices())
      fmt::print("{:<26} {}\n", "coherence.consistency", row.first);
  }
}

/// Name, folder, instances below the GPU, which begin the names of statistics, keys, and what it is; below, its
/// sockets.
void list_models(const ListOptions&) {
  const auto shown = [](std::string_view text) { return text.empty() ? std::string_view("-") : text; };
  for (const platform::CatalogueEntry& entry : platform::catalogue()) {
    fmt::print("{:<18} {:<24} {:<18} {:<20} {}\n", entry.name, entry.folder, shown(entry.instances), shown(entry.keys),
               entry.summary);
    for (const platform::CatalogueSocket& socket : entry.sockets) {
      const std::string condition = socket.condition.empty() ? "" : ", " + std::string(socket.condition);
      fmt::print("  {:<16} {:<24} {}{}\n", socket.name, socket.is_initiator ? "initiator" : "target",
                 name(socket.protocol), condition);
    }
  }
}

/// Size of a message behind its header, in words.
std::string size_of(const models::FamilyKind& kind) {
  static constexpr const char* payloads[] = {"", "touched bytes", "line"};
  std::string text = payloads[static_cast<std::size_t>(kind.payload)];
  if (kind.body_bytes != 0) text += fmt::format("{}{} B", text.empty() ? "" : " + ", kind.body_bytes);
  return text.empty() ? "header" : "header + " + text;
}

void list_messages(const ListOptions&) {
  for (const models::MessageFamily* const family : models::message_families()) {
    fmt::print("{:<12} {}\n", family->name, family->meaning);
    for (const models::FamilyKind& kind : family->kinds) {
      const std::string network = family->traffic.empty() ? "no network"
                                  : kind.passage == models::Passage::as_store
                                      ? "as a store"
                                      : std::string(family->networks[kind.network]);
      fmt::print("  {:<12} {:<12} {:<30} {}\n", kind.name, network, size_of(kind), kind.meaning);
    }
    for (const models::TrafficName& traffic : family->traffic) {
      const std::string measure = traffic.measure.empty() ? "no measure" : "traffic_" + std::string(traffic.measure);
      fmt::print("  counted as   {:<20} {}\n", traffic.name, measure);
    }
  }
}

void list_keys(const ListOptions& options) {
  const std::vector<std::string> formats{"text", "markdown"};
  if (std::find(formats.begin(), formats.end(), options.format) == formats.end())
    throw base::UserError("unknown format `" + options.format + "`" + base::suggestion(options.format, formats));
  if (options.format == "markdown") {
    if (is_given(options, "--platform"))
      throw base::UserError("--platform does not apply to --format markdown, which lists the defaults of all keys");
    fmt::print("{}", platform::configuration_reference<PlatformSpec>());
    return;
  }
  fmt::print("{}", configuration_of(options.platform, options.settings).settings.list());
}

void list_statistics(const ListOptions& options) {
  const auto simulation = composed(options);
  for (const base::Statistic* statistic : simulation->context().statistics.sorted())
    fmt::print("{:<44} {:<20} {}\n", statistic->full_name(), statistic->unit, statistic->description);
}

void list_wave_groups(const ListOptions& options) {
  const auto simulation = composed(options);
  for (const platform::WaveGroup& group : platform::wave_groups(simulation->context().signals.all()))
    fmt::print("{:<16} {} signals{}\n", group.name, group.signals, group.when_asked ? ", when asked for" : "");
}

/// By which endings of its file a report has which form, and the sections that this program adds to it.
void list_reports(const ListOptions&) {
  for (const platform::ReportForm& form : platform::report_forms())
    fmt::print("{:<20} {}\n", form.ending, form.meaning);
  fmt::print("{:<20} the JSON behind the page\n", "any other ending");
  for (const platform::ReportSection& section : platform::report_sections())
    fmt::print("section {:<12} {}\n", section.name, section.title);
}

struct Listing {
  const char* name;
  void (*print)(const ListOptions&);
  bool of_a_platform, has_formats;
};
constexpr Listing listings[] = {
    {"platforms", list_platforms, false, false},  {"workloads", list_workloads, false, false},
    {"policies", list_policies, false, false},    {"models", list_models, false, false},
    {"messages", list_messages, false, false},    {"keys", list_keys, true, true},
    {"statistics", list_statistics, true, false}, {"wave-groups", list_wave_groups, true, false},
    {"reports", list_reports, false, false}};

base::ExitStatus act(const ListOptions& options) {
  std::vector<std::string> names;
  for (const Listing& listing : listings) {
    if (options.what == listing.name) {
      for (const auto& [name, applies] :
           {std::pair{"--platform", listing.of_a_platform}, {"--format", listing.has_formats}}) {
        if (!applies && is_given(options, name))
          throw base::UserError(std::string(name) + " does not apply to `" + listing.name + "`");
      }
      listing.print(options);
      return base::ExitStatus::done;
    }
    names.emplace_back(listing.name);
  }
  throw base::UserError("cannot list `" + options.what + "`" + base::suggestion(options.what, names));
}

}  // namespace

void add_list(CLI::App& app, Action& chosen, const platform::OwnParts& parts, const std::string& platform,
              const std::vector<std::string>& settings) {
  auto options = std::make_shared<ListOptions>();
  options->parts = parts;
  options->platform = platform;
  options->settings = settings;
  CLI::App& list = *app.add_subcommand(
      "list", "List platforms, workloads, policies, models, messages, keys, statistics, wave-groups or reports");
  list.add_option("WHAT", options->what,
                  "platforms, workloads, policies, models, messages, keys, statistics, wave-groups, reports")
      ->required();
  list.add_option("--platform", options->platform, "whose keys, statistics or wave groups")
      ->check(some_name())
      ->capture_default_str();
  list.add_option("--format", options->format, "keys: text, or markdown for the reference of all keys")
      ->capture_default_str();
  list.callback([options, &list, &chosen] {
    for (const CLI::Option* option : list.get_options()) {
      if (option->count() != 0) options->given.push_back(option->get_name());
    }
    chosen = [options] { return act(*options); };
  });
}

}  // namespace syncline::cli
