// libFuzzer target: any bytes either parse, print back to text that parses, and have kernels that decode, or are
// refused by a UserError.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "isa/exec/program.h"
#include "isa/ptx/parser.h"
#include "isa/ptx/printer.h"

namespace {

// Where no loader has laid the variables out: one after the other.
syncline::isa::ModulePlacement placement_of(const syncline::isa::Module& module) {
  std::uint64_t next = 1 << 16;
  const auto place = [&](const std::vector<syncline::isa::Variable>& variables) {
    std::vector<std::uint64_t> places;
    for (std::size_t n = 0; n < variables.size(); ++n) places.push_back(next += 1 << 12);
    return places;
  };
  syncline::isa::ModulePlacement placement;
  placement.variable_address = place(module.variables);
  for (const auto& function : module.functions)
    placement.function_variable_address.push_back(place(function.variables));
  return placement;
}

void decode_kernels(const std::shared_ptr<const syncline::isa::Module>& module) {
  const syncline::isa::ModulePlacement placement = placement_of(*module);
  for (std::uint32_t f = 0; f < module->functions.size(); ++f)
    if (module->functions[f].is_entry && module->functions[f].has_body)
      syncline::isa::decode_kernel(module, f, placement);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace syncline;
  std::string printed;
  std::shared_ptr<const isa::Module> module;
  try {
    module = isa::parse_module(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
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
  try {
    decode_kernels(module);
  } catch (const base::UserError&) {
    return 0;  // a form that is read and not executed
  }
  return 0;
}
