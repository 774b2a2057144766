#include "tests/unit/exec/random_program.h"

#include <fmt/format.h>

#include <random>

namespace syncline::test {

// Every number n stands for registers %r<n> (32 bits), %d<n> (64) and %s<n> (16) at once: statements say which.
struct RandomProgram::Node {
  enum class Kind {
    add,
    sub,
    mul,
    mad,
    xor_,
    shift,
    wide,
    narrow,
    select,
    guarded_add,
    branch,
    loop,
    shuffle
  } kind = Kind::add;
  std::uint32_t d = 0, a = 0, b = 0, c = 0, immediate = 0;
  std::vector<Node> inner, other;
};

struct RandomProgram::State {
  std::vector<std::uint32_t> r;
  std::uint32_t thread = 0;
};

class RandomProgram::Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  std::vector<Node> block(std::vector<std::uint32_t> visible, unsigned depth, std::vector<std::uint32_t>* left) {
    std::vector<Node> nodes;
    const unsigned count = 3 + pick(depth == 0 ? 30 : 8);
    for (unsigned n = 0; n < count; ++n) nodes.push_back(statement(visible, depth));
    if (left != nullptr) *left = visible;
    return nodes;
  }
  std::uint32_t registers = 4;

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  Node statement(std::vector<std::uint32_t>& visible, unsigned depth) {
    Node node;
    const auto any = [&] { return visible[pick(static_cast<std::uint32_t>(visible.size()))]; };
    node.a = any();
    node.b = any();
    node.c = any();
    node.immediate = static_cast<std::uint32_t>(random_());
    const std::uint32_t what = pick(depth < 3 ? 13 : 10);
    node.kind = what < 10 ? static_cast<Node::Kind>(what) : what < 12 ? Node::Kind::branch : Node::Kind::loop;
    if (node.kind == Node::Kind::branch || node.kind == Node::Kind::loop) {
      node.inner = block(visible, depth + 1, nullptr);
      if (node.kind == Node::Kind::branch && pick(2) == 0) node.other = block(visible, depth + 1, nullptr);
      if (node.kind == Node::Kind::loop) node.d = registers++;  // the counter, seen by nobody else
      return node;
    }
    if (depth == 0 && pick(6) == 0) node.kind = Node::Kind::shuffle;
    // Mostly a new register, sometimes an old one; a guarded write must have an old value to keep.
    const bool fresh = node.kind != Node::Kind::guarded_add && pick(3) != 0;
    node.d = fresh ? registers++ : any();
    if (fresh) visible.push_back(node.d);
    return node;
  }
  std::mt19937_64 random_;
};

RandomProgram::RandomProgram(std::uint64_t seed) {
  Generator generator(seed);
  body_ = generator.block({0, 1, 2, 3}, 0, &results_);
  registers_ = generator.registers;
}

RandomProgram::~RandomProgram() = default;

void RandomProgram::print(const std::vector<Node>& nodes, std::string& text, unsigned& label) const {
  using K = Node::Kind;
  const auto line = [&](const std::string& s) { text += "  " + s + ";\n"; };
  for (const Node& n : nodes) {
    const unsigned l = label;
    switch (n.kind) {
      case K::add:
        line(fmt::format("add.u32 %r{}, %r{}, %r{}", n.d, n.a, n.b));
        break;
      case K::sub:
        line(fmt::format("sub.s32 %r{}, %r{}, {}", n.d, n.a, n.immediate & 0x7FFFFFFF));
        break;
      case K::mul:
        line(fmt::format("mul.lo.u32 %r{}, %r{}, %r{}", n.d, n.a, n.b));
        break;
      case K::mad:
        line(fmt::format("mad.lo.s32 %r{}, %r{}, %r{}, %r{}", n.d, n.a, n.b, n.c));
        break;
      case K::xor_:
        line(fmt::format("xor.b32 %r{}, %r{}, %r{}", n.d, n.a, n.b));
        break;
      case K::shift:
        line(fmt::format("shr.u32 %r{}, %r{}, {}", n.d, n.a, n.immediate % 32));
        break;
      case K::wide:
        line(fmt::format("mul.wide.u32 %d{}, %r{}, %r{}", n.d, n.a, n.b));
        line(fmt::format("shr.u64 %d{}, %d{}, 16", n.d, n.d));
        line(fmt::format("cvt.u32.u64 %r{}, %d{}", n.d, n.d));
        break;
      case K::narrow:
        line(fmt::format("cvt.u16.u32 %s{}, %r{}", n.d, n.a));
        line(fmt::format("add.u16 %s{}, %s{}, {}", n.d, n.d, n.immediate % 1000));
        line(fmt::format("cvt.s32.s16 %r{}, %s{}", n.d, n.d));
        break;
      case K::select:
        line(fmt::format("setp.lt.u32 %p0, %r{}, %r{}", n.a, n.b));
        line(fmt::format("selp.u32 %r{}, %r{}, %r{}, %p0", n.d, n.c, n.a));
        break;
      case K::guarded_add:
        line(fmt::format("and.b32 %c, %r{}, 1", n.a));
        line("setp.eq.u32 %p1, %c, 0");
        line(fmt::format("@!%p1 add.u32 %r{}, %r{}, %r{}", n.d, n.b, n.c));
        break;
      case K::shuffle:
        line(fmt::format("shfl.sync.bfly.b32 %r{}, %thread, {}, 31, -1", n.d, n.immediate % 32));
        break;
      case K::branch:
        label += 2;
        line(fmt::format("setp.gt.s32 %p2, %r{}, %r{}", n.a, n.b));
        line(fmt::format("@%p2 bra L{}", l));
        print(n.other, text, label);
        line(fmt::format("bra L{}", l + 1));
        text += fmt::format("L{}:\n", l);
        print(n.inner, text, label);
        text += fmt::format("L{}:\n", l + 1);
        break;
      case K::loop:
        ++label;
        line(fmt::format("and.b32 %r{}, %r{}, 3", n.d, n.a));
        text += fmt::format("L{}:\n", l);
        print(n.inner, text, label);
        line(fmt::format("sub.s32 %r{}, %r{}, 1", n.d, n.d));
        line(fmt::format("setp.ge.s32 %p3, %r{}, 0", n.d));
        line(fmt::format("@%p3 bra L{}", l));
        break;
    }
  }
}

