// What a partition knows of a granule of its memory (table 4.1).
#pragma once

#include <cstdint>
#include <string>

#include "protocols/transactions/encoder.h"

namespace syncline::protocols::getm {

/// Logical time. Tables begin with 0 and warps with 1, so that what nobody has read was read before everything.
using Timestamp = std::uint64_t;
constexpr Timestamp first_timestamp = 1;
/// Byte address / GetmSpec::granularity.
using Granule = std::uint64_t;
constexpr Granule no_granule = ~Granule{0};
/// A warp of the GPU, or one of its attempts (GetmSpec::attempt_tags).
using Requester = std::uint32_t;

/// The requester who has read a granule at its read time.
class Reader {
 public:
  constexpr Reader() = default;
  explicit constexpr Reader(Requester who) : who_(who) {}
  /// Several, or nobody knows who.
  static constexpr Reader several() { return Reader(many); }
  constexpr bool is_only(Requester who) const { return who_ == who; }
  constexpr bool is_several() const { return who_ == many; }
  /// Who is one of either.
  constexpr Reader with(Reader other) const {
    if (who_ == nobody) return other;
    return other.who_ == nobody || other.who_ == who_ ? *this : several();
  }
  constexpr std::uint32_t code() const { return who_; }

 private:
  static constexpr std::uint32_t nobody = ~0U, many = nobody - 1;
  std::uint32_t who_ = nobody;
};

struct Metadata {
  Granule granule = no_granule;
  Timestamp wts = 0;         ///< one more than the time of the last write
  Timestamp rts = 0;         ///< time of the last read
  std::uint32_t writes = 0;  ///< stores whose commit or clean-up is still to come
  Requester owner = 0;       ///< who has reserved it
  Reader reader;             ///< who has read it at `rts`, as far as the tie rule cares
  bool reserved = false;

  Timestamp latest() const { return wts < rts ? rts : wts; }
};

/// Appends timestamps as differences from the earliest at which anybody executes: what is earlier than that is all the
/// same to everybody, and how late it is altogether, too (but not to a unit that is about to roll over, for which
/// `earliest` is 0).
class TimeEncoder : public transactions::Encoder {
 public:
  TimeEncoder(std::string& to, Timestamp earliest) : transactions::Encoder(to), earliest_(earliest) {}
  void read_time(Timestamp t) { put(t < earliest_ ? 0 : t - earliest_ + 1); }
  void read_time(Timestamp t, Reader reader) {
    read_time(t);
    if (t >= earliest_) put(reader.code());
  }
  void write_time(Timestamp t) { put(t <= earliest_ ? 0 : t - earliest_); }
  void metadata(const Metadata& entry) {
    put(entry.granule + 1);
    write_time(entry.wts);
    read_time(entry.rts, entry.reader);
    put(entry.reserved ? entry.writes + 1 : 0);
    if (entry.reserved) put(entry.owner);
  }

 private:
  Timestamp earliest_;
};

}  // namespace syncline::protocols::getm
