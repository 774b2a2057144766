#include "tests/unit/exec/machine.h"

#include <algorithm>
#include <cstdlib>

#include "isa/exec/memory_access.h"
#include "isa/ptx/parser.h"

namespace syncline::test {
namespace {

/// What a test does not ask for otherwise, the environment may: the tests of control flow run under every mechanism.
isa::EmulatorConfig with_mechanism_of_environment(isa::EmulatorConfig config) {
  const char* const mechanism = std::getenv("SYNCLINE_TEST_RECONVERGENCE");
  if (mechanism != nullptr && config.reconvergence.mechanism == "ipdom") config.reconvergence.mechanism = mechanism;
  return config;
}

}  // namespace

Machine::Machine(const std::string& ptx, isa::EmulatorConfig config, isa::Allocation allocation, unsigned warp_sz)
    : module_(isa::parse_module(ptx, "test.ptx", warp_sz)),
      emulator_(memory_, map_, *this, with_mechanism_of_environment(std::move(config))),
      allocation_(allocation),
      next_(isa::AddressWindows::global_base) {
  for (const isa::Variable& v : module_->variables) {
    std::uint64_t at = 0;
    if (v.space == isa::Space::global || v.space == isa::Space::const_) {
      at = allocate(v.bytes, "variable `" + v.name + "`");
      std::copy(v.init.begin(), v.init.end(), memory_.host(at));
    }
    placement_.variable_address.push_back(at);
  }
  for (std::size_t n = 0; n < module_->variables.size(); ++n)
    for (const isa::Relocation& r : module_->variables[n].relocations) {
      const std::uint64_t target = r.symbol.kind == isa::SymbolKind::function
                                       ? isa::function_address(r.symbol.index)
                                       : placement_.variable_address[r.symbol.index];
      const std::uint64_t value = target + static_cast<std::uint64_t>(r.addend);
      std::memcpy(memory_.host(placement_.variable_address[n] + r.offset), &value, r.size);
    }
}

std::uint64_t Machine::allocate(std::uint64_t bytes, const std::string& label) {
  const std::uint64_t at = next_;
  map_.insert({at, at + bytes, label.find("const") == std::string::npos, label});
  next_ = (at + bytes + 256 + 255) / 256 * 256;
  return at;
}

bool Machine::heap_free(std::uint64_t address) {
  const isa::MemoryMap::Region* region = map_.find(address);
  if (region == nullptr || region->begin != address || region->label != "heap block") return false;
  map_.erase(address);
  return true;
}

std::uint64_t Machine::variable(const std::string& name) const {
  for (std::size_t n = 0; n < module_->variables.size(); ++n)
    if (module_->variables[n].name == name) return placement_.variable_address[n];
  return 0;
}

std::shared_ptr<const isa::Program> Machine::program(const std::string& kernel) const {
  for (std::uint32_t f = 0; f < module_->functions.size(); ++f)
    if (module_->functions[f].name == kernel) return isa::decode_kernel(module_, f, placement_, allocation_);
  return nullptr;
}

isa::LaunchTotals Machine::launch(const std::string& kernel, base::Dim3 grid, base::Dim3 block,
                                  std::vector<std::uint8_t> parameters) {
  isa::GridContext context;
  context.program = program(kernel);
  context.grid = grid;
  context.block = block;
  context.dynamic_shared_bytes = dynamic_shared_bytes;
  context.grid_id = grids_++;
  context.parameters = std::move(parameters);
  return emulator_.run(context);
}

std::string module_header(const std::string& target, const std::string& version) {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n";
}

std::string kernel_of(const std::string& body, const std::string& before, const std::string& target,
                      const std::string& version) {
  return module_header(target, version) + before + R"(
.visible .entry k(.param .u64 k_out)
{
  .reg .b64 %out, %at, %d<16>;
  .reg .b32 %t, %block, %r<16>;
  .reg .b16 %s<16>;
  .reg .f32 %f<16>;
  .reg .pred %p<16>;
  ld.param.u64 %out, [k_out];
  mov.u32 %t, %ctaid.x;
  mov.u32 %block, %ntid.x;
  mul.lo.u32 %t, %t, %block;
  mov.u32 %block, %tid.x;
  add.u32 %t, %t, %block;
  mul.wide.u32 %at, %t, 4;
  add.u64 %at, %at, %out;
  mov.u32 %r0, 0;
)" + body +
         R"(
STORE:
  st.global.u32 [%at], %r0;
  ret;
}
)";
}

std::vector<std::uint32_t> results_of(const std::string& body, unsigned threads, const std::string& before,
                                      isa::EmulatorConfig config) {
  Machine machine(kernel_of(body, before), std::move(config));
  const std::uint64_t out = machine.allocate(4 * threads);
  machine.run("k", {1, 1, 1}, {threads, 1, 1}, out);
  return machine.download<std::uint32_t>(out, threads);
}

}  // namespace syncline::test
