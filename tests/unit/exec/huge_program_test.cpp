// Kernels that are large on purpose: they are decoded in a time that grows with their text, or refused with a place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "isa/cfg/control_flow_graph.h"
#include "isa/exec/decode/liveness.h"
#include "isa/exec/decode/register_access.h"
#include "isa/ptx/parser.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string repeated(unsigned count, const std::function<std::string(const std::string&)>& of) {
  std::string text;
  for (unsigned n = 0; n < count; ++n) text += of(std::to_string(n));
  return text;
}

std::string module_of(const std::string& rest) {
  return module_header("sm_70", "7.3") + rest;
}

std::string entry(const std::string& body) {
  return module_of(".visible .entry k() {\n" + body + "\nret;\n}\n");
}

std::string decode_error(const std::string& ptx) {
  return error_of([&] { Machine(ptx).program("k"); });
}

TEST(HugeProgram, RegistersThatLiveThroughManyBlocks) {
  constexpr unsigned count = 30000;
  const auto registers = std::to_string(count);
  // Written one after the other, a branch between each, and read at the end.
  EXPECT_EQ(
      decode_error(entry(
          ".reg .b32 %r<" + registers + ">; .reg .pred p;\n" +
          repeated(count,
                   [](const std::string& n) { return "mov.u32 %r" + n + ", 1;\n@p bra L" + n + ";\nL" + n + ":\n"; }) +
          repeated(count, [](const std::string& n) { return "add.u32 %r0, %r0, %r" + n + ";\n"; }))),
      "");
  // Labels with the names of registers, which nobody writes first.
  const auto own_label = [](const std::string& n) { return "%r" + n + ": add.u32 %r" + n + ", %r" + n + ", 1;\n"; };
  EXPECT_EQ(decode_error(entry(".reg .b32 %r<" + registers + ">;\n" + repeated(count, own_label))), "");
  EXPECT_THAT(decode_error(entry(".reg .b32 %r<100000>;\n" + repeated(100000, own_label))),
              HasSubstr("test.ptx:4:17: error: `k` is too large: 100000 registers keep a value from one of its 100000 "
                        "basic blocks to another, and 8589934592 pairs of both can be followed"));
  EXPECT_THAT(
      decode_error(entry(".reg .b32 %r<70000>; .reg .pred p;\nmov.u32 %r0, 1;\n@p bra L;\nL:\n" +
                         repeated(70000, [](const std::string& n) { return "add.u32 %r0, %r0, %r" + n + ";\n"; }))),
      HasSubstr("test.ptx:4:17: error: `k` keeps 70001 registers at once; 65535 are possible"));
}

TEST(HugeProgram, EndlessLoopsByTheThousand) {
  EXPECT_EQ(decode_error(entry(repeated(30000, [](const std::string& n) { return "L" + n + ": bra L" + n + ";\n"; }))),
            "");
}

TEST(HugeProgram, SharedVariablesByTheThousand) {
  constexpr unsigned count = 30000;
  EXPECT_EQ(
      decode_error(module_of(repeated(count, [](const std::string& n) { return ".shared .b8 s" + n + ";\n"; }) +
                             ".visible .entry k() {\n.reg .u32 %r;\n" +
                             repeated(count, [](const std::string& n) { return "ld.shared.u8 %r, [s" + n + "];\n"; }) +
                             "ret;\n}\n")),
      "");
}

TEST(HugeProgram, ALongChainOfCallsAndManyCallsByRegister) {
  EXPECT_EQ(decode_error(module_of(".func f0() { ret; }\n" +
                                   repeated(50000,
                                            [](const std::string& n) {
                                              const auto next = std::to_string(std::stoul(n) + 1);
                                              return ".func f" + next + "() { call f" + n + "; ret; }\n";
                                            }) +
                                   ".visible .entry k() { call f50000; ret; }\n")),
            "");
  const Machine machine(module_of(repeated(3000,
                                           [](const std::string& n) {
                                             return ".func g" + n +
                                                    "() { .local .b8 l[16]; .reg .u64 r; mov.u64 r, l; mov.u64 r, g" +
                                                    n + "; P: .callprototype _ (); call r, (), P; ret; }\n";
                                           }) +
                                  ".visible .entry k() { .reg .u64 r; mov.u64 r, g0; mov.u64 r, g1; P: .callprototype "
                                  "_ (); call r, (), P; ret; }\n"));
  const auto program = machine.program("k");
  EXPECT_TRUE(program->kernel().recursive);
  EXPECT_TRUE(program->kernel().indirect_calls);
}

