// Feeds the fuzzer's corpus through the reader in every build: each file parses or is refused with a place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

TEST(Corpus, NeverCrashesAndPrintsBack) {
  std::size_t files = 0, good = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SYNCLINE_SOURCE_DIR) + "/tests/fuzz/corpus/ptx")) {
    ++files;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    try {
      const auto module = parse_module(text, entry.path().filename().string());
      ++good;
      EXPECT_NO_THROW(parse_module(to_string(*module), "printed")) << entry.path();
    } catch (const base::UserError& error) {
      EXPECT_GT(error.where().line, 0u) << entry.path();
    }
  }
  EXPECT_GE(files, 20u);
  EXPECT_GE(good, 3u);
}

}  // namespace
}  // namespace syncline::isa
