#include "tests/transactions/random/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace syncline::tests {
namespace {

constexpr unsigned cells = 16, cell_bytes = 16, accounts = 8, pairs = 4;
constexpr std::uint32_t account_start = 100;
// Places in the data.
constexpr unsigned accounts_at = cells * cell_bytes, marks_at = accounts_at + 4 * accounts,
                   switches_at = marks_at + 8 * pairs, threads_at = switches_at + 8 * pairs;
// A thread's: its result, whether something did not fit, its own word.
constexpr unsigned thread_bytes = 12;

constexpr std::uint32_t multiplier = 1664525, increment = 1013904223;
constexpr std::uint32_t mixed(std::uint32_t v) {
  return v * multiplier + increment;
}
constexpr std::uint32_t at_start(std::uint32_t thread) {
  return thread * 2654435761U + 12345;
}

/// How a field of a cell is added to.
struct Form {
  const char* name;
  unsigned offset, bytes;
};
constexpr Form forms[] = {{"u32", 8, 4}, {"u8", 14, 1}, {"u16", 12, 2}, {"u64", 0, 8}, {"v2", 8, 4},
                          {"v4", 8, 4},  {"u8", 15, 1}, {"red", 8, 4},  {"atom", 8, 4}};
constexpr unsigned plain_forms = 7;

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

class TransactionalProgram::Printer {
 public:
  explicit Printer(std::string& text) : text_(text) {}
  void print(const std::vector<Node>& nodes, unsigned depth = 0) {
    for (const Node& node : nodes) print(node, depth);
  }

 private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  void place(const std::string& label) { text_ += label + ":\n"; }
  std::string label(const char* name) { return fmt::format("{}{}", name, labels_++); }
  void next() { line(fmt::format("mad.lo.u32 %v, %v, {}, {};", multiplier, increment)); }
  /// %rd2: an element of an array in the data, drawn from %v.
  void element(const Node& node, unsigned array, unsigned bytes) {
    next();
    line(fmt::format("shr.u32 %r1, %v, {}; and.b32 %r1, %r1, {};", node.shift, node.mask));
    line(fmt::format("mad.wide.u32 %rd2, %r1, {}, %rd1; add.u64 %rd2, %rd2, {};", bytes, array));
  }
  void bad_if(const char* compares) { line(fmt::format("setp.{}; @%p1 mov.u32 %bad, 1;", compares)); }
  std::string unless_chosen(const Node& node, const char* name) {
    std::string to = label(name);
    next();
    line(fmt::format("shr.u32 %r1, %v, {}; and.b32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, 0;", node.shift));
    line(fmt::format("@%p1 bra {};", to));
    return to;
  }

