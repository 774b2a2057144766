#include "protocols/coherence/explore/ahead.h"

namespace syncline::protocols::explore {

Ahead::Ahead(const Program& program) : threads_(static_cast<unsigned>(program.threads.size())) {
  for (unsigned t = 0; t < threads_; ++t) {
    const auto& ops = program.threads[t].ops;
    l1_[t] = program.threads[t].l1;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const auto bit = static_cast<Operations>(1U << i);
      if (ops[i].kind == OpKind::fence || ops[i].releases()) fences_[t] |= bit;
      if (ops[i].kind == OpKind::load) loads_[t][ops[i].line] |= bit;
      if (ops[i].writes()) writes_[t][ops[i].line] |= bit;
    }
  }
}

bool Ahead::any(const State& state, unsigned l1, unsigned line, const ByLine& operations) const {
  for (unsigned t = 0; t < threads_; ++t) {
    const ThreadState& thread = state.threads[t];
    const Operations of_line = operations[t][line];
    if (l1_[t] == l1 && ((of_line & thread.waiting) != 0 || of_line >> thread.next != 0)) return true;
  }
  return false;
}

}  // namespace syncline::protocols::explore