void RandomProgram::run(const std::vector<Node>& nodes, State& s) const {
  using K = Node::Kind;
  for (const Node& n : nodes) {
    const std::uint32_t a = s.r[n.a], b = s.r[n.b], c = s.r[n.c];
    std::uint32_t& d = s.r[n.d];
    switch (n.kind) {
      case K::add:
        d = a + b;
        break;
      case K::sub:
        d = a - (n.immediate & 0x7FFFFFFF);
        break;
      case K::mul:
        d = a * b;
        break;
      case K::mad:
        d = a * b + c;
        break;
      case K::xor_:
        d = a ^ b;
        break;
      case K::shift:
        d = a >> (n.immediate % 32);
        break;
      case K::wide:
        d = static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 16);
        break;
      case K::narrow:
        d = static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(a + n.immediate % 1000)));
        break;
      case K::select:
        d = a < b ? c : a;
        break;
      case K::guarded_add:
        if ((a & 1) != 0) d = b + c;
        break;
      case K::shuffle:
        d = s.thread ^ (n.immediate % 32);
        break;
      case K::branch:
        run(static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? n.inner : n.other, s);
        break;
      case K::loop:
        d = a & 3;
        do {
          run(n.inner, s);
          s.r[n.d] -= 1;
        } while (static_cast<std::int32_t>(s.r[n.d]) >= 0);
        break;
    }
  }
}

std::string RandomProgram::ptx() const {
  std::string text = fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{{
  .reg .b32 %r<{0}>, %c, %thread, %sum;
  .reg .b64 %d<{0}>, %at;
  .reg .b16 %s<{0}>;
  .reg .pred %p<4>;
  mov.u32 %thread, %tid.x;
  mov.u32 %r0, %thread;
  mul.lo.u32 %r1, %thread, -1640531535;
  xor.b32 %r2, %r1, 12345;
  mov.u32 %r3, 7;
)",
                                 registers_);
  unsigned label = 0;
  print(body_, text, label);
  text += "  mov.u32 %sum, 0;\n";
  for (const std::uint32_t r : results_) text += fmt::format("  mad.lo.u32 %sum, %sum, 31, %r{};\n", r);
  return text + R"(  ld.param.u64 %at, [out];
  mad.wide.u32 %at, %thread, 4, %at;
  st.global.u32 [%at], %sum;
}
)";
}

std::uint32_t RandomProgram::expected(std::uint32_t t) const {
  State state;
  state.r.assign(registers_, 0);
  state.thread = t;
  state.r[0] = t;
  state.r[1] = t * static_cast<std::uint32_t>(-1640531535);
  state.r[2] = state.r[1] ^ 12345;
  state.r[3] = 7;
  run(body_, state);
  std::uint32_t sum = 0;
  for (const std::uint32_t r : results_) sum = sum * 31 + state.r[r];
  return sum;
}

}  // namespace syncline::test
