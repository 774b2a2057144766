#include "tests/unit/sm/sm_machine.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::tests {

void SmMachine::build() {
  core = &scheduler.add_domain("core", 1'000'000'000);
  distributor = std::make_unique<models::WorkDistributor>(
      "distributor", models::DistributorSite{context, *core, distributor_spec, nullptr, perturbation});
  for (unsigned i = 0; i < sm_count; ++i) {
    models::SmPlace place;
    place.id = base::SmId(static_cast<std::uint16_t>(i));
    place.sms = sm_count;
    place.local = {local + i * models::LocalRegion::size(spec.max_warps, spec.warp_size, 4096), 4096, spec.max_warps};
    models::SmSeams policies = seams ? seams(i) : models::SmSeams{};
    if (policies.memory == nullptr) policies.memory = &map;
    policies.host = &host;
    if (listener != nullptr) policies.listeners.push_back(listener);
    sms.push_back(std::make_unique<models::Sm>(fmt::format("sm{}", i).c_str(), context, *core, spec, place, policies,
                                               perturbation));
    l1s.push_back(std::make_unique<FakeL1>(fmt::format("l1_{}", i).c_str(), memory, seed + i, l1));
    sms[i]->to_l1.socket.bind(l1s[i]->requests.socket);
    l1s[i]->replies.socket.bind(sms[i]->from_l1.socket);
    distributor->sms.bind(sms[i]->ctas);
    sms[i]->done.bind(distributor->done);
  }
}

std::uint64_t SmMachine::allocate(std::uint64_t bytes, bool random) {
  const std::uint64_t address = next_;
  next_ += (bytes + 255) / 256 * 256 + 256;
  map.insert({address, address + bytes, true, fmt::format("allocation at {:#x}", address)});
  if (random) {
    base::Random values(seed, "allocation", address);
    for (std::uint64_t i = 0; i < bytes; ++i) *memory.host(address + i) = static_cast<std::uint8_t>(values.below(256));
  }
  std::memcpy(emulated_memory.host(address), memory.host(address), bytes);
  return address;
}

std::shared_ptr<const isa::Program> SmMachine::load(std::string_view ptx, std::string_view kernel) {
  std::shared_ptr<const isa::Program>& program = programs_[std::string(kernel) + "\n" + std::string(ptx)];
  if (program != nullptr) return program;
  const auto module = isa::parse_module(ptx, "test.ptx");
  isa::ModulePlacement placement;
  for (const isa::Variable& variable : module->variables) {
    std::uint64_t address = 0;
    if (variable.space == isa::Space::global || variable.space == isa::Space::const_) {
      address = allocate(variable.bytes);
      for (isa::FlatMemory* place : {&memory, &emulated_memory})
        std::memcpy(place->host(address), variable.init.data(), variable.init.size());
    }
    placement.variable_address.push_back(address);
  }
  placement.function_variable_address.resize(module->functions.size());
  const isa::Function* function = module->find_function(kernel);
  if (function == nullptr) throw base::UserError(fmt::format("no kernel `{}`", kernel));
  program = isa::decode_kernel(module, static_cast<std::uint32_t>(function - module->functions.data()), placement);
  return program;
}

isa::GridContext SmMachine::context_of(std::string_view ptx, const Launch& launch) {
  isa::GridContext grid;
  grid.program = load(ptx, launch.kernel);
  grid.grid = launch.grid;
  grid.block = launch.block;
  grid.dynamic_shared_bytes = launch.dynamic_shared;
  const isa::KernelInfo& kernel = grid.program->kernel();
  EXPECT_EQ(kernel.parameters.size(), launch.arguments.size());
  grid.parameters.assign(kernel.parameter_bytes, 0);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(grid.parameters.data() + kernel.parameters[i].offset, &launch.arguments[i],
                std::min<std::uint64_t>(8, kernel.parameters[i].bytes));
  return grid;
}

base::GridId SmMachine::start(std::string_view ptx, const Launch& launch) {
  const base::GridId id(grids_++);
  isa::GridContext grid = context_of(ptx, launch);
  grid.grid_id = id.value();
  distributor->launch(models::make_grid_launch(id, std::move(grid)),
                      [this](base::GridId done) { completed.push_back(done); });
  return id;
}

void SmMachine::run() {
  sc_core::sc_start();
  if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
}

void SmMachine::execute(std::string_view ptx, const Launch& launch) {
  const base::GridId id = start(ptx, launch);
  run();
  for (const models::Block* block : context.blocks) {
    for (const std::string& line : completed.empty() ? block->describe_waiting() : std::vector<std::string>{})
      ADD_FAILURE() << line;
  }
  ASSERT_FALSE(completed.empty()) << "the grid has not completed";
  EXPECT_EQ(completed.back(), id);
  expect_clean();
}

std::string SmMachine::fault_of(std::string_view ptx, const Launch& launch) {
  try {
    start(ptx, launch);
    run();
  } catch (const base::ProgramFault& fault) {
    return fault.what();
  }
  return "";
}

void SmMachine::emulate(std::string_view ptx, const Launch& launch) {
  isa::EmulatorConfig config;
  config.warp_lanes = spec.warp_size;
  isa::Emulator emulator(emulated_memory, map, emulated_host, config);
  emulator.run(context_of(ptx, launch));
}

void SmMachine::expect_same_memory() {
  for (const auto& [begin, region] : map.regions()) {
    for (std::uint64_t at = region.begin; at < region.end; ++at) {
      ASSERT_EQ(*memory.host(at), *emulated_memory.host(at)) << region.label << ", byte " << at - region.begin;
    }
  }
}

void SmMachine::compare(std::string_view ptx, const Launch& launch) {
  execute(ptx, launch);
  emulate(ptx, launch);
  expect_same_memory();
}

}  // namespace syncline::tests
