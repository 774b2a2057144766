#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/nhcc/machines.h"
#include "protocols/coherence/no_remote_caching/no_remote_caching.h"

namespace syncline::protocols {
namespace {

using nhcc::Message;

enum class S : std::uint8_t { I };
enum class E : std::uint8_t { Gets, Getu, Write, Atomic, Data, Data_U, Ack, Atomic_Data };
enum class A : std::uint8_t {
  forward_GETS,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  relay_DATA,
  relay_DATA_U,
  relay_ACK,
  relay_ATOMIC_DATA
};

constexpr StateName states[] = {{"I", true, "not cached, ever"}};
constexpr EventName events[] = {{"Gets", on::message(Message::GETS), "an L1 wants the line"},
                                {"Getu", on::message(Message::GETU), "a load that goes around the L1"},
                                {"Write", on::message(Message::WRITE), "a store"},
                                {"Atomic", on::message(Message::ATOMIC), "a read-modify-write at the home"},
                                {"Data", on::message(Message::DATA), "answers GETS"},
                                {"Data_U", on::message(Message::DATA_U), "answers GETU"},
                                {"Ack", on::message(Message::ACK), "the store is performed at the home"},
                                {"Atomic_Data", on::message(Message::ATOMIC_DATA), "the atomic is, too"}};
constexpr ActionName actions[] = {
    act::forward("forward_GETS", Message::GETS, "the L1's request goes to the home"),
    act::forward("forward_GETU", Message::GETU, "the load goes to the home"),
    act::forward("forward_WRITE", Message::WRITE, "the store goes to the home"),
    act::forward("forward_ATOMIC", Message::ATOMIC, "the atomic goes to the home"),
    act::relay("relay_DATA", Message::DATA, "the line goes on to the L1"),
    act::relay("relay_DATA_U", Message::DATA_U, "the answer goes on to the L1"),
    act::relay("relay_ACK", Message::ACK, "the answer goes on to the L1"),
    act::relay("relay_ATOMIC_DATA", Message::ATOMIC_DATA, "the answer goes on to the L1")};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<A>(actions));

constexpr Row rows[] = {
    {S::I, E::Gets, {A::forward_GETS}, S::I, "the L1 may keep it; this L2 does not"},
    {S::I, E::Getu, {A::forward_GETU}, S::I, "the home alone has it"},
    {S::I, E::Write, {A::forward_WRITE}, S::I, "the home alone has it"},
    {S::I, E::Atomic, {A::forward_ATOMIC}, S::I, "the home alone has it"},
    {S::I, E::Data, {A::relay_DATA}, S::I, "to the L1 that asked"},
    {S::I, E::Data_U, {A::relay_DATA_U}, S::I, "to the L1 that asked"},
    {S::I, E::Ack, {A::relay_ACK}, S::I, "to the L1 that asked"},
    {S::I, E::Atomic_Data, {A::relay_ATOMIC_DATA}, S::I, "to the L1 that asked"},
};

}  // namespace

CoherencePolicy make_no_remote_caching(const NhccSpec& spec, const CoherenceContext& context) {
  constexpr std::string_view name = "no_remote_caching";
  CoherencePolicy policy = nhcc::of_modules(name, spec, context);
  policy.description =
      "Between modules: an L2 keeps no line of another module, and passes on what its L1s want of them. L1s are kept "
      "by "
      "software.";
  policy.networks = {"requests", "replies"};
  policy.messages.resize(static_cast<std::size_t>(Message::FENCE));
  policy.seams = {{"L1 machine", "none L1"}, {"GPM machine", "no_remote_caching GPM"}, {"home machine", "none home"}};
  const auto renamed = [&](const TransitionTable& table) {
    return std::make_shared<const TransitionTable>(table.renamed(name, policy.messages));
  };
  policy.roles = {
      {Role::l1, renamed(*none::l1_table(nhcc::written_through())),
       [](auto table) { return none::make_l1(std::move(table), nhcc::written_through()); }},
      {Role::gpm,
       make_table({std::string(name), "GPM", policy.messages, list_of(states), list_of(events), {}, list_of(actions)},
                  rows),
       [](auto table) { return std::make_unique<Machine>(std::move(table)); }},
      {Role::home, renamed(*none::home_table()), none::make_home}};
  return policy;
}

}  // namespace syncline::protocols
