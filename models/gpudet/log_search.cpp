#include "models/gpudet/log_search.h"

#include <algorithm>
#include <utility>

namespace syncline::models {
namespace {

/// A token is the number of the search, and above it that of the line of headers or of the match whose chunk arrives.
constexpr unsigned number_bits = 16;
constexpr std::uint32_t number_mask = (1U << number_bits) - 1;
constexpr std::uint32_t memory = number_mask;

}  // namespace

bool LogSearch::take(Message& load, const std::vector<LogView>& views, base::Cycle now) {
  statistics_.loads.add();
  const std::uint64_t chunk = logs_.chunk(load.line);
  const auto knows = [&](const LogView& view) { return view.cells != 0 && logs_[view.log].bloom.may_contain(chunk); };
  if (std::none_of(views.begin(), views.end(), knows)) return false;
  statistics_.searches.add();
  const std::uint32_t number = searches_.take();
  Search& search = searches_[number];
  search.load = &load;
  search.tag = load.tag;
  search.wanted = load.mask;
  search.since = now;
  std::copy_if(views.begin(), views.end(), std::back_inserter(search.views), knows);
  search.covered.resize(search.views.size());
  read_headers(number);
  return true;
}

void LogSearch::read_headers(std::uint32_t number) {
  Search& search = searches_[number];
  while (search.outstanding < header_reads) {
    if (search.header_lines == 0 || search.covered[search.view - 1] == search.wanted) {  // on to the next log
      if (search.view == search.views.size()) break;
      const LogView next = search.views[search.view++];
      search.header_lines = logs_[next.log].layout.header_lines(next.cells);
    }
    const HeaderRead read{search.view - 1, --search.header_lines};
    statistics_.header_lines.add();
    ++search.outstanding;
    const auto place = std::find(search.asked.begin(), search.asked.end(), std::nullopt);
    *place = read;
    const LogView view = search.views[read.view];
    const protocols::gpudet::LogLayout& layout = logs_[view.log].layout;
    port_.read(base::LineAddress(layout.header_line(read.line)), layout.headers(read.line, view.cells), *this,
               static_cast<std::uint32_t>(place - search.asked.begin()) << number_bits | number);
  }
  if (search.outstanding == 0) resolve(number);
}

bool LogSearch::answered(std::uint32_t token, Message& reply, base::Cycle now) {
  const std::uint32_t number = token & number_mask, match = token >> number_bits;
  Search& search = searches_[number];
  if (!search.reading) {
    --search.outstanding;
    const HeaderRead read = *std::exchange(search.asked[match], std::nullopt);
    headers_arrived(number, read, reply.data);
    read_headers(number);
    return false;
  }
  if (match == memory) {
    (search.wanted - search.found).merge(search.data, reply.data);
    search.load = &reply;
  } else {
    const Match& from = search.matches[match];
    logs_[from.log].layout.unpack(from.header, from.mask, reply.data, search.data);
  }
  if (--search.outstanding == 0) finish(number, now);
  return match == memory;
}

void LogSearch::headers_arrived(std::uint32_t number, HeaderRead read, const base::LineData& line) {
  Search& search = searches_[number];
  const LogView view = search.views[read.view];
  const protocols::gpudet::LogLayout& layout = logs_[view.log].layout;
  const std::uint64_t chunk = logs_.chunk(search.load->line);
  layout.decode(line, read.line, view.cells, [&](std::uint32_t entry, const protocols::gpudet::LogHeader& header) {
    const base::ByteMask held = header.mask & search.wanted;
    if (header.chunk != chunk || held.empty()) return;
    search.matches.push_back({view.log, entry, header, held});
    search.covered[read.view] |= held;
  });
}

/// Of two stores to a byte the one counts that a commit would leave: a later epoch, then the lower warp, then the later
/// entry.
void LogSearch::resolve(std::uint32_t number) {
  Search& search = searches_[number];
  search.reading = true;
  if (search.matches.empty()) statistics_.false_positives.add();
  std::sort(search.matches.begin(), search.matches.end(), [](const Match& a, const Match& b) {
    if (a.header.epoch != b.header.epoch) return a.header.epoch > b.header.epoch;
    return a.log != b.log ? a.log < b.log : a.entry > b.entry;
  });
  std::uint32_t shown = 0;
  for (Match match : search.matches) {
    match.mask -= search.found;
    if (match.mask.empty()) continue;
    search.found |= match.mask;
    search.matches[shown] = match;
    ++search.outstanding;
    statistics_.chunks.add();
    const protocols::gpudet::LogLayout& layout = logs_[match.log].layout;
    port_.read(base::LineAddress(layout.data_line(match.header)), layout.stored(match.header, match.mask), *this,
               shown++ << number_bits | number);
  }
  if (search.found == search.wanted) return;
  ++search.outstanding;
  port_.send(*search.load, *this, memory << number_bits | number);
}

void LogSearch::finish(std::uint32_t number, base::Cycle now) {
  Search& search = searches_[number];
  Message& load = *search.load;
  load.message_class = MessageClass::data_reply;
  set_l1_kind(load, L1Kind::global);
  load.tag = search.tag;
  load.mask |= search.wanted;
  search.wanted.merge(load.data, search.data);
  statistics_.cycles.sample(now - search.since);
  port_.answer(load, now);
  search.views.clear();
  search.matches.clear();
  search.load = nullptr;
  search.view = 0;
  search.header_lines = 0;
  search.covered.clear();
  search.found = {};
  search.reading = false;
  searches_.release(number);
}

}  // namespace syncline::models
