// The oracle of transactions: cycles, what needs no cycle to be wrong, and what is remembered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "protocols/transactions/serializability.h"

namespace syncline::tests {
namespace {

using protocols::transactions::Serializability;
using Fault = Serializability::Fault;
constexpr Serializability::Word x = 0x40, y = 0x44;

struct Oracle : testing::Test {
  void read(Serializability::Id id, Serializability::Word word) { order.read(id, word, order.version(word)); }
  std::string violation() const {
    if (!order.violation()) return {};
    return text_of(
        *order.violation(), [](Serializability::Id id) { return "T" + std::to_string(id); },
        [](Serializability::Word word) { return std::string(word == x ? "x" : "y"); });
  }
  Serializability order;
};

TEST_F(Oracle, FindsWriteSkew) {
  order.begin(1);
  order.begin(2);
  read(1, x);
  read(2, y);
  order.write(1, y);
  order.write(2, x);
  order.commit(1);
  EXPECT_EQ(violation(), "");
  order.commit(2);
  EXPECT_EQ(violation(), "not serializable: T2 reads y, T1 overwrites it; T1 reads x, T2 overwrites it");
}

TEST_F(Oracle, FindsALostUpdate) {
  order.begin(1);
  order.begin(2);
  read(1, x);
  read(2, x);
  order.write(1, x);
  order.write(2, x);
  order.commit(1);
  order.commit(2);
  EXPECT_EQ(violation(), "not serializable: T2 reads x, T1 overwrites it; T1 writes x, T2 overwrites it");
}

TEST_F(Oracle, FindsHalfOfACommit) {
  order.begin(1);
  order.begin(2);
  order.write(1, x);
  read(2, x);
  read(2, y);
  order.commit(2);
  EXPECT_EQ(violation(), "") << "it is known of the one that is still to commit, and nothing is wrong yet";
  order.write(1, y);
  EXPECT_THAT(violation(), testing::HasSubstr("T1 writes x, T2 reads it"));
}

TEST_F(Oracle, FindsWritesInOppositeOrders) {
  order.begin(1);
  order.begin(2);
  order.write(1, x);
  order.write(2, x);
  order.write(2, y);
  order.write(1, y);
  EXPECT_EQ(violation(), "not serializable: T1 writes x, T2 overwrites it; T2 writes y, T1 overwrites it");
}

TEST_F(Oracle, ReadsOfTheTimeBeforeAreInOrderWhileTheReaderRan) {
  order.begin(1);
  order.begin(2);
  read(1, x);
  order.write(2, x);
  order.commit(2);
  order.commit(1);
  EXPECT_EQ(violation(), "");
}

TEST_F(Oracle, FindsReadsOfWhatIsGoneSinceBeforeTheReaderBegan) {
  for (const bool remembered : {true, false}) {
    order = Serializability();
    if (remembered) order.begin(9);  // as long as it runs nobody is forgotten
    order.begin(1);
    order.write(1, x);
    order.commit(1);
    EXPECT_EQ(order.remembered(), remembered ? 2U : 0U);
    order.begin(2);
    order.read(2, x, 0);
    order.commit(2);
    EXPECT_EQ(violation(), "T2 reads x as it was before it began");
    EXPECT_EQ(order.violation()->fault, Fault::stale_read);
  }
}

TEST_F(Oracle, FindsWhatAnAbortedOneHasWritten) {
  order.begin(1);
  order.write(1, x);
  order.abort(1);
  EXPECT_EQ(violation(), "T1 aborts, and x holds what it has written");
}

TEST_F(Oracle, ForgetsWhatWasReadInVain) {
  order.begin(1);
  order.begin(2);
  read(1, x);
  order.abort(1);
  order.begin(1);
  order.write(2, x);
  order.commit(2);
  read(1, x);
  order.write(1, x);
  order.commit(1);
  EXPECT_EQ(violation(), "");
  EXPECT_EQ(order.counts().aborted, 1U);
  EXPECT_EQ(order.counts().committed, 2U);
}

TEST_F(Oracle, KnowsWhoRuns) {
  order.begin(1);
  EXPECT_THROW(order.begin(1), base::ModelError);
  EXPECT_THROW(order.write(2, x), base::ModelError);
  EXPECT_THROW(order.read(1, x, 1), base::ModelError) << "nobody has written that";
  order.commit(1);
  EXPECT_THROW(order.commit(1), base::ModelError);
}

TEST_F(Oracle, RemembersOnlyWhatRunsBesideOthers) {
  for (Serializability::Id id = 0; id < 10'000; ++id) {
    order.begin(id);
    if (id != 0) {
      read(id - 1, x);
      order.write(id - 1, x);
      order.commit(id - 1);
    }
    EXPECT_LE(order.remembered(), 3U);
  }
  EXPECT_EQ(violation(), "");
  EXPECT_EQ(order.counts().not_judged, 0U);
}

TEST_F(Oracle, ForgetsTheOldestBeyondItsWindowAndCountsWhatItMissesThen) {
  order = Serializability({100});
  order.begin(0);
  order.read(0, x, 0);
  for (Serializability::Id id = 1; id < 1'000; ++id) {
    order.begin(id);
    order.write(id, x);
    order.commit(id);
    EXPECT_LE(order.remembered(), 101U);
  }
  EXPECT_EQ(order.counts().not_judged, 0U);
  order.commit(0);
  EXPECT_EQ(order.counts().not_judged, 1U);
  EXPECT_EQ(violation(), "");
}

TEST_F(Oracle, TakesNobodyForTheForgottenOneWhosePlaceHeHas) {
  order = Serializability({2});
  order.begin(1);
  order.write(1, x);
  order.begin(2);
  order.write(2, x);  // behind 1
  order.commit(2);
  order.begin(3);  // 2 is forgotten
  order.begin(4);  // and 4 is where it was
  read(4, y);
  order.commit(4);
  order.write(1, y);  // behind 4
  EXPECT_EQ(violation(), "");
}

/// What random transactions did, to be judged twice.
struct History {
  struct Event {
    enum { begin, read, write, commit, abort } kind;
    unsigned id;
    unsigned word = 0;
    Serializability::Version version = 0;
  };
  std::vector<Event> events;
};

History random_history(std::uint64_t seed) {
  base::Random random(seed);
  History history;
  std::vector<unsigned> running;
  std::map<unsigned, bool> writes;
  std::map<unsigned, Serializability::Version> versions;
  unsigned next = 0;
  const auto add = [&history](const History::Event& event) { history.events.push_back(event); };
  while (next < 14 || !running.empty()) {
    if (next < 14 && (running.empty() || random.below(4) == 0)) {
      running.push_back(next);
      add({History::Event::begin, next++});
      continue;
    }
    const std::size_t place = random.below(static_cast<std::uint32_t>(running.size()));
    const unsigned id = running[place], word = random.below(4);
    switch (random.below(5)) {
      case 0:
      case 1:
        add({History::Event::read, id, word, versions[word]});
        break;
      case 2:
        writes[id] = true;
        ++versions[word];
        add({History::Event::write, id, word});
        break;
      default:
        add({!writes[id] && random.below(4) == 0 ? History::Event::abort : History::Event::commit, id});
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
  return history;
}

/// Whether the committed transactions of the whole history have an order: all edges at once, without forgetting.
bool has_order(const History& history) {
  constexpr unsigned most = 14;
  std::map<unsigned, std::vector<unsigned>> writers;  // by word, in order
  std::vector<std::vector<History::Event>> reads(most);
  for (const History::Event& event : history.events) {
    if (event.kind == History::Event::write) writers[event.word].push_back(event.id);
    if (event.kind == History::Event::read) reads[event.id].push_back(event);
    if (event.kind == History::Event::abort) reads[event.id].clear();
  }
  std::vector<std::vector<bool>> before(most, std::vector<bool>(most));
  for (const auto& [word, ids] : writers) {
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) before[ids[i]][ids[i + 1]] = true;
  }
  for (unsigned id = 0; id < most; ++id) {
    for (const History::Event& read : reads[id]) {
      const auto& ids = writers[read.word];
      if (read.version != 0) before[ids[read.version - 1]][id] = true;
      if (read.version < ids.size()) before[id][ids[read.version]] = true;
    }
  }
  for (unsigned i = 0; i < most; ++i) before[i][i] = false;
  for (unsigned k = 0; k < most; ++k) {
    for (unsigned i = 0; i < most; ++i) {
      for (unsigned j = 0; j < most; ++j) before[i][j] = before[i][j] || (before[i][k] && before[k][j]);
    }
  }
  for (unsigned i = 0; i < most; ++i) {
    if (before[i][i]) return false;
  }
  return true;
}

TEST(OracleAtRandom, SaysWhatTheWholeGraphSays) {
  unsigned ordered = 0, broken = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    const History history = random_history(seed);
    Serializability order;
    for (const History::Event& event : history.events) {
      switch (event.kind) {
        case History::Event::begin:
          order.begin(event.id);
          break;
        case History::Event::read:
          order.read(event.id, event.word, event.version);
          break;
        case History::Event::write:
          order.write(event.id, event.word);
          break;
        case History::Event::commit:
          order.commit(event.id);
          break;
        case History::Event::abort:
          order.abort(event.id);
          break;
      }
    }
    ASSERT_EQ(!order.violation(), has_order(history)) << "seed " << seed;
    EXPECT_EQ(order.violation() || order.remembered() == 0, true) << "all have ended, and nothing was wrong";
    ++(order.violation() ? broken : ordered);
  }
  EXPECT_GT(ordered, 300U);
  EXPECT_GT(broken, 300U);
}

}  // namespace
}  // namespace syncline::tests
