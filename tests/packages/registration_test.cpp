// What a program adds to the registries beside packages: policies of coherence, families of messages, and parts of
// reports. tests/install/registers.sh has all of them in a project elsewhere; here is what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/families/registry.h"
#include "platform/packages/package.h"
#include "platform/packages/registry.h"
#include "platform/report/page.h"
#include "platform/report/sections.h"
#include "protocols/coherence/registry.h"
#include "tests/support/error_of.h"

namespace syncline::tests {
namespace {

using namespace platform;
using testing::HasSubstr;

std::string model_error_of(const std::function<void()>& act) {
  return test::error_of<base::ModelError>(act);
}

protocols::CoherenceEntry none_called(std::string_view name) {
  return {name, "as none", false, [](const protocols::CoherenceSpec& spec, const protocols::CoherenceContext&) {
            return protocols::make_none(spec.none);
          }};
}

TEST(APolicyOfCoherenceOfAProgram, IsChosenListedAndFound) {
  add_coherence_policy(none_called("nothing_new"));
  protocols::CoherenceSpec spec;
  spec.policy = "nothing_new";
  EXPECT_EQ(protocols::make_coherence_policy(spec).messages.size(), protocols::make_none({}).messages.size());
  EXPECT_EQ(find_policy("nothing_new").setting(), "coherence.policy=nothing_new");
  EXPECT_EQ(protocols::coherence_policy_names().back().first, "nothing_new");
  EXPECT_EQ(policy_family("coherence").packages.back()->summary(), "as none");
}

TEST(APolicyOfCoherenceOfAProgram, NeedsANameOfItsOwn) {
  EXPECT_EQ(model_error_of([] { add_coherence_policy(none_called("mesi")); }),
            "the policy `mesi` of coherence.policy is there already");
  EXPECT_EQ(model_error_of([] { add_coherence_policy(none_called("")); }), "a policy of coherence has no name");
}

TEST(AFamilyOfMessagesOfAProgram, IsKnownToEveryPlatformAndNeedsANameOfItsOwn) {
  static const models::MessageFamily mine{
      "mine", "mine", {"mine"}, {{"mine", ""}}, {{"one", 0, protocols::Payload::none, 4, 0, models::Passage::by, "1"}}};
  models::add_message_family(mine);
  models::MessageFamilies known;
  EXPECT_EQ(known.traffic_names().back(), "mine");
  known.open(mine);
  EXPECT_EQ(known.networks(), 1U);
  EXPECT_EQ(model_error_of([] { models::add_message_family(mine); }), "two families of messages are called `mine`");
  EXPECT_EQ(models::message_families().back(), &mine) << "what is refused is not there";
}

struct NoData : SectionOfRun {
  nlohmann::ordered_json data(const ReportSources&) override { return nullptr; }
};

ReportSection section_called(const std::string& name) {
  ReportSection section;
  section.name = name;
  section.title = "Title of " + name + " </script>";
  section.script = "drawMine(box);";
  section.begin = [](const PlatformSpec&) { return std::make_unique<NoData>(); };
  return section;
}

TEST(ASectionOfReports, IsDrawnByAScriptOfItsOwn) {
  add_report_section(section_called("mine"));
  const std::string page = report_page("title", {});
  EXPECT_THAT(page, HasSubstr(R"(<script>
SECTIONS.push({...{"name":"mine","title":"Title of mine \u003c/script>","note":""}, draw(box, data, run) {
drawMine(box);
}});
</script>)"));
}

TEST(ASectionOfReports, IsRefusedWhenItWouldBreakThePage) {
  add_report_section(section_called("mine"));
  EXPECT_EQ(model_error_of([] { add_report_section(section_called("mine")); }),
            "two sections of reports are called `mine`");
  EXPECT_EQ(model_error_of([] { add_report_section(section_called("my own")); }),
            "`my own` cannot be the name of a section: it has letters, digits and _ only");
  EXPECT_THAT(model_error_of([] { add_report_section(section_called("")); }), HasSubstr("cannot be the name"));
  ReportSection ending = section_called("ending");
  ending.script = "'</script>'";
  EXPECT_EQ(model_error_of([&] { add_report_section(ending); }),
            "the script of the section `ending` has `</script`, which would end it in a page");
  ReportSection nobody = section_called("nobody");
  nobody.begin = nullptr;
  EXPECT_EQ(model_error_of([&] { add_report_section(nobody); }), "nobody gathers data of the section `nobody`");
  EXPECT_EQ(report_sections().size(), 1U);
}

TEST(AFormOfReports, IsChosenByItsEnding) {
  add_report_form({".txt", "its title", [](const std::string& title, const auto&) { return title; }});
  EXPECT_EQ(report_text("a/report.txt", "of a run", {}), "of a run");
  EXPECT_EQ(report_text("a/report.json", "of a run", {}), "{\"title\":\"of a run\",\"runs\":[]}\n");
  EXPECT_EQ(report_text("a/report.htm", "of a run", {}), report_page("of a run", {}));
}

TEST(AFormOfReports, NeedsAnEndingOfItsOwn) {
  const auto refused = [](const std::string& ending) {
    return model_error_of([&] { add_report_form({ending, "", nullptr}); });
  };
  EXPECT_EQ(refused(".html"), "reports with the ending `.html` are there already");
  EXPECT_EQ(refused("md"), "`md` is not the ending of a file");
  EXPECT_EQ(refused(""), "`` is not the ending of a file");
}

}  // namespace
}  // namespace syncline::tests
