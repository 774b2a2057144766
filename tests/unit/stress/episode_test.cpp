// Random episodes keep their promises, and their texts say what they are.
#include "platform/stress/episode.h"

#include <gtest/gtest.h>

#include <map>

#include "platform/stress/generate.h"

namespace syncline::stress {
namespace {

using protocols::Consistency;

template <class Body>
void each_word(const Op& op, Body&& body) {
  for (unsigned word = 0; word < words_per_line; ++word) {
    if (op.accesses() && (op.words >> word & 1U) != 0) body(word);
  }
}

/// Who does what with each word: threads, and the lock that each held.
void expect_no_races(const Episode& episode) {
  struct Accesses {
    std::map<std::pair<std::size_t, int>, bool> by;  ///< thread and lock held; whether it does more than add
    bool written = false;
  };
  std::map<std::pair<unsigned, unsigned>, Accesses> words;
  for (std::size_t t = 0; t < episode.threads.size(); ++t) {
    int held = -1;
    for (const Op& op : episode.threads[t].ops) {
      if (op.kind == OpKind::lock) {
        EXPECT_EQ(held, -1);
        held = static_cast<int>(op.line * words_per_line + op.word());
      } else if (op.kind == OpKind::unlock) {
        EXPECT_EQ(held, static_cast<int>(op.line * words_per_line + op.word()));
        held = -1;
      } else {
        each_word(op, [&](unsigned word) {
          Accesses& accesses = words[{op.line, word}];
          accesses.by[{t, held}] |= op.kind != OpKind::add;
          accesses.written |= op.kind != OpKind::load;
        });
      }
    }
    EXPECT_EQ(held, -1);
  }
  for (const auto& [place, accesses] : words) {
    bool more_than_adds = false, one_thread = true, one_lock = true;
    const auto& [thread, lock] = accesses.by.begin()->first;
    for (const auto& [who, other_than_add] : accesses.by) {
      more_than_adds = more_than_adds || other_than_add;
      one_thread = one_thread && who.first == thread;
      one_lock = one_lock && who.second == lock && lock != -1;
    }
    EXPECT_TRUE(one_thread || one_lock || !accesses.written || !more_than_adds)
        << "line " << place.first << " word " << place.second;
  }
}

TEST(Episodes, WithoutRacesHaveNone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    base::Random random(seed);
    TrafficSpec spec;
    spec.locks = static_cast<unsigned>(seed % 4);
    Episode episode = race_free_episode(spec, random);
    expect_no_races(episode);
    // Whatever is left out, none arise.
    for (Thread& thread : episode.threads) {
      std::vector<Op> kept;
      for (const Op& op : thread.ops) {
        if (random.below(3) != 0) kept.push_back(op);
      }
      thread.ops = kept;
    }
    tidy(episode);
    expect_no_races(episode);
  }
}

TEST(Episodes, OfRacesWriteEachValueOnce) {
  base::Random random(1);
  std::uint32_t stored = 0;
  std::map<std::uint32_t, int> values;
  for (int i = 0; i < 50; ++i) {
    const Episode episode = racy_episode({}, i % 2 == 0 ? Consistency::sc : Consistency::wo, random, stored);
    for (const Thread& thread : episode.threads) {
      for (const Op& op : thread.ops) {
        if (op.kind == OpKind::store) ++values[op.value];
      }
    }
  }
  EXPECT_EQ(values.size(), stored);
  for (const auto& [value, times] : values) EXPECT_EQ(times, 1) << value;
}

Op op(OpKind kind, unsigned line, unsigned word, std::uint32_t value = 0) {
  Op made;
  made.kind = kind;
  made.line = static_cast<std::uint8_t>(line);
  made.words = 1U << word;
  made.value = value;
  return made;
}

Episode small() {
  Episode episode;
  episode.kind = EpisodeKind::racy;
  episode.lines = {40, 41, 42};
  Thread first{0, 0, {op(OpKind::store, 2, 4, 7 * value_step), op(OpKind::fence, 0, 0), op(OpKind::load, 0, 9)}};
  Thread none{1, 0, {}};
  Thread last{0, 1, {op(OpKind::add, 0, 9, 1), op(OpKind::load, 2, 5)}};
  last.ops[1].semantics = isa::Semantics::acquire;
  episode.threads = {first, none, last};
  return episode;
}

TEST(Episodes, AreTidiedAndToldAsAProgram) {
  Episode episode = small();
  tidy(episode);
  EXPECT_EQ(episode.lines, (std::vector<std::uint64_t>{40, 42}));
  EXPECT_EQ(text_of(episode), "thread 0 on L1 0: st y 2; fence; ld x\nthread 1 on L1 0: add x 1; ld.acquire y1\n");
  EXPECT_EQ(check_program(episode), "st y 2; fence; ld x | add x 1; ld y1 @0");
  EXPECT_EQ(shown_value(episode, 7 * value_step + 1, 0), 3U);
  EXPECT_EQ(shown_value(episode, 5 * value_step + 1, 5 * value_step), 1U);
}

TEST(Episodes, WithWhatTheModelCheckerLacksAreNotPrintedForIt) {
  Episode episode = small();
  tidy(episode);
  episode.threads[0].ops[0].words = 3;
  EXPECT_EQ(check_program(episode), "");
  episode = small();
  tidy(episode);
  episode.threads[0].ops.resize(7, op(OpKind::load, 0, 9));
  EXPECT_EQ(check_program(episode), "") << "too long";
}

}  // namespace
}  // namespace syncline::stress
