#include "protocols/coherence/explore/encode.h"

#include <algorithm>
#include <numeric>

namespace syncline::protocols::explore {
namespace {

/// Calls io(value) for every number and io.resize(list) for every list of a state, always in the same order; and before
/// each few of them io.make_room(). `io` goes by value, so that where it stands stays in a register.
template <class P, class Io>
[[gnu::flatten]] Io walk_packet(P& packet, Io io) {
  io.make_room();
  io(packet.source), io(packet.destination), io(packet.requester), io(packet.thread);
  Packet::each(packet, io);
  return io;
}

template <bool with_machines = true, class S, class Io>
[[gnu::flatten]] Io walk(S& state, const Shape& shape, Io io) {
  const auto walk_list = [&io](auto& list) {
    io.resize(list);
    for (auto& packet : list) io = walk_packet(packet, io);
  };
  io.make_room();
  io(state.time);
  for (unsigned t = 0; t < shape.threads; ++t) {
    auto& thread = state.threads[t];
    io.make_room();
    io(thread.next), io(thread.waiting), io(thread.draining), io(thread.fencing), io(thread.fence_until);
    io(thread.asking);
    for (unsigned other = 0; other < shape.threads; ++other) io(thread.drains[other]);
    for (auto& result : thread.results) io(result);
  }
  for (unsigned n = 0; n < shape.nodes(); ++n) {
    if (n < max_l1s && n >= shape.l1s) continue;
    auto& node = state.nodes[n];
    io.make_room();
    // Programs have no instruction numbers: one predictor.
    if constexpr (with_machines) NodeMeta::each(node.meta, io, shape.threads, 1, shape.fence_scopes);
    for (unsigned line = 0; line < shape.lines; ++line) {
      auto& copy = node.lines[line];
      io.make_room();
      io(copy.has_frame), io(copy.has_entry), io(copy.has_directory_entry);
      if (copy.known()) {
        io(copy.of_entry);
        if constexpr (with_machines) LineMeta::each(copy.meta, io);
        Bytes::each(copy.frame, io);
        Bytes::each(copy.entry, io);
        walk_list(copy.parked);
      }
    }
    io.make_room();
    walk_list(node.replays);
    io.make_room();
    for (unsigned lane = 0; lane < shape.lanes; ++lane) io(node.blocked[lane]);
    io(node.blocked_thread);
  }
  io.make_room();
  for (unsigned line = 0; line < shape.lines; ++line) {
    for (unsigned w = 0; w < shape.words; ++w) io(state.memory[line][w]);
  }
  io(state.fetching), io(state.home_evictions);
  for (unsigned i = 0; i < shape.spending; ++i) io(state.spent[i]);
  io.make_room();
  io.resize(state.timers);
  for (auto& timer : state.timers) io(timer.at), io(timer.node), io(timer.line);
  io.make_room();
  walk_list(state.packets);
  return io;
}

/// Numbers below 255 take a byte. It stands in room at the end of the string, which `finish` takes away again: a string
/// that grows byte by byte took a third of an exploration.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(&out) {
    out.resize(std::max(out.size(), room));
    stand_at(0);
  }
  void finish() { out_->resize(written()); }

  template <class Value>
  void operator()(const Value& value) {
    const auto number = static_cast<std::uint64_t>(value);
    if (number < 0xff) {
      *at_++ = static_cast<char>(number);
      return;
    }
    *at_++ = static_cast<char>(0xff);
    for (unsigned byte = 0; byte < 8; ++byte) *at_++ = static_cast<char>(number >> (8 * byte));
  }
  void operator()(const NodeSet& set) { (*this)(set.word(0)), (*this)(set.word(1)); }  // few L1s and warps
  template <class List>
  void resize(const List& list) {
    (*this)(list.size());
  }
  void make_room() {
    if (static_cast<std::size_t>(end_ - at_) < room) *this = grown(*this);
  }

 private:
  static constexpr std::size_t room = 512;  ///< for what comes between two calls of make_room: 50 numbers of any size

  [[gnu::noinline]] static Writer grown(Writer writer) {
    const std::size_t written = writer.written();
    writer.out_->resize(2 * (written + room));
    writer.stand_at(written);
    return writer;
  }
  std::size_t written() const { return static_cast<std::size_t>(at_ - out_->data()); }
  void stand_at(std::size_t written) {
    at_ = out_->data() + written;
    end_ = out_->data() + out_->size();
  }