TEST(HugeProgram, LocalMemoryOfGibibytesIsRefusedWhereItIsDeclared) {
  const std::string use = "mov.u64 r, a;\nst.local.u32 [r], 5;";
  EXPECT_THAT(decode_error(entry(".local .b8 a[1073741824];\n.reg .u64 r;\n" + use)),
              HasSubstr("test.ptx:5:12: error: `a` of 1073741824 bytes does not fit: the local memory of a thread has "
                        "234881024 bytes, and 0 are taken"));
  EXPECT_THAT(
      decode_error(module_of(".local .b8 a[1073741824];\n.visible .entry k() {\n.reg .u64 r;\n" + use + "ret;\n}")),
      HasSubstr("test.ptx:4:12: error: `a` of 1073741824 bytes does not fit"));
  EXPECT_THAT(decode_error(entry(".local .b8 first[200000000]; .local .b8 a[34359738368];\n.reg .u64 r;\n" + use)),
              HasSubstr("and 200000000 are taken"));
  EXPECT_THAT(
      decode_error(module_of(".func f(.param .b8 p[34359738368]) { ret; }\n.visible .entry k() {\n"
                             ".param .b8 q[34359738368];\ncall f, (q);\nret;\n}\n")),
      HasSubstr("test.ptx:6:12: error: `q` of 34359738368 bytes does not fit: the .param memory of a function has "
                "65536 bytes, and 0 are taken"));
  EXPECT_THAT(
      decode_error(module_of(".func f(.param .b8 p[20000]) { ret; }\n.visible .entry k() {\n"
                             ".param .b8 q[20000];\ncall f, (q);\nret;\n}\n")),
      HasSubstr("test.ptx:4:7: error: the parameters of `f` take 20000 bytes and its results 0; 16384 are possible"));
  // What no kernel names is no part of its memory.
  EXPECT_EQ(decode_error(module_of(".local .b8 a[1073741824];\n.visible .entry k() { ret; }")), "");
}

TEST(HugeProgram, LocalMemoryIsMadeWhereThreadsComeToIt) {
  isa::EmulatorConfig config;
  config.local_limit = 1 << 20;
  const char* const declare = ".local .align 4 .b8 large[200000000];\nmov.u64 %d1, large;\n";
  EXPECT_EQ(results_of(std::string(declare) + "st.local.u32 [%d1+4], %t;\nst.local.u32 [%d1+1048572], 3;\n"
                                              "ld.local.u32 %r1, [%d1+4];\nld.local.u32 %r2, [%d1+524288];\n"
                                              "ld.local.u32 %r0, [%d1+1048572];\nadd.u32 %r0, %r0, %r1;\n"
                                              "add.u32 %r0, %r0, %r2;",
                       32, "", config)[5],
            8u);
  EXPECT_THAT(
      error_of([&] { results_of(std::string(declare) + "st.local.u32 [%d1+1048576], 3;\n", 32, "", config); }),
      AllOf(HasSubstr("thread (0, 0, 0) (warp 0, lane 0) of CTA (0, 0, 0) uses 1048580 bytes of local memory in "
                      "kernel `k`, the limit is 1048576: test.ptx:"),
            HasSubstr("`st.local.u32 [%d1+1048576], 3;`")));
}

