#include "base/readable.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace syncline::base {

std::string why_unreadable(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return error == std::errc::not_a_directory ? error.message() : "no such file";
  if (!std::filesystem::exists(status)) return error.message();
  if (std::filesystem::is_directory(status)) return "it is a folder";
  if (!std::filesystem::is_regular_file(status)) return "it is not a regular file";
  return {};
}

std::string read_whole(const std::filesystem::path& path, const std::function<UserError(const std::string&)>& fail,
                       std::uint64_t most) {
  if (const std::string why = why_unreadable(path); !why.empty()) throw fail(why);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail(errno == 0 ? "it cannot be opened" : std::strerror(errno));
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown && size > most)
    throw fail("it has " + std::to_string(size) + " bytes, at most " + std::to_string(most) + " are read");
  // It may have become longer, and some files do not tell their size.
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::string text;
  do {
    const std::size_t had = text.size();
    text.resize(had + (had == 0 && !unknown ? static_cast<std::size_t>(size) + 1 : piece));
    file.read(text.data() + had, static_cast<std::streamsize>(text.size() - had));
    text.resize(had + static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    if (text.size() > most) throw fail("it has more than the " + std::to_string(most) + " bytes that are read");
  } while (file);
  if (file.bad()) throw fail(errno == 0 ? "reading failed" : std::strerror(errno));
  return text;
}

}  // namespace syncline::base
