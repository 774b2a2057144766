// Where the bytes of lines are beside their homes, and which version of the line they are: in caches, in messages, and
// in stores that are on their way.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/line_data.h"
#include "consistency/online/online_checker.h"
#include "models/cache/line_event.h"
#include "models/transport/message.h"

namespace syncline::platform {

struct LineCopy;

/// A store that is not performed yet.
struct EarlyStore {
  std::uint64_t number;
  consistency::OnlineAccess access;
  base::LineData data;
  std::vector<LineCopy*> copies;  ///< that have its bytes, or had them
  bool is_passed_on = false;      ///< by the home of a GPU, which has answered it

  /// It is performed, as that version of its line: its bytes in copies are that.
  void became(consistency::LineVersion version) const;
};

/// What a frame of an L1, or of an L2 of another module than the line's home, holds; or a message.
struct LineCopy {
  using Version = consistency::LineVersion;
  /// Bytes that did not come from an L2 slice, or have not been there.
  static constexpr Version unknown = ~Version{0};
  struct Own {
    base::ByteMask bytes;
    Version version;    ///< of the store, once it is performed
    EarlyStore* early;  ///< until then
  };
  base::LineAddress line{~std::uint64_t{0}};  ///< that was brought there last
  Version version = 0;
  boost::container::small_vector<Own, 2> own;  ///< bytes of stores that were merged on the way; disjoint

  /// These bytes are no longer what they were.
  void forget(const base::ByteMask& bytes);
  void hold(const base::ByteMask& bytes, Version of_bytes, EarlyStore* early = nullptr);
};

class LineCopies {
 public:
  /// Caches, L1s first, each with its number of frames.
  void add_l1(std::size_t frames) {
    add_l2(frames);
    ++l1s_;
  }
  void add_l2(std::size_t frames) { frames_.emplace_back(frames); }

  /// In the frame that an event is about.
  LineCopy& in_frame(const models::LineEvent& event);
  /// What a message has carried from a home or a copy; null: nothing that is known.
  const LineCopy* carried_by(const models::Message& message) const;
  /// From now on it carries what this is made to be.
  LineCopy& carry(const models::Message& message);
  static void hand_on(const LineCopy& from, LineCopy& to);

 private:
  std::vector<std::vector<LineCopy>> frames_;  ///< by cache and frame
  std::size_t l1s_ = 0;
  /// Never iterated. Messages are reused: the time tells whose entry it is.
  struct Carried {
    std::uint64_t at_home_ps = 0;
    LineCopy bytes;
  };
  std::unordered_map<const models::Message*, Carried> carried_;
};

}  // namespace syncline::platform
