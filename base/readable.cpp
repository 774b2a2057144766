#include "base/readable.h"

#include <fstream>
#include <iterator>
#include <system_error>

namespace syncline::base {

std::string why_unreadable(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return "no such file";
  if (std::filesystem::is_directory(status)) return "it is a folder";
  if (!std::filesystem::is_regular_file(status)) return "it is not a regular file";
  return {};
}

std::string read_whole(const std::filesystem::path& path, const std::function<UserError(const std::string&)>& fail) {
  if (const std::string why = why_unreadable(path); !why.empty()) throw fail(why);
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw fail("reading failed");
  return text;
}

}  // namespace syncline::base