  void print(const Node& node, unsigned depth) {
    switch (node.kind) {
      case Kind::mix:
        return next();
      case Kind::add:
        return add(node);
      case Kind::transfer:
        return transfer(node);
      case Kind::sum:
        return sum();
      case Kind::read_twice:
        element(node, 0, cell_bytes);
        line("ld.global.u32 %r2, [%rd2+8]; ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd2];");
        return bad_if("ne.u32 %p1, %r2, %r5");
      case Kind::store_pair:
        element(node, marks_at, 8);
        return line("st.global.u32 [%rd2], %v; st.global.u32 [%rd2+4], %v;");
      case Kind::check_pair:
        element(node, marks_at, 8);
        line("ld.global.u32 %r2, [%rd2+4]; ld.global.u32 %r3, [%rd2];");
        return bad_if("ne.u32 %p1, %r2, %r3");
      case Kind::switches:
        return switches(node);
      case Kind::own:
        next();
        return line("ld.global.u32 %r2, [%own+8]; add.u32 %r2, %r2, %v; st.global.u32 [%own+8], %r2;");
      case Kind::shared:
        next();
        line("st.shared.u32 [%mine], %v; ld.shared.u32 %r2, [%mine];");
        return bad_if("ne.u32 %p1, %r2, %v");
      case Kind::call:
        element(node, 0, cell_bytes);
        return line("{ .param .b64 cell; st.param.b64 [cell], %rd2; call bump, (cell); }");
      case Kind::loop:
        return loop(node, depth);
      case Kind::branch:
        return branch(node, depth);
      case Kind::nested:
      case Kind::transaction:
        return transaction(node, depth);
      case Kind::barrier:
        return line("bar.sync 0;");
    }
  }
  void add(const Node& node) {
    const Form& form = forms[node.form];
    const std::string_view name = form.name;
    element(node, 0, cell_bytes);
    line("shr.u32 %r1, %v, 16;");
    if (name == "u64") {
      line("cvt.u64.u32 %rd3, %r1; ld.global.u64 %rd4, [%rd2];");
      line("add.u64 %rd4, %rd4, %rd3; st.global.u64 [%rd2], %rd4;");
    } else if (name == "v2") {
      line("ld.global.v2.u32 {%r2, %r3}, [%rd2+8]; add.u32 %r2, %r2, %r1; st.global.v2.u32 [%rd2+8], {%r2, %r3};");
    } else if (name == "v4") {
      line("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd2]; add.u32 %r4, %r4, %r1;");
      line("st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};");
    } else if (name == "red") {
      line("red.global.add.u32 [%rd2+8], %r1;");
    } else if (name == "atom") {
      line("atom.global.add.u32 %r2, [%rd2+8], %r1;");
    } else if (name == "u32") {
      line("ld.global.u32 %r2, [%rd2+8]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd2+8], %r2;");
    } else {  // of what is narrower than a register
      line(fmt::format("ld.global.{} %r2, [%rd2+{}];", name, form.offset));
      line(fmt::format("add.u32 %r2, %r2, %r1; st.global.{} [%rd2+{}], %r2;", name, form.offset));
    }
  }
  void transfer(const Node& node) {
    const std::string too_little = label("too_little");
    element(node, accounts_at, 4);
    line("mov.u64 %rd3, %rd2;");
    element(node, accounts_at, 4);
    line("shr.u32 %r1, %v, 27; ld.global.u32 %r2, [%rd3];");
    line(fmt::format("setp.lt.u32 %p1, %r2, %r1; @%p1 bra {};", too_little));
    line("sub.u32 %r2, %r2, %r1; st.global.u32 [%rd3], %r2;");
    line("ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd2], %r2;");
    place(too_little);
  }
  void sum() {
    line("mov.u32 %r1, 0;");
    for (unsigned i = 0; i < accounts; ++i)
      line(fmt::format("ld.global.u32 %r2, [%rd1+{}]; add.u32 %r1, %r1, %r2;", accounts_at + 4 * i));
    bad_if(fmt::format("ne.u32 %p1, %r1, {}", accounts * account_start).c_str());
  }
  /// Each thread would turn off the one that is its own.
  void switches(const Node& node) {
    const std::string on = label("turn_on"), done = label("turned");
    element(node, switches_at, 8);
    line("and.b32 %r1, %v, 65536; shr.u32 %r1, %r1, 14; cvt.u64.u32 %rd3, %r1; add.u64 %rd3, %rd2, %rd3;");
    line("ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd2+4]; add.u32 %r4, %r2, %r3;");
    bad_if("eq.u32 %p1, %r4, 0");
    line(fmt::format("setp.ne.u32 %p1, %r4, 2; @%p1 bra {};", on));
    line(fmt::format("st.global.u32 [%rd3], 0; bra {};", done));
    place(on);
    line(fmt::format("setp.ne.u32 %p1, %r2, 0; @!%p1 st.global.u32 [%rd2], 1; @%p1 st.global.u32 [%rd2+4], 1;"));
    place(done);
  }
  void loop(const Node& node, unsigned depth) {
    const std::string again = label("again"), done = label("done");
    line(fmt::format("mov.u32 %n{}, {};", depth, node.count));
    place(again);
    line(fmt::format("setp.eq.u32 %p1, %n{}, 0; @%p1 bra {}; sub.u32 %n{}, %n{}, 1;", depth, done, depth, depth));
    print(node.body, depth + 1);
    line(fmt::format("bra {};", again));
    place(done);
  }
  void branch(const Node& node, unsigned depth) {
    const std::string meet = label("meet");
    const std::string other = unless_chosen(node, "other");
    print(node.body, depth + 1);
    line(fmt::format("bra {};", meet));
    place(other);
    print(node.other, depth + 1);
    place(meet);
  }
  void transaction(const Node& node, unsigned depth) {
    line("tx.begin;");
    print(node.body, depth + 1);
    if (node.other.empty()) return line("tx.commit;");
    const std::string meet = label("meet");
    const std::string other = unless_chosen(node, "other");
    line(fmt::format("tx.commit; bra {};", meet));
    place(other);
    print(node.other, depth + 1);
    line("tx.commit;");
    place(meet);
  }

