// libFuzzer target: any bytes either parse, and print back to text that parses, or are refused by a UserError.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "isa/ptx/parser.h"
#include "isa/ptx/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace syncline;
  std::string printed;
  try {
    const auto module = isa::parse_module(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    printed = isa::to_string(*module);
  } catch (const base::UserError&) {
    return 0;
  }
  try {
    isa::parse_module(printed, "printed");
  } catch (const base::UserError& error) {
    std::fprintf(stderr, "the printed module does not parse: %s\n%s\n", error.what(), printed.c_str());
    std::abort();
  }
  return 0;
}
