// What a file holds.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace syncline::test {

/// The bytes of a file of the project, named from its root; a test that asks for one that is not there fails.
inline std::string text_of(const std::string& file) {
  std::ifstream in(SYNCLINE_SOURCE_DIR "/" + file, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace syncline::test
