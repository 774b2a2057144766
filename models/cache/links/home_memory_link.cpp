#include "models/cache/links/home_memory_link.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/cache/cache_controller.h"

namespace syncline::models {

HomeMemoryLink::HomeMemoryLink(CacheController& cache, std::uint32_t queue)
    : port("memory", *this, cache.line_bytes(), queue), cache_(cache) {}

void HomeMemoryLink::memory_ready(const sc_core::sc_time& at) {
  cache_.touched();
  cache_.change();
  cache_.wake(cache_.clock()->cycle_at_or_after(at));
}

base::Cycle HomeMemoryLink::take() {
  CoherentLines& lines = cache_.lines();
  while (MemoryPort::Transaction* const t = port.response(cache_.now_ps())) {
    if (!t->write) {
      Request request;
      request.stimulus.source = protocols::Stimulus::Source::memory_data;
      request.line = t->line;
      request.incoming = &t->data;
      const Lookup lookup = lines.locate(t->line);
      if (lookup.mshr == nowhere)
        throw base::ModelError(
            fmt::format("{}: memory delivers line {:#x}, which nobody waits for", cache_.name(), t->line.value()));
      MissRegister& entry = lines.mshrs()[lookup.mshr];
      if (entry.refetch) port.debug_read(t->line, cache_.local(t->line), t->data);
      const base::Cycle since = entry.since;
      tell(*t, MemoryStep::taken);
      if (lines.present(request) != StallReason::none) return cache_.now_cycle() + 1;
      counts_.cycles.sample(cache_.now_cycle() - since);
    }
    port.done(*t);
    cache_.change();
    cache_.progress();
  }
  return cache_.clock()->cycle_at_or_after_ps(port.next_response_ps());
}

void HomeMemoryLink::fetch(const Lookup& lookup) {
  counts_.reads.add();
  port.read(lookup.line, cache_.local(lookup.line));
  if (MessageListener* const listener = cache_.follower())
    listener->memory_read(lookup.line, MemoryStep::asked, cache_);
}

void HomeMemoryLink::tell(const MemoryPort::Transaction& t, MemoryStep step) const {
  if (MessageListener* const listener = cache_.follower(); listener != nullptr && !t.write)
    listener->memory_read(t.line, step, cache_);
}

void HomeMemoryLink::write_back(const Lookup& lookup) {
  CoherentLines& lines = cache_.lines();
  const Frame* const frame = lookup.frame != nowhere ? &lines.tags().frame(lookup.frame) : nullptr;
  if (frame != nullptr && frame->valid.empty()) return;  // a store of no bytes brought it (HomeLink::write_on)
  const base::ByteMask dirty = frame != nullptr ? frame->dirty : lines.mshrs()[lookup.mshr].dirty;
  if (dirty.empty())
    throw base::ModelError(
        fmt::format("{}: line {:#x} is written back that memory has already", cache_.name(), lookup.line.value()));
  counts_.writes.add();
  counts_.written_bytes.add(dirty.count());
  port.write(lookup.line, cache_.local(lookup.line),
             frame != nullptr ? lines.tags().data(lookup.frame) : lines.mshrs()[lookup.mshr].data, dirty);
}

}  // namespace syncline::models
