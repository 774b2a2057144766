// The home of `mesi` (RCC's released MESI_CMP_directory_wt): an inclusive L2 with a full map of the sharers in its
// tags. The map may name L1s that have replaced their copy silently. A state that ends in B is blocked: it serves
// nobody until the L1 that was served last unblocks it.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/mesi/mesi.h"

namespace syncline::protocols::mesi {
namespace {

using S = HomeState;
using E = HomeEvent;

enum class G : std::uint8_t { from_owner, alone };

enum class A : std::uint8_t {
  recycle,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  reply_DATA,
  reply_DATA_after_owner,
  reply_DATA_EXCLUSIVE,
  reply_WB,
  send_INV,
  send_FWD_GETS,
  send_FWD_GET_INSTR,
  send_FWD_GETX,
  recall,
  expect_acks,
  count_ack,
  add_sharer,
  clear_sharers,
  make_owner,
  write_back,
  drop
};

constexpr StateName states[] = {
    {"NP", true, "not present"},
    {"SS", true, "L1s have shared copies"},
    {"M", true, "no L1 has a copy"},
    {"MT", true, "one L1 has the only copy, with the bytes that are here"},
    {"ISS", false, "memory is being read for one GETS"},
    {"IS", false, "memory is being read for several readers, or for GET_INSTR"},
    {"IM", false, "memory is being read for GETX"},
    {"SS_MB", false, "a sharer wrote; blocked until it has all ACKs"},
    {"MT_MB", false, "an L1 gets the only copy, or the owner wrote; blocked"},
    {"M_MB", false, "an L1 without a copy wrote; blocked until it has all ACKs"},
    {"MT_SB", false, "the owner is asked to share; blocked until the reader has its ACK"},
    {"MT_I", false, "the frame is gone, the owner's copy too once it acknowledges; dirty"},
    {"MCT_I", false, "as MT_I, clean"},
    {"I_I", false, "the frame is gone, shared copies too once they are acknowledged; clean"},
    {"S_I", false, "as I_I, dirty"}};
constexpr EventName events[] = {
    {"GETS", on::message(Message::GETS), "a line for an L1"},
    {"GET_INSTR", on::message(Message::GET_INSTR), "a shared copy for an L1"},
    {"GETX_L1", on::refined, "a store or atomic of an L1 in the map"},
    {"GETX_NL1", on::message(Message::GETX, Message::GETX_ATOMIC), "a store or atomic of an L1 not in the map"},
    {"Replacement", on::replacement, "the frame is wanted for another line; memory lacks bytes of it"},
    {"Replacement_clean", on::refined, "the frame is wanted for another line"},
    {"Mem_Data", on::memory_data, "the line from memory"},
    {"Ack", on::message(Message::ACK), "a recalled copy is gone; others are not"},
    {"Ack_all", on::refined, "the last recalled copy is gone"},
    {"Unblock", on::message(Message::UNBLOCK), "the line is shared"},
    {"Exclusive_Unblock", on::message(Message::EXCLUSIVE_UNBLOCK), "the L1 that was served has all that it needs"}};
constexpr GuardName guards[] = {{"from_owner", "the owner itself asks: it has replaced its copy"},
                                {"alone", "the L1 is the only one in the map"}};
constexpr ActionName actions[] = {
    act::recycle(),
    act::allocate(),
    act::park(),
    act::fetch(),
    act::fill(),
    act::replay(),
    act::write(),
    act::reply("reply_DATA", Message::DATA, "the line; no ACK to wait for"),
    act::reply("reply_DATA_after_owner", Message::DATA, "the line; one ACK to wait for").completed(),
    act::reply("reply_DATA_EXCLUSIVE", Message::DATA_EXCLUSIVE, "the line, the only copy"),
    act::reply("reply_WB", Message::WB, "performed; as many ACKs to wait for as others are in the map").completed(),
    act::send("send_INV", Message::INV, "to all others in the map").completed(),
    act::send("send_FWD_GETS", Message::FWD_GETS, "to the owner").completed(),
    act::send("send_FWD_GET_INSTR", Message::FWD_GET_INSTR, "to the owner").completed(),
    act::send("send_FWD_GETX", Message::FWD_GETX, "to the owner").completed(),
    act::send("recall", Message::INV, "to all in the map, with ACKs to the home").completed(),
    act::update("expect_acks", "as many as are in the map"),
    act::update("count_ack", "one less to come"),
    act::update("add_sharer", "the L1 is in the map"),
    act::update("clear_sharers", "nobody is in the map"),
    act::update("make_owner", "the L1 alone is in the map, and owns the line"),
    act::write_back(),
    act::drop()};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"mesi", "home", messages(), list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr std::string_view busy = "the line is busy";
constexpr std::string_view reserved = "the frame is reserved for the line on its way";

constexpr Row rows[] = {
    {S::NP, E::GETS, {A::allocate, A::park, A::fetch, A::add_sharer}, S::ISS, "miss"},
    {S::NP, E::GET_INSTR, {A::allocate, A::park, A::fetch, A::add_sharer}, S::IS, "miss; will be shared"},
    {S::NP, E::GETX_NL1, {A::allocate, A::park, A::fetch}, S::IM, "miss; the store needs the rest of the line"},

    {S::SS, E::GETS, {A::reply_DATA, A::add_sharer}, S::SS, "hit"},
    {S::SS, E::GET_INSTR, {A::reply_DATA, A::add_sharer}, S::SS, "hit"},
    {S::SS, E::GETX_L1, {A::write, A::reply_WB, A::send_INV}, S::SS_MB, "the writer keeps its copy, the others go"},
    {S::SS, E::GETX_NL1, {A::write, A::reply_WB, A::send_INV}, S::M_MB, "no write-allocate: no copy will be left"},
    {S::SS, E::Replacement, {A::recall, A::expect_acks, A::drop}, S::S_I, "inclusive"},
    {S::SS, E::Replacement_clean, {A::recall, A::expect_acks, A::drop}, S::I_I, "inclusive"},

    {S::M, E::GETS, {A::reply_DATA_EXCLUSIVE}, S::MT_MB, "nobody else has it"},
    {S::M, E::GET_INSTR, {A::reply_DATA, A::add_sharer}, S::SS, "nobody writes it"},
    {S::M, E::GETX_NL1, {A::write, A::reply_WB}, S::M_MB, "no write-allocate: no copy will be left"},
    {S::M, E::Replacement, {A::write_back, A::drop}, S::NP, "no copies to recall"},
    {S::M, E::Replacement_clean, {A::drop}, S::NP, "no copies to recall"},

    {S::MT, E::GETS, G::from_owner, {A::reply_DATA_EXCLUSIVE}, S::MT_MB, "it replaced its copy silently"},
    {S::MT,
     E::GETS,
     {A::reply_DATA_after_owner, A::send_FWD_GETS, A::add_sharer},
     S::MT_SB,
     "the bytes are here, the owner only has to know"},
    {S::MT, E::GET_INSTR, G::from_owner, {A::reply_DATA_EXCLUSIVE}, S::MT_MB, "it replaced its copy silently"},
    {S::MT,
     E::GET_INSTR,
     {A::reply_DATA_after_owner, A::send_FWD_GET_INSTR, A::add_sharer},
     S::MT_SB,
     "the bytes are here, the owner only has to know"},
    {S::MT, E::GETX_L1, {A::write, A::reply_WB}, S::MT_MB, "the owner writes"},
    {S::MT, E::GETX_NL1, {A::write, A::reply_WB, A::send_FWD_GETX}, S::M_MB, "the owner's copy goes"},
    {S::MT, E::Replacement, {A::recall, A::expect_acks, A::drop}, S::MT_I, "inclusive"},
    {S::MT, E::Replacement_clean, {A::recall, A::expect_acks, A::drop}, S::MCT_I, "inclusive"},

    {S::ISS, E::GETS, {A::park, A::add_sharer}, S::IS, "a second reader: nobody gets it alone"},
    {S::ISS, E::GET_INSTR, {A::park, A::add_sharer}, S::IS, "a second reader: nobody gets it alone"},
    {S::ISS, E::GETX_NL1, {A::recycle}, S::ISS, busy},
    {S::ISS, E::Replacement_clean, {A::recycle}, S::ISS, reserved},
    {S::ISS, E::Mem_Data, {A::fill, A::clear_sharers, A::replay}, S::M, "then GETS gets the only copy"},

    {S::IS, E::GETS, {A::park, A::add_sharer}, S::IS, "merged"},
    {S::IS, E::GET_INSTR, {A::park, A::add_sharer}, S::IS, "merged"},
    {S::IS, E::GETX_NL1, {A::recycle}, S::IS, busy},
    {S::IS, E::Replacement_clean, {A::recycle}, S::IS, reserved},
    {S::IS, E::Mem_Data, {A::fill, A::replay}, S::SS, "then all readers get shared copies"},

    {S::IM, E::GETS, {A::recycle}, S::IM, busy},
    {S::IM, E::GET_INSTR, {A::recycle}, S::IM, busy},
    {S::IM, E::GETX_NL1, {A::recycle}, S::IM, busy},
    {S::IM, E::Replacement_clean, {A::recycle}, S::IM, reserved},
    {S::IM, E::Mem_Data, {A::fill, A::replay}, S::M, "then the store is performed"},

    {S::SS_MB, E::GETS, {A::recycle}, S::SS_MB, busy},
    {S::SS_MB, E::GET_INSTR, {A::recycle}, S::SS_MB, busy},
    {S::SS_MB, E::GETX_L1, {A::recycle}, S::SS_MB, busy},
    {S::SS_MB, E::GETX_NL1, {A::recycle}, S::SS_MB, busy},
    {S::SS_MB, E::Replacement, {A::recycle}, S::SS_MB, busy},
    {S::SS_MB, E::Exclusive_Unblock, {A::make_owner}, S::MT, "all other copies are gone"},

    {S::MT_MB, E::GETS, {A::recycle}, S::MT_MB, busy},
    {S::MT_MB, E::GET_INSTR, {A::recycle}, S::MT_MB, busy},
    {S::MT_MB, E::GETX_L1, {A::recycle}, S::MT_MB, busy},
    {S::MT_MB, E::GETX_NL1, {A::recycle}, S::MT_MB, busy},
    {S::MT_MB, E::Replacement, {A::recycle}, S::MT_MB, busy},
    {S::MT_MB, E::Replacement_clean, {A::recycle}, S::MT_MB, busy},
    {S::MT_MB, E::Exclusive_Unblock, {A::make_owner}, S::MT, "the owner has it"},

    {S::M_MB, E::GETS, {A::recycle}, S::M_MB, busy},
    {S::M_MB, E::GET_INSTR, {A::recycle}, S::M_MB, busy},
    {S::M_MB, E::GETX_L1, {A::recycle}, S::M_MB, busy},
    {S::M_MB, E::GETX_NL1, {A::recycle}, S::M_MB, busy},
    {S::M_MB, E::Replacement, {A::recycle}, S::M_MB, busy},
    {S::M_MB, E::Exclusive_Unblock, {A::clear_sharers}, S::M, "all copies are gone"},

    {S::MT_SB, E::GETS, {A::recycle}, S::MT_SB, busy},
    {S::MT_SB, E::GET_INSTR, {A::recycle}, S::MT_SB, busy},
    {S::MT_SB, E::GETX_L1, {A::recycle}, S::MT_SB, busy},
    {S::MT_SB, E::GETX_NL1, {A::recycle}, S::MT_SB, busy},
    {S::MT_SB, E::Replacement, {A::recycle}, S::MT_SB, busy},
    {S::MT_SB, E::Replacement_clean, {A::recycle}, S::MT_SB, busy},
    {S::MT_SB, E::Unblock, {}, S::SS, "nobody has the only copy"},

    {S::MT_I, E::GETS, {A::recycle}, S::MT_I, busy},
    {S::MT_I, E::GET_INSTR, {A::recycle}, S::MT_I, busy},
    {S::MT_I, E::GETX_L1, {A::recycle}, S::MT_I, busy},
    {S::MT_I, E::GETX_NL1, {A::recycle}, S::MT_I, busy},
    {S::MT_I, E::Ack_all, {A::write_back, A::clear_sharers}, S::NP, "from the miss register: the frame is gone"},

    {S::MCT_I, E::GETS, {A::recycle}, S::MCT_I, busy},
    {S::MCT_I, E::GET_INSTR, {A::recycle}, S::MCT_I, busy},
    {S::MCT_I, E::GETX_L1, {A::recycle}, S::MCT_I, busy},
    {S::MCT_I, E::GETX_NL1, {A::recycle}, S::MCT_I, busy},
    {S::MCT_I, E::Ack_all, {A::clear_sharers}, S::NP, "memory has it"},

    {S::I_I, E::GETS, {A::recycle}, S::I_I, busy},
    {S::I_I, E::GET_INSTR, {A::recycle}, S::I_I, busy},
    {S::I_I, E::GETX_L1, {A::recycle}, S::I_I, busy},
    {S::I_I, E::GETX_NL1, {A::recycle}, S::I_I, busy},
    {S::I_I, E::Ack, {A::count_ack}, S::I_I, "more is to come"},
    {S::I_I, E::Ack_all, {A::clear_sharers}, S::NP, "memory has it"},

    {S::S_I, E::GETS, {A::recycle}, S::S_I, busy},
    {S::S_I, E::GET_INSTR, {A::recycle}, S::S_I, busy},
    {S::S_I, E::GETX_L1, {A::recycle}, S::S_I, busy},
    {S::S_I, E::GETX_NL1, {A::recycle}, S::S_I, busy},
    {S::S_I, E::Ack, {A::count_ack}, S::S_I, "more is to come"},
    {S::S_I, E::Ack_all, {A::write_back, A::clear_sharers}, S::NP, "from the miss register: the frame is gone"},
};

/// coherence.mesi.unblock_on_zero_ack = off.
constexpr Row without_unblock[] = {
    {S::SS,
     E::GETX_L1,
     G::alone,
     {A::write, A::reply_WB, A::make_owner},
     S::MT,
     "nobody to invalidate, nothing to block"},
    {S::SS, E::GETX_L1, {A::write, A::reply_WB, A::send_INV}, S::SS_MB, "the writer keeps its copy, the others go"},
    {S::M, E::GETX_NL1, {A::write, A::reply_WB}, S::M, "nobody to invalidate, nothing to block"},
    {S::MT, E::GETX_L1, {A::write, A::reply_WB}, S::MT, "nobody to invalidate, nothing to block"},
};

class MesiHomeMachine final : public Machine {
 public:
  using Machine::Machine;

