#include "models/sm/cta_sink.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::models {

void CtaSink::end_grid(base::GridId) {
  throw base::ModelError("an SM is asked to end a grid for the whole system, and cannot do that");
}

void CtaListener::grid_ended(base::SmId, base::GridId) {
  throw base::ModelError("a work distributor hears of the end of a grid, and has not asked for it");
}

std::shared_ptr<GridLaunch> make_grid_launch(base::GridId id, isa::GridContext context, SmRange sms) {
  auto grid = std::make_shared<GridLaunch>();
  grid->id = id;
  grid->context = std::move(context);
  grid->sms = sms;
  const isa::Program& program = *grid->context.program;
  grid->demand = {static_cast<unsigned>(grid->context.block.count()), program.kernel().registers,
                  grid->context.shared_bytes()};
  std::size_t numbers = 0;
  for (std::uint32_t pc = 0; pc < program.size(); ++pc) {
    const isa::RegisterUse& use = program.op(pc).registers;
    for (unsigned i = 0; i < unsigned{use.reads} + use.writes; ++i)
      numbers = std::max<std::size_t>(numbers, use.ids[i] + 1u);
  }
  grid->register_numbers = numbers;
  return grid;
}

}  // namespace syncline::models
