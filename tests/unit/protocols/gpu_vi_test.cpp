// GPU-VI and GPU-VIni: the cells of the published tables, their sizes, and the machines step by step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "protocols/coherence/gpu_vi_ni/gpu_vi_ni.h"

namespace syncline::tests {
namespace {

using namespace protocols;
using gpu_vi::HomeEvent;
using gpu_vi::HomeState;
using gpu_vi::L1Event;
using gpu_vi::L1State;
using gpu_vi::Message;
using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

/// "SS, Store [others_share]: Inv > SM": an outcome with the messages that it sends and the state that it leads to.
/// Those that only wait are "ISS, Store: z".
std::vector<std::string> cells(const TransitionTable& table) {
  std::vector<std::string> all;
  const Vocabulary& words = table.vocabulary();
  for (const Transition& t : table.transitions()) {
    std::string cell = std::string(words.states[t.row.state].name) + ", " + std::string(words.events[t.row.event].name);
    if (t.row.guard != Row::no_guard) cell += " [" + std::string(words.guards[t.row.guard].name) + "]";
    cell += ":";
    if (t.only_waits()) {
      all.push_back(cell + " z");
      continue;
    }
    for (const Code code : t.row.actions) {
      const ActionName& action = words.actions[code];
      if ((action.needs & (Needs::sending | Needs::forwarding)) != 0)
        cell += " " + std::string(words.messages[action.message].name);
      if (action.name == "fetch" || action.name == "write_back" || action.name == "hit")
        cell += " " + std::string(action.name);
    }
    all.push_back(cell + " > " + std::string(words.states[t.row.next].name));
  }
  return all;
}

std::vector<std::string> with_waits(std::vector<std::string> moves, const std::vector<std::string>& states,
                                    const std::vector<std::string>& events) {
  for (const std::string& state : states) {
    for (const std::string& event : events) moves.push_back(state + ", " + event + ": z");
  }
  return moves;
}

const std::vector<std::string> l1_moves{"I, Load: GETS > I_S",       "I, Store: WB_Data > I_I",
                                        "I, Atomic: ATOMIC > I_I",   "I, Inv: Inv_Ack > I",
                                        "S, Load: hit > S",          "S, Store: WB_Data > S_M",
                                        "S, Atomic: ATOMIC > I_I",   "S, Inv: Inv_Ack > I",
                                        "S, Replacement: > I",       "S, Flush: > I",
                                        "I_S, Load: > I_S",          "I_S, Store: WB_Data > I_I",
                                        "I_S, Atomic: ATOMIC > I_I", "I_S, Inv: Inv_Ack > I_I",
                                        "I_S, Flush: > I_I",         "I_S, Data_Done: > S",
                                        "S_M, Load: GETU > S_M",     "S_M, Store: WB_Data > S_M",
                                        "S_M, Atomic: ATOMIC > I_I", "S_M, Inv: Inv_Ack > I_I",
                                        "S_M, Flush: > I_I",         "S_M, Data_U: > S_M",
                                        "S_M, Data_U_Done: > S",     "S_M, Ack: > S_M",
                                        "S_M, Ack_Done: > S",        "I_I, Load: GETU > I_I",
                                        "I_I, Store: WB_Data > I_I", "I_I, Atomic: ATOMIC > I_I",
                                        "I_I, Inv: Inv_Ack > I_I",   "I_I, Replacement: > I_I",
                                        "I_I, Flush: > I_I",         "I_I, Data: > I_I",
                                        "I_I, Data_Done: > I",       "I_I, Data_U: > I_I",
                                        "I_I, Data_U_Done: > I",     "I_I, Ack: > I_I",
                                        "I_I, Ack_Done: > I"};

TEST(GpuViTables, TheL1HasTheCellsOfThePaper) {
  EXPECT_THAT(cells(*gpu_vi::l1_table()),
              UnorderedElementsAreArray(with_waits(l1_moves, {"I_S", "S_M"}, {"Replacement"})));
}

const std::vector<std::string> shared_home_moves{"S, Load: DATA > SS",
                                                 "S, Store: ACK > S",
                                                 "S, Atomic: DATA_ATOMIC > S",
                                                 "SS, Load: DATA > SS",
                                                 "SS, Store [others_share]: Inv > SM",
                                                 "SS, Store: ACK > SS",
                                                 "SS, Atomic [others_share]: Inv > SMA",
                                                 "SS, Atomic: DATA_ATOMIC > S",
                                                 "ISS, Load: > ISS",
                                                 "ISS, Mem_Data: > SS",
                                                 "IM, Mem_Data: > S",
                                                 "IMA, Mem_Data: > S",
                                                 "SM, Inv_Ack: > SM",
                                                 "SM, Inv_Ack_All: > SS",
                                                 "SMA, Inv_Ack: > SMA",
                                                 "SMA, Inv_Ack_All: > S",
                                                 "MI, Inv_Ack: > MI",
                                                 "MI, Inv_Ack_All: write_back > NP",
                                                 "II, Inv_Ack: > II",
                                                 "II, Inv_Ack_All: > NP",
                                                 "NP, Load: fetch > ISS",
                                                 "NP, Store: fetch > IM",
                                                 "NP, Atomic: fetch > IMA"};

TEST(GpuViTables, TheHomeHasTheCellsOfThePaper) {
  std::vector<std::string> expected = shared_home_moves;
  expected.insert(expected.end(), {"S, Replacement [dirty]: write_back > NP", "S, Replacement: > NP",
                                   "SS, Replacement [dirty]: Inv > MI", "SS, Replacement: Inv > II"});
  expected = with_waits(expected, {"ISS"}, {"Store", "Atomic", "Replacement"});
  expected = with_waits(expected, {"IM", "IMA", "SM", "SMA"}, {"Load", "Store", "Atomic", "Replacement"});
  expected = with_waits(expected, {"MI", "II"}, {"Load", "Store", "Atomic"});  // they have no frame
  EXPECT_THAT(cells(*gpu_vi::home_table()), UnorderedElementsAreArray(expected));
}

TEST(GpuViTables, TheNonInclusiveHomeHasTheCellsOfThePaper) {
  std::vector<std::string> expected = shared_home_moves;
  expected.insert(expected.end(), {"S, L2_Replacement [dirty]: write_back > S_D",
                                   "S, L2_Replacement: > S_D",
                                   "SS, L2_Replacement [dirty]: write_back > SS_D",
                                   "SS, L2_Replacement: > SS_D",
                                   "S, Dir_Replacement [dirty]: write_back > NP",
                                   "S, Dir_Replacement: > NP",
                                   "SS, Dir_Replacement [dirty]: Inv > MI",
                                   "SS, Dir_Replacement: Inv > II",
                                   "S_D, Load: fetch > ISS",
                                   "S_D, Store: fetch > IM",
                                   "S_D, Atomic: fetch > IMA",
                                   "S_D, Dir_Replacement: > NP",
                                   "SS_D, Load: fetch > ISS",
                                   "SS_D, Store [others_share]: Inv fetch > SDM",
                                   "SS_D, Store: fetch > IDM",
                                   "SS_D, Atomic [others_share]: Inv fetch > SDMA",
                                   "SS_D, Atomic: fetch > IMA",
                                   "SS_D, Dir_Replacement: Inv > II",
                                   "SDM, Inv_Ack: > SDM",
                                   "SDM, Inv_Ack_All: > IDM",
                                   "SDM, Mem_Data: > SM",
                                   "SDMA, Inv_Ack: > SDMA",
                                   "SDMA, Inv_Ack_All: > IMA",
                                   "SDMA, Mem_Data: > SMA",
                                   "IDM, Mem_Data: > SS"});
  expected = with_waits(expected, {"ISS"}, {"Store", "Atomic", "L2_Replacement", "Dir_Replacement"});
  expected = with_waits(expected, {"IM", "IMA", "SM", "SMA", "SDM", "SDMA", "IDM"},
                        {"Load", "Store", "Atomic", "L2_Replacement", "Dir_Replacement"});
  expected = with_waits(expected, {"MI", "II"}, {"Load", "Store", "Atomic"});
  EXPECT_THAT(cells(*gpu_vi_ni::home_table()), UnorderedElementsAreArray(expected));
}

TEST(GpuViTables, HaveThePublishedSizes) {
  // Released: L1 5 states and 31 transitions, L2 10 and 27, L2 of GPU-VIni 15 and 48. There, private and shared stores
  // and atomics, and clean and dirty replacements, are events of their own: our outcomes.
  const TableCounts home = gpu_vi::home_table()->counts();
  EXPECT_EQ(home.stable_states, 3U);
  EXPECT_EQ(home.states(), 10U);
  EXPECT_EQ(home.transitions, 23U);
  EXPECT_EQ(home.outcomes, 27U);
  const TableCounts apart = gpu_vi_ni::home_table()->counts();
  EXPECT_EQ(apart.stable_states, 5U);
  EXPECT_EQ(apart.states(), 15U);
  EXPECT_EQ(apart.transitions, 40U);
  EXPECT_EQ(apart.outcomes, 48U);
  // The L1 without what is this platform's own: 4 flushes at the begin of a grid, and the 2 replies to loads that will
  // not be kept, which I_I has beside those of GETS. An invalid frame, whose replacement is a transition there, is no
  // line here; with it there would be 32, one more than published.
  const TableCounts l1 = gpu_vi::l1_table()->counts();
  EXPECT_EQ(l1.stable_states, 2U);
  EXPECT_EQ(l1.states(), 5U);
  EXPECT_EQ(l1.transitions, 4U + 2U + 31U);
  EXPECT_EQ(l1.outcomes, l1.transitions);
}

TEST(GpuViTables, TheNonInclusivePolicyDiffersInTheHomeOnly) {
  const CoherencePolicy base = make_gpu_vi(), apart = make_gpu_vi_ni({4, 16});
  EXPECT_EQ(cells(*apart.table(Role::l1)), cells(*base.table(Role::l1)));
  EXPECT_EQ(apart.networks.size(), 4U);
  EXPECT_FALSE(base.at(Role::home).directory.has_value());
  const auto& directory = apart.at(Role::home).directory;
  ASSERT_TRUE(directory.has_value());
  EXPECT_EQ(directory->sets, 16U);
  EXPECT_EQ(directory->ways, 4U);
  EXPECT_EQ(apart.consistency, Consistency::sc);
}

Stimulus message(Message kind, unsigned requester = 0) {
  Stimulus s;
  s.source = Stimulus::Source::message;
  s.message = static_cast<std::uint8_t>(kind);
  s.sender = s.requester = static_cast<std::uint16_t>(requester);
  return s;
}
Stimulus access(Operation operation) {
  Stimulus s;
  s.access.operation = operation;
  return s;
}
Stimulus from(Stimulus::Source source) {
  Stimulus s;
  s.source = source;
  return s;
}

/// One line of one machine, stepped by hand.
class Line {
 public:
  explicit Line(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
  /// Performs the stimulus; the name of the state that follows.
  std::string operator()(const Stimulus& stimulus) {
    actions.clear();
    const Transition& t = machine_->decide(stimulus, meta, node_);
    if ((t.needs & Needs::waits) == 0) machine_->perform(t, stimulus, meta, node_, actions);
    return std::string(machine_->table().vocabulary().states[meta.state].name);
  }
  /// The only action of that kind.
  const Action& asked(ActionKind kind) const {
    const Action* found = nullptr;
    for (const Action& action : actions) {
      if (action.kind != kind) continue;
      EXPECT_EQ(found, nullptr) << "asked for twice";
      found = &action;
    }
    if (found == nullptr) throw base::ModelError("not asked for");
    return *found;
  }
  bool asks(ActionKind kind) const {
    for (const Action& action : actions) {
      if (action.kind == kind) return true;
    }
    return false;
  }

  LineMeta meta;
  ActionList actions;

 private:
  std::unique_ptr<Machine> machine_;
  NodeMeta node_;
};

std::vector<unsigned> members(const NodeSet& set) {
  std::vector<unsigned> list;
  set.for_each([&list](unsigned node) { list.push_back(node); });
  return list;
}

TEST(GpuViL1, KeepsOnlyALineWhoseGetsIsAlone) {
  Line line(make_gpu_vi().make(Role::l1));
  EXPECT_EQ(line(access(Operation::load)), "I_S");
  EXPECT_EQ(line(access(Operation::load)), "I_S");
  EXPECT_EQ(line.meta.pending_reads, 1U) << "merged";
  EXPECT_EQ(line(message(Message::DATA)), "S");
  EXPECT_TRUE(line.asks(ActionKind::fill));
  EXPECT_EQ(line.meta, [] {
    LineMeta at_rest;
    at_rest.state = static_cast<Code>(L1State::S);
    return at_rest;
  }());
}

TEST(GpuViL1, AnInvalidationUnderWayLetsTheDataServeOnce) {
  Line line(make_gpu_vi().make(Role::l1));
  line(access(Operation::load));
  EXPECT_EQ(line(message(Message::Inv)), "I_I");
  EXPECT_EQ(line.asked(ActionKind::send).message, static_cast<Code>(Message::Inv_Ack));
  EXPECT_EQ(line(access(Operation::load)), "I_I");
  EXPECT_EQ(line.asked(ActionKind::forward).message, static_cast<Code>(Message::GETU)) << "not merged with the older";
  EXPECT_EQ(line(message(Message::DATA)), "I_I");
  EXPECT_TRUE(line.asks(ActionKind::answer_parked));
  EXPECT_FALSE(line.asks(ActionKind::fill));
  EXPECT_EQ(line(message(Message::DATA_U)), "I");
}

TEST(GpuViL1, CountsRepliesOfEitherKindInAnyOrder) {
  Line line(make_gpu_vi().make(Role::l1));
  line(access(Operation::load));
  line(message(Message::DATA));
  EXPECT_EQ(line(access(Operation::store)), "S_M");
  EXPECT_TRUE(line.asks(ActionKind::write)) << "the copy has the store at once";
  EXPECT_EQ(line(access(Operation::load)), "S_M");
  EXPECT_FALSE(line.asks(ActionKind::answer)) << "but serves nobody";
  EXPECT_EQ(line(access(Operation::store)), "S_M");
  EXPECT_EQ(line(message(Message::ACK)), "S_M");
  EXPECT_EQ(line(message(Message::DATA_U)), "S_M");
  EXPECT_EQ(line(message(Message::ACK)), "S");
  EXPECT_EQ(line.meta.pending_reads + line.meta.pending_writes, 0);
}

TEST(GpuViL1, ACopyThatIsInvalidatedUnderAStoreDoesNotComeBack) {
  Line line(make_gpu_vi().make(Role::l1));
  line(access(Operation::load));
  line(message(Message::DATA));
  line(access(Operation::store));
  EXPECT_EQ(line(message(Message::Inv)), "I_I");
  EXPECT_EQ(line(message(Message::ACK)), "I");
  EXPECT_TRUE(line.asks(ActionKind::invalidate));
}

TEST(GpuViL1, AFlushKeepsNothingThatIsUnderWay) {
  for (const Operation before : {Operation::load, Operation::atomic}) {
    Line line(make_gpu_vi().make(Role::l1));
    line(access(before));
    EXPECT_EQ(line(from(Stimulus::Source::flush)), "I_I");
    EXPECT_EQ(line(message(before == Operation::load ? Message::DATA : Message::DATA_ATOMIC)), "I");
  }
  Line line(make_gpu_vi().make(Role::l1));
  line(access(Operation::load));
  line(message(Message::DATA));
  line(access(Operation::store));
  EXPECT_EQ(line(from(Stimulus::Source::flush)), "I_I");
  EXPECT_EQ(line(message(Message::ACK)), "I");
}

TEST(GpuViL1, AReplyThatNobodyWaitsForIsUndefined) {
  Line line(make_gpu_vi().make(Role::l1));
  EXPECT_THROW(line(message(Message::ACK)), base::ModelError);
  line(access(Operation::load));
  EXPECT_THROW(line(message(Message::DATA_U)), base::ModelError);
}

/// A home's line in SS, shared by L1s 1, 2 and 3.
Line shared_line(const CoherencePolicy& policy) {
  Line line(policy.make(Role::home));
  line(message(Message::GETS, 1));
  line(message(Message::GETS, 2));
  line(from(Stimulus::Source::memory_data));
  for (const unsigned l1 : {1U, 2U, 3U}) line(message(Message::GETS, l1));
  EXPECT_THAT(members(line.meta.sharers), ElementsAre(1U, 2U, 3U));
  return line;
}

TEST(GpuViHome, AStoreWaitsForAllOthersAndLeavesTheWriter) {
  Line line = shared_line(make_gpu_vi());
  EXPECT_EQ(line(message(Message::WB_Data, 2)), "SM");
  EXPECT_THAT(members(line.asked(ActionKind::send).nodes), ElementsAre(1U, 3U));
  EXPECT_TRUE(line.asks(ActionKind::park));
  EXPECT_FALSE(line.asks(ActionKind::write));
  EXPECT_EQ(line(message(Message::GETS, 3)), "SM") << "waits";
  EXPECT_EQ(line.actions.size(), 0U);
  EXPECT_EQ(line(message(Message::Inv_Ack, 3)), "SM");
  EXPECT_FALSE(line.asks(ActionKind::replay));
  EXPECT_EQ(line(message(Message::Inv_Ack, 1)), "SS");
  EXPECT_TRUE(line.asks(ActionKind::replay));
  EXPECT_THAT(members(line.meta.sharers), ElementsAre(2U));
  EXPECT_EQ(line.meta.acks, 0);
  EXPECT_EQ(line(message(Message::WB_Data, 2)), "SS") << "presented again";
  EXPECT_TRUE(line.asks(ActionKind::write));
  EXPECT_EQ(line.asked(ActionKind::answer).message, static_cast<Code>(Message::ACK));
}

TEST(GpuViHome, AStoreOfOneWhoHasNoCopyWaitsForAll) {
  Line line = shared_line(make_gpu_vi());
  EXPECT_EQ(line(message(Message::WB_Data, 7)), "SM");
  EXPECT_THAT(members(line.asked(ActionKind::send).nodes), ElementsAre(1U, 2U, 3U));
  for (const unsigned l1 : {1U, 2U, 3U}) line(message(Message::Inv_Ack, l1));
  EXPECT_THAT(members(line.meta.sharers), ElementsAre(7U));
}

TEST(GpuViHome, AnAtomicLeavesNoSharer) {
  Line line = shared_line(make_gpu_vi());
  EXPECT_EQ(line(message(Message::ATOMIC, 1)), "SMA");
  EXPECT_THAT(members(line.asked(ActionKind::send).nodes), ElementsAre(2U, 3U));
  line(message(Message::Inv_Ack, 2));
  EXPECT_EQ(line(message(Message::Inv_Ack, 3)), "S");
  EXPECT_TRUE(line.meta.sharers.empty());
  EXPECT_EQ(line(message(Message::ATOMIC, 1)), "S");
  EXPECT_EQ(line(message(Message::GETS, 1)), "SS");
  EXPECT_EQ(line(message(Message::ATOMIC, 1)), "S") << "private";
  EXPECT_TRUE(line.meta.sharers.empty());
}

TEST(GpuViHome, ReplacementRecallsAllSharers) {
  for (const bool dirty : {false, true}) {
    Line line = shared_line(make_gpu_vi());
    Stimulus replacement = from(Stimulus::Source::replacement);
    replacement.dirty = dirty;
    EXPECT_EQ(line(replacement), dirty ? "MI" : "II");
    EXPECT_THAT(members(line.asked(ActionKind::send).nodes), ElementsAre(1U, 2U, 3U));
    line(message(Message::Inv_Ack, 3));
    line(message(Message::Inv_Ack, 1));
    EXPECT_EQ(line(message(Message::Inv_Ack, 2)), "NP");
    EXPECT_EQ(line.asks(ActionKind::write_back), dirty);
  }
}

TEST(GpuViHome, AnswersEachKindOfLoadInKind) {
  Line line = shared_line(make_gpu_vi());
  line(message(Message::GETU, 5));
  EXPECT_EQ(line.asked(ActionKind::answer).message, static_cast<Code>(Message::DATA_U));
  line(message(Message::GETS, 5));
  EXPECT_EQ(line.asked(ActionKind::answer).message, static_cast<Code>(Message::DATA));
}

TEST(GpuViHome, AnAcknowledgementThatNobodyWaitsForIsUndefined) {
  Line line = shared_line(make_gpu_vi());
  EXPECT_THROW(line(message(Message::Inv_Ack, 1)), base::ModelError);
}

/// As shared_line, but the data has left.
Line line_in_directory() {
  Line line = shared_line(make_gpu_vi_ni({}));
  EXPECT_EQ(line(from(Stimulus::Source::replacement)), "SS_D");
  EXPECT_FALSE(line.asks(ActionKind::send)) << "no recall";
  EXPECT_FALSE(line.asks(ActionKind::free_directory_entry));
  return line;
}

TEST(GpuViNiHome, AStoreWaitsForMemoryAndAcknowledgementsInEitherOrder) {
  for (const bool memory_first : {false, true}) {
    Line line = line_in_directory();
    EXPECT_EQ(line(message(Message::WB_Data, 2)), "SDM");
    EXPECT_THAT(members(line.asked(ActionKind::send).nodes), ElementsAre(1U, 3U));
    EXPECT_TRUE(line.asks(ActionKind::fetch));
    line(message(Message::Inv_Ack, 1));
    if (memory_first) {
      EXPECT_EQ(line(from(Stimulus::Source::memory_data)), "SM");
      EXPECT_FALSE(line.asks(ActionKind::replay));
      EXPECT_EQ(line(message(Message::Inv_Ack, 3)), "SS");
    } else {
      EXPECT_EQ(line(message(Message::Inv_Ack, 3)), "IDM");
      EXPECT_FALSE(line.asks(ActionKind::replay));
      EXPECT_EQ(line(from(Stimulus::Source::memory_data)), "SS");
    }
    EXPECT_TRUE(line.asks(ActionKind::replay));
    EXPECT_THAT(members(line.meta.sharers), ElementsAre(2U));
    EXPECT_EQ(line(message(Message::WB_Data, 2)), "SS");
  }
}

TEST(GpuViNiHome, AnAtomicWaitsForMemoryAndAcknowledgementsInEitherOrder) {
  for (const bool memory_first : {false, true}) {
    Line line = line_in_directory();
    EXPECT_EQ(line(message(Message::ATOMIC, 2)), "SDMA");
    line(message(Message::Inv_Ack, 1));
    if (memory_first) {
      EXPECT_EQ(line(from(Stimulus::Source::memory_data)), "SMA");
      EXPECT_EQ(line(message(Message::Inv_Ack, 3)), "S");
    } else {
      EXPECT_EQ(line(message(Message::Inv_Ack, 3)), "IMA");
      EXPECT_EQ(line(from(Stimulus::Source::memory_data)), "S");
    }
    EXPECT_TRUE(line.asks(ActionKind::replay));
    EXPECT_TRUE(line.meta.sharers.empty());
  }
}

TEST(GpuViNiHome, APrivateWriteOfALineWithoutDataOnlyFetches) {
  const auto private_line = [] {
    Line line(make_gpu_vi_ni({}).make(Role::home));
    line(message(Message::GETS, 4));
    line(from(Stimulus::Source::memory_data));
    line(message(Message::GETS, 4));
    line(from(Stimulus::Source::replacement));
    return line;
  };
  Line store = private_line();
  EXPECT_EQ(store(message(Message::WB_Data, 4)), "IDM");
  EXPECT_FALSE(store.asks(ActionKind::send));
  EXPECT_EQ(store(from(Stimulus::Source::memory_data)), "SS");
  EXPECT_THAT(members(store.meta.sharers), ElementsAre(4U));
  Line atomic = private_line();
  EXPECT_EQ(atomic(message(Message::ATOMIC, 4)), "IMA");
  EXPECT_TRUE(atomic.meta.sharers.empty());
}

TEST(GpuViNiHome, ReadersOfALineWithoutDataJoinThoseWhoHaveCopies) {
  Line line = line_in_directory();
  EXPECT_EQ(line(message(Message::GETS, 6)), "ISS");
  EXPECT_EQ(line(from(Stimulus::Source::memory_data)), "SS");
  EXPECT_THAT(members(line.meta.sharers), ElementsAre(1U, 2U, 3U, 6U));
}

TEST(GpuViNiHome, OnlyTheDirectoryRecalls) {
  Line line = line_in_directory();
  EXPECT_EQ(line(from(Stimulus::Source::directory_replacement)), "II");
  EXPECT_THAT(members(line.asked(ActionKind::send).nodes), ElementsAre(1U, 2U, 3U));
  EXPECT_TRUE(line.asks(ActionKind::free_directory_entry));
  Line dirty = shared_line(make_gpu_vi_ni({}));
  Stimulus replacement = from(Stimulus::Source::directory_replacement);
  replacement.dirty = true;
  EXPECT_EQ(dirty(replacement), "MI");
  EXPECT_TRUE(dirty.asks(ActionKind::invalidate)) << "the data leaves with the entry";
  EXPECT_TRUE(dirty.asks(ActionKind::free_directory_entry));
}

TEST(GpuViNiHome, AReplacementOfDataThatIsNotHereIsUndefined) {
  Line line = line_in_directory();
  EXPECT_THROW(line(from(Stimulus::Source::replacement)), base::ModelError);
}

}  // namespace
}  // namespace syncline::tests
