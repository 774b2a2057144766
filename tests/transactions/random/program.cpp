#include "tests/transactions/random/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tests/transactions/random/layout.h"

namespace syncline::tests {
namespace {

std::uint32_t load(const std::uint8_t* data, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, data + at, 4);
  return value;
}

}  // namespace

class TransactionalProgram::Reader {
 public:
  explicit Reader(const std::vector<std::uint8_t>& choices) : choices_(choices) {}
  unsigned below(unsigned bound) { return at_ < choices_.size() ? choices_[at_++] % bound : 0; }

 private:
  const std::vector<std::uint8_t>& choices_;
  std::size_t at_ = 0;
};

/// What a thread does, for itself.
class TransactionalProgram::Thread {
 public:
  Thread(TransactionalProgram& program, unsigned number) : program_(program), number_(number), v_(at_start(number)) {}
  void run() {
    run(program_.body_);
    program_.results_[number_] = v_;
  }

 private:
  std::uint32_t next() { return v_ = mixed(v_); }
  bool chosen(const Node& node) { return (next() >> node.shift & 1U) != 0; }
  void run(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) run(node);
  }
  void run(const Node& node) {
    program_.steps_ += node.kind == Kind::sum ? accounts : 1;
    touch(node);
    switch (node.kind) {
      case Kind::mix:
        next();
        break;
      case Kind::add:
        add(next(), node);
        break;
      case Kind::call:
        add_to(next() >> node.shift & node.mask, forms[0], 1);
        break;
      case Kind::transfer:
        next();
        next();
        break;
      case Kind::read_twice:
      case Kind::check_pair:
      case Kind::switches:
      case Kind::shared:
        next();
        break;
      case Kind::store_pair:
        program_.marks_[next() >> node.shift & node.mask].insert(v_);
        break;
      case Kind::own:
        program_.owned_[number_] += next();
        break;
      case Kind::loop:
        for (unsigned i = 0; i < node.count; ++i) run(node.body);
        break;
      case Kind::branch:
        run(chosen(node) ? node.body : node.other);
        break;
      case Kind::transaction:
        ++program_.transactions_;
        touched_ = {};
        run(node.body);
        if (!node.other.empty() && !chosen(node)) run(node.other);
        note_shape();
        break;
      case Kind::nested:
        run(node.body);
        break;
      case Kind::sum:
      case Kind::barrier:
        break;
    }
  }
  /// What a transaction has done up to now.
  struct Touched {
    unsigned places = 0;  ///< each as often as it was touched
    bool stores = false, same_as_others = false;
  };
  void touch(const Node& node) {
    switch (node.kind) {
      case Kind::add:
      case Kind::call:
        touched_.same_as_others |= node.mask == 0 && program_.threads_ >= 32;
        [[fallthrough]];
      case Kind::own:
        touched_.stores = true;
        ++touched_.places;
        break;
      case Kind::transfer:
      case Kind::store_pair:
      case Kind::switches:
        touched_.stores = true;
        touched_.places += 2;
        break;
      case Kind::check_pair:
        touched_.places += 2;
        break;
      case Kind::read_twice:
        ++touched_.places;
        break;
      case Kind::sum:
        touched_.places += accounts;
        break;
      default:
        break;
    }
  }
  void note_shape() {
    const auto note = [&](const char* shape, bool has) { program_.shapes_[shape] += has ? 1 : 0; };
    note("empty", touched_.places == 0);
    note("read only", touched_.places != 0 && !touched_.stores);
    note("of one place", touched_.places == 1);
    note("of many places", touched_.places >= 16);
    note("very long", touched_.places >= 100);
    note("of a warp at one place", touched_.same_as_others);
  }
  void add(std::uint32_t v, const Node& node) { add_to(v >> node.shift & node.mask, forms[node.form], v >> 16); }
  void add_to(unsigned cell, const Form& form, std::uint32_t amount) {
    std::uint64_t value = 0;
    std::uint8_t* const at = &program_.cells_[cell * cell_bytes + form.offset];
    std::memcpy(&value, at, form.bytes);
    value += amount;
    std::memcpy(at, &value, form.bytes);
  }

  TransactionalProgram& program_;
  unsigned number_;
  std::uint32_t v_;
  Touched touched_;
};

TransactionalProgram::TransactionalProgram(const std::vector<std::uint8_t>& choices, const Options& options)
    : options_(options) {
  constexpr std::uint64_t most_steps = 4'000;
  constexpr unsigned some_threads[] = {1, 32, 2, 33, 64, 7, 96}, some_jitter[] = {0, 20, 300};
  Reader reader(choices);
  ctas_ = 1 + reader.below(5);
  threads_ = some_threads[reader.below(std::size(some_threads))];
  jitter_ = some_jitter[reader.below(std::size(some_jitter))];
  seed_ = 1 + reader.below(256);
  body_ = block(reader, false, 0);
  for (execute(); steps_ > most_steps && all_threads() > 1; execute()) {
    if (ctas_ > 1)
      ctas_ = 1;
    else
      threads_ /= 2;
  }
}

void TransactionalProgram::execute() {
  cells_.assign(std::size_t{cells} * cell_bytes, 0);
  marks_.assign(pairs, {0});
  results_.assign(all_threads(), 0);
  owned_.assign(all_threads(), 0);
  transactions_ = steps_ = 0;
  shapes_.clear();
  for (unsigned i = 0; i < all_threads(); ++i) Thread(*this, i).run();
}

