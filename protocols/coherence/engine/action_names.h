// Makers of the actions that most protocols have, so that a vocabulary says in a word what the host has to do and what
// it needs for it.
#pragma once

#include "protocols/coherence/engine/vocabulary.h"

namespace syncline::protocols::act {

/// Changes only the machine's own state: Machine::update performs it.
constexpr ActionName update(std::string_view name, std::string_view meaning) {
  return {name, meaning};
}

constexpr ActionName stall(std::string_view name = "stall") {
  return {name, "wait at the head of the queue", Performer::host, Needs::waits};
}
constexpr ActionName recycle(std::string_view name = "recycle") {
  return {name, "go to the back of the queue, with a penalty", Performer::host, Needs::recycles};
}
constexpr ActionName allocate(std::string_view name = "allocate") {
  return {name, "reserve a frame", Performer::host, Needs::frame};
}

constexpr ActionName ask(std::string_view name, ActionKind kind, std::uint8_t needs, std::string_view meaning) {
  return {name, meaning, Performer::asked, needs, kind};
}
template <class Message>
constexpr ActionName ask(std::string_view name, ActionKind kind, std::uint8_t needs, Message message,
                         std::string_view meaning) {
  return {name, meaning, Performer::asked, needs, kind, static_cast<std::uint8_t>(message)};
}

constexpr ActionName park(std::string_view meaning = "wait at the line's miss register") {
  return ask("park", ActionKind::park, Needs::parking, meaning);
}
constexpr ActionName replay(std::string_view meaning = "present what waited again, in order") {
  return ask("replay", ActionKind::replay, Needs::nothing, meaning);
}
constexpr ActionName answer_parked(std::string_view meaning = "answer all loads that wait for the line") {
  return ask("answer_parked", ActionKind::answer_parked, Needs::nothing, meaning);
}
constexpr ActionName answer_first(std::string_view meaning = "answer the load that has waited longest for the line") {
  return ask("answer_first", ActionKind::answer_first, Needs::nothing, meaning);
}
constexpr ActionName fill(std::string_view meaning = "put the bytes that came where the line has none") {
  return ask("fill", ActionKind::fill, Needs::nothing, meaning);
}
constexpr ActionName drop(std::string_view meaning = "free the frame") {
  return ask("drop", ActionKind::invalidate, Needs::nothing, meaning);
}

/// A new message: from a home to the nodes that Machine::complete names, from an L1 to the peers that it names or, when
/// it names none, to the home.
template <class Message>
constexpr ActionName send(std::string_view name, Message message, std::string_view meaning) {
  return ask(name, ActionKind::send, Needs::sending, message, meaning);
}

// What only a cache with homes below it does: an L1, for one.
constexpr ActionName hit(std::string_view meaning = "answer from the line") {
  return ask("hit", ActionKind::answer, Needs::nothing, meaning);
}
constexpr ActionName deliver(std::string_view meaning = "hand the reply to the access that was forwarded") {
  return ask("deliver", ActionKind::deliver, Needs::nothing, meaning);
}
/// A reply that came before the acknowledgements it depends on waits at the miss register (`park`) until this.
constexpr ActionName deliver_parked(
    std::string_view meaning = "hand the reply that waited to the access that was forwarded") {
  return ask("deliver_parked", ActionKind::deliver_parked, Needs::nothing, meaning);
}
/// A flush is presented to all lines to which the node is `role`.
constexpr ActionName empty(std::string_view name, const Role& role, std::string_view meaning) {
  ActionName action = ask(name, ActionKind::flush_lines, Needs::nothing, meaning);
  action.of_role = &role;
  return action;
}
/// The access itself travels to the home.
template <class Message>
constexpr ActionName forward(std::string_view name, Message message, std::string_view meaning) {
  return ask(name, ActionKind::forward, Needs::forwarding, message, meaning);
}
constexpr ActionName merge(std::string_view name = "write",
                           std::string_view meaning = "merge the store's bytes into the line") {
  return ask(name, ActionKind::write, Needs::nothing, meaning);
}
constexpr ActionName acknowledge(std::string_view meaning = "the store is performed here") {
  return ask("acknowledge", ActionKind::answer, Needs::nothing, meaning);
}
/// In a cache between L1s and a home: the reply to an access that was forwarded goes on to who asked, as this message.
template <class Message>
constexpr ActionName relay(std::string_view name, Message message, std::string_view meaning) {
  return ask(name, ActionKind::deliver, Needs::sending, message, meaning);
}
/// The bytes that the home lacks travel there; its answer is for nobody.
template <class Message>
constexpr ActionName write_back(std::string_view name, Message message, std::string_view meaning) {
  return ask(name, ActionKind::write_back, Needs::forwarding, message, meaning);
}

/// The bytes of a store, or those that an atomic has left, go to the home as this message; its answer is for nobody.
template <class Message>
constexpr ActionName write_on(std::string_view name, Message message, std::string_view meaning) {
  return ask(name, ActionKind::write_on, Needs::sending, message, meaning);
}

// What only a home does.
/// The stimulus itself becomes the reply.
template <class Message>
constexpr ActionName reply(std::string_view name, Message message, std::string_view meaning) {
  return ask(name, ActionKind::answer, Needs::sending, message, meaning);
}
/// The store's bytes enter the line, or the atomic is applied to it; the next level lacks them from now on.
constexpr ActionName write(std::string_view name = "write",
                           std::string_view meaning = "the store's bytes enter the line; an atomic is applied to it") {
  ActionName action = ask(name, ActionKind::write, Needs::nothing, meaning);
  action.marks_dirty = true;
  return action;
}
/// In a home whose metadata has a directory of its own: every line that it knows needs an entry there, its own or that
/// of a line beside it.
constexpr ActionName list(std::string_view meaning = "reserve an entry in the directory") {
  return {"list", meaning, Performer::host, Needs::directory_entry};
}
constexpr ActionName unlist(std::string_view meaning = "free the entry in the directory") {
  return ask("unlist", ActionKind::free_directory_entry, Needs::nothing, meaning);
}
constexpr ActionName fetch(std::string_view meaning = "read the line from memory") {
  return ask("fetch", ActionKind::fetch, Needs::memory, meaning);
}
constexpr ActionName write_back(std::string_view meaning = "dirty bytes go to memory") {
  return ask("write_back", ActionKind::write_back, Needs::memory, meaning);
}
/// A timer stimulus at the time that Machine::complete names.
constexpr ActionName wake_at(std::string_view name, std::string_view meaning) {
  return ask(name, ActionKind::wake_at, Needs::nothing, meaning).completed();
}

}  // namespace syncline::protocols::act
