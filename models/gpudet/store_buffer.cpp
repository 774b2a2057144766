#include "models/gpudet/store_buffer.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::models {
StoreBuffer::StoreBuffer(const GpudetSpec& spec, std::uint64_t region, unsigned warps, unsigned line, Owner& owner)
    : owner_(owner),
      overlaps_(spec.quanta.overlap != protocols::gpudet::Overlap::none),
      logs_(spec.store_buffer, region, warps, line),
      port_(*this),
      search_(logs_, port_),
      commit_(logs_, port_, spec.store_buffer.commit_window, owner),
      ahead_(static_cast<unsigned>(spec.overlap_bloom), port_) {}

MemoryStage::Offer StoreBuffer::offer(Message& request, base::Cycle now) {
  if (l1_kind(request) != L1Kind::global) return Offer::pass;
  switch (request.message_class) {
    case MessageClass::store_request:
      append(request, now);
      return Offer::take;
    case MessageClass::load_request:
      if (ahead_.active()) return ahead_.take(request, logs_.chunk(request.line)) ? Offer::take : Offer::pass;
      views_.clear();
      owner_.views(owner_.log_of(request.warp), views_);
      return search_.take(request, views_, now) ? Offer::take : Offer::pass;
    default:
      return Offer::pass;
  }
}

void StoreBuffer::append(Message& store, base::Cycle now) {
  const unsigned number = owner_.log_of(store.warp);
  WriteLog& log = logs_[number];
  if (log.count == log.layout.capacity()) throw base::ModelError("gpudet: a store finds its log full");
  ++log.count;
  const std::uint64_t chunk = logs_.chunk(store.line);
  log.bloom.insert(chunk);
  if (overlaps_) ahead_.stored(chunk);
  chunks_.add();
  if (protocols::gpudet::has_partial_word(store.mask)) {
    partial_words_.add();
    logs_.partial().insert(chunk);
  }
  const protocols::gpudet::LogHeader header{chunk, owner_.epoch(number), store.mask,
                                            log.layout.place(log.free, store.mask)};
  const std::uint64_t taken = log.layout.end(header) - log.free;
  data_bytes_.add(taken);
  unused_bytes_.add(taken - store.mask.count());
  log.free = log.layout.end(header);
  log.layout.pack(header, store.data,
                  port_.write(LogPart::data, base::LineAddress(log.layout.data_line(header)),
                              log.layout.stored(header, store.mask)));
  const std::uint32_t entry = log.layout.next_entry(log.cells, store.mask);
  if (entry != log.cells) write_header(log, log.layout.unused(), log.cells);
  write_header(log, header, entry);
  log.cells = entry + log.layout.cells(store.mask);
  store.message_class = MessageClass::store_ack;
  port_.answer(store, now + 1);
}

void StoreBuffer::write_header(const WriteLog& log, const protocols::gpudet::LogHeader& header, std::uint32_t entry) {
  log.layout.encode(
      header, entry,
      port_.write(LogPart::headers, base::LineAddress(log.layout.header_line(log.layout.header_line_of(entry))),
                  log.layout.header(entry, header.mask)));
}

std::vector<std::string> StoreBuffer::left_over() const {
  std::vector<std::string> lines;
  if (port_.under_way() != 0)
    lines.push_back(fmt::format("{} line accesses of the store buffers are not answered", port_.under_way()));
  if (search_.under_way() != 0)
    lines.push_back(fmt::format("{} loads are searched for in the store buffers", search_.under_way()));
  if (ahead_.held() != 0) lines.push_back(fmt::format("{} loads wait for the end of the commit", ahead_.held()));
  for (unsigned warp = 0; warp < logs_.warps(); ++warp) {
    if (logs_[warp].count != 0)
      lines.push_back(fmt::format("{} chunks of warp place {} are not committed", logs_[warp].count, warp));
  }
  return lines;
}

}  // namespace syncline::models
