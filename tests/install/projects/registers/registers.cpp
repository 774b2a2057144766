// All commands of `syncline`, with a policy of coherence, a policy of another family, a family of messages, a section
// of reports and a form of reports that are not in its tree. docs/how-to-library.md shows the pieces.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/families/registry.h"
#include "models/sm/sm.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"
#include "platform/report/sections.h"
#include "protocols/coherence/registry.h"
#include "sc_main/cli/main.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

/// `once`: as `none`, but a copy in the L1 answers one load.
protocols::CoherencePolicy make_once(const protocols::CoherenceSpec&, const protocols::CoherenceContext&) {
  namespace none = protocols::none;
  protocols::CoherencePolicy policy = protocols::make_none({});
  policy.name = "once";
  policy.description = "As `none`, but a copy in the L1 answers one load.";
  const auto base = none::l1_table({});
  protocols::Vocabulary words = base->vocabulary();
  words.protocol = "once";
  const auto action = [&words](std::string_view name) {
    protocols::Code code = 0;
    while (words.actions.at(code).name != name) ++code;
    return code;
  };
  const protocols::Row served{
      none::L1State::V, none::L1Event::Load, {action("hit"), action("drop")}, none::L1State::I, "the copy has served"};
  policy.at(protocols::Role::l1).table =
      std::make_shared<const protocols::TransitionTable>(base->overlaid(words, {served}));
  return policy;
}

/// `few`: a warp has few memory instructions in flight.
struct FewKeys {
  std::uint32_t most = 1;
  template <class V>
  void fields(V& v) {
    v.field("most", most,
            base::param::count("memory instructions of a warp that are in flight at a time").between(1, 64));
  }
};

class FewGate : public models::IssueGate {
 public:
  explicit FewGate(unsigned most) : most_(most) {}
  std::vector<std::string_view> reasons() const override { return {"few"}; }
  Verdict check(const models::IssueQuery& query) override {
    return query.op->is_memory && query.accesses_in_flight >= most_ ? 0 : open;
  }

 private:
  const unsigned most_;
};

class FewParts : public PolicyParts {
 public:
  explicit FewParts(unsigned most) : most_(most) {}
  void add_to(models::SmSeams& seams, unsigned) override { seams.gate = std::make_shared<FewGate>(most_); }

 private:
  const unsigned most_;
};

class Few : public Package {
 public:
  std::string_view name() const override { return "few"; }
  std::string_view summary() const override { return "few memory instructions of a warp in flight"; }
  std::unique_ptr<PackageKeys> keys() const override { return std::make_unique<KeysOf<FewKeys>>("how few"); }
  std::vector<const models::MessageFamily*> families() const override;
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override {
    return std::make_unique<FewParts>(site.spec.determinism.keys<FewKeys>().most);
  }
};

/// What `few` could have SMs and partitions tell each other.
const models::MessageFamily ping_family{"ping",
                                        "whether somebody is there",
                                        {"pings"},
                                        {{"ping", ""}},
                                        {{"ping", 0, protocols::Payload::none, 4, 0, models::Passage::by, "a number"}}};

std::vector<const models::MessageFamily*> Few::families() const {
  return {&ping_family};
}

/// The section: how many warps each SM has run.
struct WarpCount : models::WarpEvents {
  void warp_started(const models::WarpIdentity& warp) override { ++by_sm.at(warp.sm.value()); }
  std::vector<unsigned> by_sm;
};

class WarpsOfRun : public SectionOfRun {
 public:
  explicit WarpsOfRun(unsigned sms) { count_->by_sm.resize(sms); }
  void listen(GpuOptions& options) override { options.listeners.push_back(count_); }
  nlohmann::ordered_json data(const ReportSources&) override { return count_->by_sm; }

 private:
  std::shared_ptr<WarpCount> count_ = std::make_shared<WarpCount>();
};

ReportSection warps_section() {
  ReportSection section;
  section.name = "warps";
  section.title = "Warps by SM";
  section.note = "How many warps each SM has run: whether work was dealt evenly.";
  section.script = R"(
    const rows = data.map((warps, sm) => ({name: `sm${sm}`, values: [warps]}));
    stackedBars(box, "warps", rows, [{name: "warps", color: COLORS[0]}], "warps");
  )";
  section.begin = [](const PlatformSpec& spec) { return std::make_unique<WarpsOfRun>(spec.sms); };
  return section;
}

/// The form: a line of Markdown for each run.
std::string as_markdown(const std::string& title, const std::vector<nlohmann::ordered_json>& runs) {
  std::string text = "# " + title + "\n\n| policy | cycles |\n|---|---|\n";
  for (const auto& run : runs)
    text += "| " + run["provenance"]["policies"]["coherence"].get<std::string>() + " | " +
            std::to_string(run["result"]["cycles"].get<std::uint64_t>()) + " |\n";
  return text;
}

}  // namespace

int sc_main(int argc, char** argv) {
  static const Few few;
  add_coherence_policy({"once", "none, whose copies answer one load", false, make_once});
  models::add_message_family(ping_family);
  add_package("determinism", few);
  add_report_section(warps_section());
  add_report_form({".md", "a table in Markdown", as_markdown});
  return cli::main(argc, argv);
}
