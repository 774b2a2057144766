// The text of a random program.
#include <fmt/format.h>

#include "tests/transactions/random/layout.h"
#include "tests/transactions/random/program.h"

namespace syncline::tests {

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

}  // namespace syncline::tests