  std::string& text_;
  unsigned labels_ = 0;
};

std::size_t TransactionalProgram::copy_bytes() const {
  return threads_at + std::size_t{all_threads()} * thread_bytes;
}

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Of the kernel: each thread copies words of the CTA's data to shared memory, or back. `.device`: of global memory,
/// when all else that was there is in shared memory.
std::string copies_data(bool back, unsigned words, unsigned threads) {
  const char* const label = back ? "back" : "there";
  return fmt::format(R"(  mov.u32 %r1, %tid.x;
{0}:
  setp.ge.u32 %p1, %r1, {1}; @%p1 bra {0}_done;
  mad.wide.u32 %rd2, %r1, 4, %far; mad.wide.u32 %rd3, %r1, 4, %rd1;
  {2}
  add.u32 %r1, %r1, {3}; bra {0};
{0}_done:
  bar.sync 0;
)",
                     label, words,
                     back ? "ld.shared.u32 %r2, [%rd3]; st.device.u32 [%rd2], %r2;"
                          : "ld.device.u32 %r2, [%rd2]; st.shared.u32 [%rd3], %r2;",
                     threads);
}

}  // namespace

std::string TransactionalProgram::ptx() const {
  std::string text = fmt::format(R"(.version 7.0
.target sm_70
.address_size 64

.func bump(.param .b64 cell)
{{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.b64 %rd1, [cell];
  ld.global.u32 %r1, [%rd1+8];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1+8], %r1;
  ret;
}}

.visible .entry k(.param .u64 data)
{{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b32 %n<8>;
  .reg .b32 %v, %bad, %mine;
  .reg .b64 %rd<6>;
  .reg .b64 %own, %far;
  .shared .align 4 .b8 slots[{}];
  .shared .align 16 .b8 near[{}];
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %mine, slots;
  mad.lo.u32 %mine, %r1, 4, %mine;
{}  mad.lo.u32 %r1, %r2, {}, %r1;
  mad.wide.u32 %own, %r1, {}, %rd1;
  add.u64 %own, %own, {};
  mad.lo.u32 %v, %r1, 2654435761, 12345;
  mov.u32 %bad, 0;
)",
                                 4 * threads_, options_.shared ? copy_bytes() : 16,
                                 options_.shared ? fmt::format("  mad.wide.u32 %far, %r2, {}, %rd1;\n  mov.u64 %rd1, "
                                                               "near;\n  mov.u32 %r2, 0;\n",
                                                               copy_bytes())
                                                 : std::string(),
                                 threads_, thread_bytes, threads_at);
  const auto words = static_cast<unsigned>(copy_bytes() / 4);
  if (options_.shared) text += copies_data(/*back=*/false, words, threads_);
  Printer(text).print(body_);
  text += "  st.global.u32 [%own], %v;\n  st.global.u32 [%own+4], %bad;\n";
  if (options_.shared) {
    text += "  bar.sync 0;\n" + copies_data(/*back=*/true, words, threads_);
    replace_all(text, ".global", ".shared");
    replace_all(text, ".device", ".global");
  }
  return text + "  ret;\n}\n";
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
