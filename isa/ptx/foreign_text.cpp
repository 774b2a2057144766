#include "isa/ptx/foreign_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/ptx/errors.h"

namespace syncline::isa {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view has_ptx = "`cuobjdump -ptx` prints the PTX text that it may hold";
constexpr std::string_view is_ascii = "PTX is ASCII text (PTX ISA, \"Source Format\")";

/// How a file begins that is no PTX text, and what it is then.
struct Beginning {
  std::string_view bytes, what, advice;
};
constexpr Beginning beginnings[] = {
    {"\x7f"
     "ELF"sv,
     "this is an ELF file (a cubin, a host object or a program), not PTX text", has_ptx},
    {"\x50\xed\x55\xba"sv, "this is a fat binary, not PTX text", has_ptx},
    {"!<arch>\n"sv, "this is a library of object files, not PTX text", has_ptx},
    {"BC\xc0\xde"sv, "this is LLVM bitcode, not PTX text", "`llc -march=nvptx64` makes PTX text of it"},
    {"\x1f\x8b"sv, "this is a file compressed by gzip, not PTX text", "unpack it first"},
    {"\x28\xb5\x2f\xfd"sv, "this is a file compressed by zstd, not PTX text", "unpack it first"},
    {"\xef\xbb\xbf"sv, "the text begins with a byte order mark (UTF-8)", is_ascii},
    {"\xff\xfe"sv, "the text begins with a byte order mark (UTF-16)", is_ascii},
    {"\xfe\xff"sv, "the text begins with a byte order mark (UTF-16)", is_ascii},
};

/// First words of what cuobjdump and nvdisasm print.
constexpr std::string_view listings[] = {"Fatbin ",    "code for sm_", ".headerflags", "Relocatable fatbin",
                                         "PTX file  ", "ELF file  ",   "member "};

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

TextPlace place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
          static_cast<std::uint32_t>(at - line_start + 1)};
}

}  // namespace

void refuse_foreign_text(std::string_view text, const std::string& source) {
  for (const Beginning& beginning : beginnings)
    if (begins_with(text, beginning.bytes))
      fail_at(source, {1, 1}, fmt::format("{}; {}", beginning.what, beginning.advice));

  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::string_view body = text.substr(first);
  if (std::none_of(std::begin(listings), std::end(listings),
                   [&](std::string_view listing) { return begins_with(body, listing); }))
    return;
  const std::size_t version = text.find("\n.version");
  if (version == std::string_view::npos)
    fail_at(source, place_of(text, first),
            "this is a listing of machine code, not PTX text; `cuobjdump -ptx` prints the PTX text where there is one");
  fail_at(source, place_of(text, version + 1),
          "this is a listing of cuobjdump, not PTX text alone: give the part that begins here");
}

}  // namespace syncline::isa