TEST(HugeProgram, TheCallStackIsBounded) {
  const auto recursive = [](const std::string& locals, const std::string& body) {
    return module_of(".func f() {\n" + locals + body + "ret; }\n.visible .entry k() { call f; ret; }\n");
  };
  const auto run = [](const std::string& ptx) {
    return error_of([&] { Machine(ptx).run("k", {1, 1, 1}, {1, 1, 1}); });
  };
  EXPECT_THAT(
      run(recursive(".local .b8 a[100000];\n.reg .u64 r;\n", "mov.u64 r, a;\ncall f;\n")),
      HasSubstr("call stack overflow: 234900000 bytes of local memory are wanted, a thread can address 234881024"));
  EXPECT_THAT(
      run(recursive(
          ".reg .b64 r<4000>;\n",
          "call f;\n" + repeated(3999, [](const std::string& n) { return "add.u64 r3999, r3999, r" + n + ";\n"; }))),
      AllOf(HasSubstr("call stack overflow: the registers of "), HasSubstr(" bytes a thread, the limit is 4194304")));
  for (const char* bytes : {"1073741824", "0xFFFFFFFFFFFFFFF8"})
    EXPECT_THAT(run(entry(".reg .u64 r;\nalloca.u64 r, " + std::string(bytes) + ";\nst.local.u8 [r], 1;")),
                HasSubstr("call stack overflow: "));
}

/// What the definition says, register by register.
std::vector<isa::NeededIn> plainly_needed(const isa::Function& function, const isa::ControlFlowGraph& graph) {
  std::vector<isa::NeededIn> needed(function.registers.size() + 1);
  isa::RegisterAccess access;
  for (std::uint32_t r = 0; r < needed.size(); ++r) {
    std::vector<bool> begins(graph.size(), false), ends(graph.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t b = 0; b < graph.size(); ++b) {
        const isa::BasicBlock& block = graph.blocks()[b];
        bool end = false;
        for (const std::uint32_t s : block.successors) end = end || begins[s];
        bool alive = end;
        for (std::uint32_t i = block.last; i-- > block.first;) {
          isa::register_access(function, function.instructions[i], access);
          const auto has = [&](const std::vector<std::uint32_t>& all) {
            return std::find(all.begin(), all.end(), r) != all.end();
          };
          alive = has(access.reads) || (alive && (access.partial_write || !has(access.writes)));
        }
        changed = changed || end != ends[b] || alive != begins[b];
        ends[b] = end;
        begins[b] = alive;
      }
    }
    for (std::uint32_t b = 0; b < graph.size(); ++b) {
      if (begins[b]) needed[r].last_begin = b;
      if (ends[b]) needed[r].last_end = b;
      if (begins[b]) needed[r].first_begin = std::min(needed[r].first_begin, b);
      if (ends[b]) needed[r].first_end = std::min(needed[r].first_end, b);
    }
  }
  return needed;
}

TEST(HugeProgram, NeededRegistersAreThoseOfTheDefinition) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    // Branches to and fro among a dozen labels, over more registers than are followed at once.
    std::uint64_t state = seed + 1;
    const auto random = [&](unsigned below) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<unsigned>((state >> 33) % below);
    };
    std::string body = ".reg .b32 r<400>; .reg .pred p;\n";
    for (unsigned label = 0; label < 12; ++label) {
      body += "L" + std::to_string(label) + ":\n";
      for (unsigned n = 0; n < 40; ++n) {
        const std::string registers =
            "r" + std::to_string(random(400)) + ", r" + std::to_string(random(400)) + ", 1;\n";
        body += (random(4) == 0 ? "@p add.u32 " : "add.u32 ") + registers;
        if (random(8) == 0) body += "@p bra L" + std::to_string(random(12)) + ";\n";
      }
    }
    const auto module = isa::parse_module(entry(body), "random");
    const isa::Function& function = module->functions[0];
    const isa::ControlFlowGraph graph(function);
    const auto got = isa::needed_registers(function, graph, {}), want = plainly_needed(function, graph);
    for (std::size_t r = 0; r < want.size(); ++r) {
      EXPECT_EQ(got[r].first_begin, want[r].first_begin) << "seed " << seed << " register " << r;
      EXPECT_EQ(got[r].last_begin, want[r].last_begin) << "seed " << seed << " register " << r;
      EXPECT_EQ(got[r].first_end, want[r].first_end) << "seed " << seed << " register " << r;
      EXPECT_EQ(got[r].last_end, want[r].last_end) << "seed " << seed << " register " << r;
    }
  }
}

}  // namespace
}  // namespace syncline::test