  std::string* out_;
  char *at_ = nullptr, *end_ = nullptr;
};

/// What a Writer has written.
class Reader {
 public:
  explicit Reader(const std::string& in) : at_(in.data()) {}

  template <class Value>
  void operator()(Value& value) {
    value = static_cast<Value>(number());
  }
  void operator()(NodeSet& set) {
    set.clear();
    for (const unsigned first : {0U, 64U}) {
      for (std::uint64_t bits = number(); bits != 0; bits &= bits - 1)
        set.insert(first + static_cast<unsigned>(__builtin_ctzll(bits)));
    }
  }
  template <class List>
  void resize(List& list) {
    list.resize(number());
  }
  void make_room() {}

 private:
  std::uint64_t number() {
    const auto first = static_cast<std::uint8_t>(*at_++);
    if (first != 0xff) return first;
    std::uint64_t number = 0;
    for (unsigned byte = 0; byte < 8; ++byte) number |= std::uint64_t{static_cast<std::uint8_t>(*at_++)} << (8 * byte);
    return number;
  }

  const char* at_;
};

}  // namespace

void encode(const State& state, const Shape& shape, std::string& out) {
  walk(state, shape, Writer(out)).finish();
}

void encode_outside(const State& state, const Shape& shape, std::string& out) {
  walk<false>(state, shape, Writer(out)).finish();
}

State decode(const std::string& bytes, const Shape& shape) {
  State state;
  state.nodes.resize(shape.nodes());
  walk(state, shape, Reader(bytes));
  return state;
}

std::vector<Permutation> symmetries(const Program& program) {
  const auto alike = [&program](std::size_t a, std::size_t b) {
    const auto& one = program.threads[a].ops;
    return one == program.threads[b].ops;
  };
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (program.threads[t].l1 != t || program.threads[t].is_placed) return {};
  }
  std::vector<Permutation> found;
  Permutation to{};
  std::iota(to.begin(), to.end(), std::uint8_t{0});
  while (std::next_permutation(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(program.threads.size()))) {
    bool same = true;
    for (std::size_t t = 0; t < program.threads.size(); ++t) same = same && alike(t, to[t]);
    if (same) found.push_back(to);
  }
  return found;
}

State permuted(const State& state, const Program& program, const Permutation& to) {
  const auto threads = static_cast<unsigned>(program.threads.size());
  const auto node = [&](int number) {
    return number < static_cast<int>(threads) ? to[static_cast<std::size_t>(number)]
                                              : static_cast<std::uint8_t>(number);
  };
  const auto move = [&](Packet& packet) {
    packet.source = node(packet.source);
    packet.destination = node(packet.destination);
    packet.requester = node(packet.requester);
    packet.thread = node(packet.thread);
  };
  State moved = state;
  for (unsigned t = 0; t < threads; ++t) {
    moved.threads[to[t]] = state.threads[t];
    moved.nodes[to[t]] = state.nodes[t];
  }
  for (Node& n : moved.nodes) {
    const NodeMeta before = n.meta;
    for (unsigned t = 0; t < threads; ++t) n.meta.gwct[to[t]] = before.gwct[t];
    for (Copy& copy : n.lines) {
      NodeSet sharers;
      copy.meta.sharers.for_each([&](unsigned sharer) { sharers.insert(node(static_cast<int>(sharer))); });
      copy.meta.sharers = sharers;
      if (copy.meta.owner < threads) copy.meta.owner = to[copy.meta.owner];
      for (Packet& packet : copy.parked) move(packet);
    }
    for (Packet& packet : n.replays) move(packet);
    for (std::uint8_t& sender : n.blocked) {
      if (sender != 0) sender = static_cast<std::uint8_t>(node(sender - 1) + 1);
    }
    if (n.blocked_thread != 0) n.blocked_thread = static_cast<std::uint8_t>(to[n.blocked_thread - 1] + 1);
  }
  for (Timer& timer : moved.timers) timer.node = node(timer.node);
  std::stable_sort(moved.timers.begin(), moved.timers.end(), in_order);
  for (Packet& packet : moved.packets) move(packet);
  std::stable_sort(moved.packets.begin(), moved.packets.end(), in_order);
  return moved;
}

}  // namespace syncline::protocols::explore
