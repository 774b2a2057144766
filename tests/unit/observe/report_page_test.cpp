#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "platform/report/page.h"

namespace syncline::platform {
namespace {

TEST(ReportPage, NothingOfTheUsersBecomesAPartOfThePage) {
  const std::string hostile = "</script><b>@@MODEL@@ & <!--";
  const std::string page = report_text("r.html", hostile, {{{"name", hostile}}});
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/script>&lt;b>@@MODEL@@ &amp; &lt;!--</title>"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos);

  const std::string begin = "id=\"model\">";
  const std::size_t from = page.find(begin) + begin.size();
  const auto model = nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
  EXPECT_EQ(model["runs"][0]["name"], hostile);
  EXPECT_EQ(model["title"], hostile);
}

TEST(ReportPage, ByAnotherEndingItIsTheDataAlone) {
  const auto model = nlohmann::json::parse(report_text("r.json", "two", {{{"a", 1}}, {{"a", 2}}}));
  EXPECT_EQ(model["title"], "two");
  EXPECT_EQ(model["runs"].size(), 2U);
}

}  // namespace
}  // namespace syncline::platform
