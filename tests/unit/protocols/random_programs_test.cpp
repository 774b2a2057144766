// Random programs of the model checker: what a seed gives, that nothing is missing among them, that their size is
// bounded, and that they find what no program of the suite shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "protocols/coherence/explore/random_programs.h"
#include "protocols/coherence/explore/shrink.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;
using protocols::Scope;

std::vector<Program> programs(std::uint64_t seed, bool fences, unsigned count = 2000) {
  std::vector<Program> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(RandomPrograms(seed, fences).at(i));
  return all;
}

TEST(RandomPrograms, OneSeedGivesOneSequence) {
  const auto text = [](const std::vector<Program>& all) {
    std::string whole;
    for (const Program& program : all) whole += program.text + "\n";
    return whole;
  };
  EXPECT_EQ(text(programs(1, true, 50)), text(programs(1, true, 50)));
  EXPECT_NE(text(programs(1, true, 50)), text(programs(2, true, 50)));
  // Numbers of the generator are the same on every host, so that a seed in a report can be used everywhere.
  EXPECT_EQ(RandomPrograms(1, true).at(7).text, RandomPrograms(1, true).at(7).text);
}

TEST(RandomPrograms, AreReadAgainAsTheyArePrinted) {
  for (const Program& program : programs(3, true)) EXPECT_EQ(text_of(parse_program(program.text)), program.text);
}

unsigned accesses(const Program& program) {
  unsigned count = 0;
  for (const Thread& thread : program.threads) {
    for (const Op& op : thread.ops) count += op.kind == OpKind::atomic ? 2 : op.has_location() ? 1 : 0;
  }
  return count;
}

TEST(RandomPrograms, AreSmall) {
  std::map<unsigned, unsigned> sizes;
  for (const bool fences : {false, true}) {
    for (const Program& program : programs(4, fences)) {
      EXPECT_LE(program.threads.size(), RandomPrograms::most_threads);
      EXPECT_LE(accesses(program), RandomPrograms::most_accesses);
      for (const Thread& thread : program.threads) EXPECT_LE(thread.ops.size(), max_operations);
      EXPECT_GE(accesses(program), 2U);
      ++sizes[accesses(program)];
    }
  }
  EXPECT_GT(sizes[RandomPrograms::most_accesses], 10U);
  EXPECT_GT(sizes[4], sizes[6]);
}

/// How many of the programs have something.
using Has = std::function<bool(const Program&)>;
Has any_op(const std::function<bool(const Op&)>& is) {
  return [is](const Program& program) {
    return std::any_of(program.threads.begin(), program.threads.end(),
                       [&](const Thread& thread) { return std::any_of(thread.ops.begin(), thread.ops.end(), is); });
  };
}

/// Two threads of one L1 load one line.
bool joins(const Program& program) {
  std::set<std::pair<unsigned, unsigned>> loads;
  for (const Thread& thread : program.threads) {
    std::set<std::pair<unsigned, unsigned>> own;
    for (const Op& op : thread.ops) {
      if (op.kind == OpKind::load) own.emplace(thread.l1, op.line);
    }
    for (const auto& load : own) {
      if (!loads.insert(load).second) return true;
    }
  }
  return false;
}

TEST(RandomPrograms, HaveAllThatProgramsCanHave) {
  const auto shares = [](const Program& p) { return p.l1s() < p.threads.size(); };
  const std::map<std::string, Has> features{
      {"one thread", [](const Program& p) { return p.threads.size() == 1; }},
      {"two threads", [](const Program& p) { return p.threads.size() == 2; }},
      {"three threads", [](const Program& p) { return p.threads.size() == 3; }},
      {"one line", [](const Program& p) { return p.lines() == 1; }},
      {"two lines", [](const Program& p) { return p.lines() == 2; }},
      {"two words", [](const Program& p) { return p.words() == 2; }},
      {"a shared L1", shares},
      {"two of three share", [](const Program& p) { return p.threads.size() == 3 && p.l1s() == 2; }},
      {"three share", [](const Program& p) { return p.threads.size() == 3 && p.l1s() == 1; }},
      {"joined loads", joins},
      {"flush beside a shared L1", [&](const Program& p) { return p.has(OpKind::flush) && shares(p); }},
      {"fence beside a shared L1 and a third thread",
       [&](const Program& p) { return p.has_fences() && shares(p) && p.threads.size() == 3; }},
      {"add", any_op([](const Op& op) { return op.kind == OpKind::atomic && op.atomic == AtomicKind::add; })},
      {"exch", any_op([](const Op& op) { return op.atomic == AtomicKind::exch; })},
      {"cas", any_op([](const Op& op) { return op.atomic == AtomicKind::cas; })},
      {"cas of what another wrote", any_op([](const Op& op) { return op.compare != 0; })},
      {"ld.acquire", any_op([](const Op& op) { return op.kind == OpKind::load && op.acquires(); })},
      {"st.release", any_op([](const Op& op) { return op.kind == OpKind::store && op.releases(); })},
      {"atomic.acquire", any_op([](const Op& op) { return op.writes() && op.ordering == Ordering::acquire; })},
      {"atomic.acq_rel", any_op([](const Op& op) { return op.writes() && op.ordering == Ordering::acq_rel; })},
      {"fence.sc.cta", any_op([](const Op& op) { return op.kind == OpKind::fence && op.scope == Scope::cta; })},
      {"fence.sc.sys", any_op([](const Op& op) { return op.kind == OpKind::fence && op.scope == Scope::sys; })},
      {"fence.acq_rel",
       any_op([](const Op& op) { return op.kind == OpKind::fence && op.ordering != Ordering::relaxed; })},
      {"access of a CTA", any_op([](const Op& op) { return op.has_location() && op.scope == Scope::cta; })},
      {"access of the system", any_op([](const Op& op) { return op.has_location() && op.scope == Scope::sys; })},
      {"own memory", any_op([](const Op& op) { return op.manner == Manner::is_private; })},
      {"read-only data", any_op([](const Op& op) { return op.manner == Manner::read_only; })},
      {"around the L1", any_op([](const Op& op) { return op.manner == Manner::around_l1; })}};
  for (const bool fences : {false, true}) {
    const std::vector<Program> all = programs(5, fences);
    for (const auto& [name, has] : features) EXPECT_GT(std::count_if(all.begin(), all.end(), has), 5) << name;
  }
}

TEST(RandomPrograms, WriteWhatTheyTouch) {
  for (const Program& program : programs(6, true)) {
    for (unsigned line = 0; line < program.lines(); ++line) {
      const auto writes = any_op([line](const Op& op) { return op.writes() && op.line == line; });
      EXPECT_TRUE(program.is_private(line) || writes(program)) << program.text;
    }
  }
}

TEST(Shrunk, LeavesWhatIsNeeded) {
  const Program program =
      parse_program("ld y; st.release.sys x 1; fence | ld x | fence.cta; ld.acquire x; add.acq_rel y 2 @0");
  const auto has_store_and_load = [](const Program& p) {
    return any_op([](const Op& op) { return op.kind == OpKind::store; })(p) &&
           any_op([](const Op& op) { return op.kind == OpKind::load && op.acquires(); })(p);
  };
  EXPECT_EQ(shrunk(program, has_store_and_load).text, "st x 1 | ld.acquire x @0");
  EXPECT_EQ(shrunk(program, [](const Program&) { return true; }).threads.size(), 1U);
  EXPECT_EQ(shrunk(program, [](const Program&) { return false; }).threads.size(), 3U);
}

}  // namespace
}  // namespace syncline::tests