std::vector<TransactionalProgram::Node> TransactionalProgram::block(Reader& reader, bool inside, unsigned depth) {
  constexpr unsigned most = 6;
  std::vector<Node> nodes;
  while (nodes.size() < most && reader.below(6) != 0) nodes.push_back(node(reader, inside, depth));
  return nodes;
}

/// `depth`: of loops, branches and transactions around it.
TransactionalProgram::Node TransactionalProgram::node(Reader& reader, bool inside, unsigned depth) {
  constexpr Kind outside[] = {Kind::transaction, Kind::mix,    Kind::transaction, Kind::loop,
                              Kind::transaction, Kind::branch, Kind::own,         Kind::barrier};
  constexpr Kind simple[] = {Kind::add, Kind::transfer,   Kind::switches,   Kind::store_pair,
                             Kind::add, Kind::check_pair, Kind::read_twice, Kind::sum,
                             Kind::own, Kind::mix,        Kind::call,       Kind::shared};
  constexpr Kind compound[] = {Kind::loop, Kind::branch, Kind::nested};
  constexpr unsigned deepest = 4;
  Node node;
  if (!inside) {
    node.kind = outside[reader.below(depth == 0 ? 8 : 7)];
    if (depth == deepest && (node.kind == Kind::loop || node.kind == Kind::branch)) node.kind = Kind::transaction;
  } else if (depth < deepest && reader.below(4) == 3) {
    node.kind = compound[reader.below(std::size(compound))];
  } else {
    node.kind = simple[reader.below(std::size(simple))];
  }
  if (node.kind == Kind::add) node.form = reader.below(options_.atomics ? std::size(forms) : plain_forms);
  // Of few places, so that transactions meet, or of all.
  const bool of_pairs = node.kind == Kind::store_pair || node.kind == Kind::check_pair || node.kind == Kind::switches;
  const unsigned places = of_pairs ? pairs : node.kind == Kind::transfer ? accounts : cells;
  constexpr unsigned some_masks[] = {0, 1, 3, 15};
  node.mask = some_masks[reader.below(std::size(some_masks))] & (places - 1);
  node.shift = 4 + reader.below(20);
  const bool has_body = node.kind >= Kind::loop && node.kind != Kind::barrier;
  if (!has_body) return node;
  if (node.kind == Kind::loop) node.count = loop_count(reader, inside);
  node.body = block(reader, inside || node.kind == Kind::transaction, depth + 1);
  const bool may_end_twice = node.kind == Kind::transaction && reader.below(4) == 3 && options_.several_commits;
  if (node.kind == Kind::branch || may_end_twice) node.other = block(reader, inside || may_end_twice, depth + 1);
  return node;
}

/// One loop of a program may make a transaction very long.
unsigned TransactionalProgram::loop_count(Reader& reader, bool inside) {
  constexpr unsigned longest = 40;
  if (!inside || long_loop_ || reader.below(3) != 2) return reader.below(inside ? 5 : 4);
  long_loop_ = true;
  return longest;
}

std::size_t TransactionalProgram::copy_bytes() const {
  return threads_at + std::size_t{all_threads()} * thread_bytes;
}

std::vector<std::uint8_t> TransactionalProgram::data() const {
  std::vector<std::uint8_t> data(copy_bytes() * copies());
  for (std::size_t copy = 0; copy < data.size(); copy += copy_bytes()) {
    const auto store = [&](std::size_t at, std::uint32_t value) { std::memcpy(&data.at(copy + at), &value, 4); };
    for (unsigned i = 0; i < accounts; ++i) store(accounts_at + 4 * i, account_start);
    for (unsigned i = 0; i < 2 * pairs; ++i) store(switches_at + 4 * i, 1);
  }
  return data;
}

std::string TransactionalProgram::check(const std::vector<std::uint8_t>& data) const {
  std::string wrong;
  for (unsigned copy = 0; copy < copies() && wrong.empty(); ++copy) wrong = check_copy(&data.at(copy * copy_bytes()));
  return wrong;
}

std::string TransactionalProgram::check_copy(const std::uint8_t* data) const {
  for (unsigned i = 0; i < cells * cell_bytes; ++i)
    if (data[i] != cells_[i])
      return fmt::format("byte {} of cell {} is {:#04x}, not {:#04x}", i % cell_bytes, i / cell_bytes, data[i],
                         cells_[i]);
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < accounts; ++i) sum += load(data, accounts_at + 4 * i);
  if (sum != accounts * account_start) return fmt::format("there is {} in all accounts", sum);
  for (unsigned i = 0; i < pairs; ++i) {
    const std::uint32_t first = load(data, marks_at + 8 * i), second = load(data, marks_at + 8 * i + 4);
    if (first != second || marks_[i].count(first) == 0)
      return fmt::format("the marks of pair {} are {:#x} and {:#x}", i, first, second);
    const std::uint32_t one = load(data, switches_at + 8 * i), other = load(data, switches_at + 8 * i + 4);
    if (one > 1 || other > 1 || one + other == 0) return fmt::format("switches {} are {} and {}", i, one, other);
  }
  for (unsigned i = 0; i < all_threads(); ++i) {
    const std::size_t at = threads_at + std::size_t{i} * thread_bytes;
    if (load(data, at + 4) != 0) return fmt::format("thread {} has read what does not fit", i);
    if (load(data, at) != results_[i])
      return fmt::format("thread {} has {:#x}, not {:#x}", i, load(data, at), results_[i]);
    if (load(data, at + 8) != owned_[i])
      return fmt::format("thread {}'s own word is {:#x}, not {:#x}", i, load(data, at + 8), owned_[i]);
  }
  return {};
}

}  // namespace syncline::tests
