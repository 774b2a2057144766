// What a machine is told: one access, message, replacement or timer that concerns one line.
#pragma once

#include <array>
#include <cstdint>

namespace syncline::protocols {

enum class Operation : std::uint8_t { load, store, atomic };

/// How far the access asks to be seen (PTX scopes; `none` for a weak access).
enum class Scope : std::uint8_t { none, cta, gpu, sys };

/// What the core says of an access beside its operation.
struct AccessTraits {
  Operation operation = Operation::load;
  Scope scope = Scope::none;
  bool around_l1 =
      false;  ///< the program asks for a copy that is not the L1's: ld.cg, ld.cv, volatile, relaxed, acquire
  bool acquires = false;  ///< ld.acquire, atom.acquire, atom.acq_rel
  bool releases = false;
  bool is_private = false;    ///< a thread's own memory (PTX .local): nobody else reads or writes it
  bool last_use = false;      ///< ld.lu: the program will not use these bytes again
  bool is_read_only = false;  ///< the program promises that nobody writes the line while the grid runs
};

struct Stimulus {
  enum class Source : std::uint8_t {
    access,                 ///< L1: the core loads, stores, updates
    message,                ///< a message of the policy arrived
    memory_data,            ///< home: the fetched line is there
    replacement,            ///< the host wants the line's frame
    flush,                  ///< the line must not be returned any more if it can be stale (begin of a grid, acquire)
    timer,                  ///< the time asked for by wake_at has come
    directory_replacement,  ///< home with a directory of its own: the host wants the entry there
    fence  ///< L1: a fence or an access with an order, about which it has said that it asks others (FenceOutcome::ask)
  };
  Source source = Source::access;
  AccessTraits access;          ///< of an access, and of a request at the home as far as the message says
  std::uint16_t node = 0;       ///< number of the node that is told, among L1s or homes
  std::uint8_t message = 0;     ///< the policy's message kind
  std::uint16_t sender = 0;     ///< node that sent the message
  std::uint16_t requester = 0;  ///< node whose access this belongs to
  bool local = false;           ///< of several modules, at an L2: an L1 of its own module sent it; else another L2 did
  std::uint16_t module = 0;     ///< of several modules: that of the requester
  std::uint16_t warp = 0;
  std::int16_t acks = 0;
  std::uint16_t entry_lines = 1;  ///< directory_replacement: how many lines the entry is of
  bool covered = false;           ///< the frame holds every byte that is asked for
  bool completes = false;         ///< with the bytes that come along, the frame holds the whole line
  bool dirty = false;             ///< the frame holds bytes that the next level lacks
  bool wants_dirty = false;       ///< every byte that the next level lacks is asked for
  std::uint32_t pc = 0;       ///< number of the instruction in its program, of an access or of what it asks a home for
  std::uint64_t line = 0;     ///< byte address
  std::uint64_t time = 0;     ///< picoseconds: one clock for the whole machine; timestamp policies divide by their tick
  std::uint64_t arrived = 0;  ///< home: when the request was looked at first; earlier than `time` if it had to wait
  std::array<std::uint64_t, 4> stamps{};
};

}  // namespace syncline::protocols