  std::string_view broken(const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<S>(line.state)) {
      case S::M:
        return line.sharers.empty() ? "" : "an L1 is in the map";
      case S::MT:
        return line.sharers.size() == 1 && line.sharers.contains(line.owner) ? "" : "the owner is not alone in the map";
      case S::SS:
      case S::SS_MB:
        return line.sharers.empty() ? "nobody is in the map" : "";
      case S::MT_I:
      case S::MCT_I:
      case S::I_I:
      case S::S_I:
        return line.acks > 0 ? "" : "no acknowledgement is to come";
      default:
        return {};
    }
  }

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<E>(at.event)) {
      case E::GETX_NL1:
        if (line.sharers.contains(stimulus.requester)) at.event = static_cast<Code>(E::GETX_L1);
        break;
      case E::Replacement:
        if (!stimulus.dirty) at.event = static_cast<Code>(E::Replacement_clean);
        break;
      case E::Ack:
        if (line.acks == 1) at.event = static_cast<Code>(E::Ack_all);
        break;
      default:
        break;
    }
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    if (static_cast<G>(guard) == G::from_owner) return line.owner == stimulus.requester;
    return line.sharers.without(stimulus.requester).empty();
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta&) override {
    switch (static_cast<A>(action)) {
      case A::expect_acks:
        line.acks = static_cast<std::int16_t>(line.sharers.size());
        break;
      case A::count_ack:
        --line.acks;
        break;
      case A::add_sharer:
        line.sharers.insert(stimulus.requester);
        break;
      case A::clear_sharers:
        line.sharers.clear();
        line.owner = 0;
        line.acks = 0;
        break;
      case A::make_owner:
        line.sharers.clear();
        line.sharers.insert(stimulus.sender);
        line.owner = stimulus.sender;
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&,
                Action& action) const override {
    switch (static_cast<A>(code)) {
      case A::reply_DATA_after_owner:
        action.acks = 1;
        break;
      case A::reply_WB:
        if (static_cast<Message>(stimulus.message) == Message::GETX_ATOMIC)
          action.message = static_cast<Code>(Message::ATOMIC);
        action.acks = static_cast<std::int16_t>(line.sharers.without(stimulus.requester).size());
        break;
      case A::send_INV:
        action.nodes = line.sharers.without(stimulus.requester);
        break;
      case A::recall:
        action.nodes = line.sharers;
        action.requester = home_itself;
        break;
      case A::send_FWD_GETS:
      case A::send_FWD_GET_INSTR:
      case A::send_FWD_GETX:
        action.nodes.insert(line.owner);
        break;
      default:
        unknown_action(code);
    }
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table(const MesiSpec& spec) {
  auto base = make_table(vocabulary(), rows);
  if (spec.unblock_on_zero_ack) return base;
  return make_overlay(*base, vocabulary(), without_unblock);
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<MesiHomeMachine>(std::move(table));
}

}  // namespace syncline::protocols::mesi
