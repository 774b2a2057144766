// Everything that a machine remembers, in structs without references: a copy is a checkpoint, equality compares two
// runs, a hash makes a state of the model checker. A protocol uses the members that it needs and leaves the others at
// their defaults.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace syncline::protocols {

/// A set of nodes (L1 caches, or memory partitions) by number. The first 128 stand in the set itself, so that usual
/// machines copy two words; a machine with more pays for memory of its own.
class NodeSet {
 public:
  static constexpr unsigned in_place = 128;
  NodeSet() = default;
  NodeSet(const NodeSet& other) : words_(other.words_) {
    if (other.beyond_) beyond_ = std::make_unique<Words>(*other.beyond_);
  }
  NodeSet(NodeSet&&) noexcept = default;
  NodeSet& operator=(const NodeSet& other) {
    words_ = other.words_;
    if (other.beyond_)
      beyond_ = std::make_unique<Words>(*other.beyond_);
    else if (beyond_)
      beyond_.reset();
    return *this;
  }
  NodeSet& operator=(NodeSet&&) noexcept = default;
  ~NodeSet() = default;

  /// Those of the first 64 whose bits are set.
  static NodeSet of_word(std::uint64_t bits) {
    NodeSet set;
    set.words_[0] = bits;
    return set;
  }

  void insert(unsigned node) {
    if (node >= in_place) return insert_beyond(node - in_place);
    words_[node / 64] |= bit(node);
  }
  void erase(unsigned node) {
    if (node >= in_place) return erase_beyond(node - in_place);
    words_[node / 64] &= ~bit(node);
  }
  void clear() {
    words_ = {};
    beyond_.reset();
  }
  bool contains(unsigned node) const {
    return node < in_place ? (words_[node / 64] & bit(node)) != 0 : beyond_ && contains_beyond(node - in_place);
  }
  bool empty() const { return (words_[0] | words_[1]) == 0 && !beyond_; }
  NodeSet without(unsigned node) const {
    NodeSet rest = *this;
    rest.erase(node);
    return rest;
  }
  unsigned size() const {
    unsigned nodes = 0;
    for (unsigned i = 0; i < words(); ++i) nodes += static_cast<unsigned>(__builtin_popcountll(word(i)));
    return nodes;
  }
  /// Ascending.
  template <class Body>
  void for_each(Body&& body) const {
    for (unsigned i = 0; i < words(); ++i) {
      for (std::uint64_t bits = word(i); bits != 0; bits &= bits - 1)
        body(i * 64 + static_cast<unsigned>(__builtin_ctzll(bits)));
    }
  }
  /// The set as words of 64 nodes, at least two; the last one beyond these is not 0.
  unsigned words() const { return beyond_ ? 2 + static_cast<unsigned>(beyond_->size()) : 2; }
  std::uint64_t word(unsigned index) const { return index < 2 ? words_[index] : (*beyond_)[index - 2]; }
  friend bool operator==(const NodeSet& a, const NodeSet& b) {
    return a.words_ == b.words_ && (a.beyond_ && b.beyond_ ? *a.beyond_ == *b.beyond_ : a.beyond_ == b.beyond_);
  }
  friend bool operator!=(const NodeSet& a, const NodeSet& b) { return !(a == b); }

 private:
  using Words = std::vector<std::uint64_t>;
  static std::uint64_t bit(unsigned node) { return std::uint64_t{1} << (node % 64); }
  void insert_beyond(unsigned node);
  void erase_beyond(unsigned node);
  bool contains_beyond(unsigned node) const;

  std::array<std::uint64_t, 2> words_{};
  std::unique_ptr<Words> beyond_;  ///< nodes from `in_place` on; null where there are none, and no word at its end is 0
};

/// What a cache remembers of one line.
struct LineMeta {
  std::uint8_t state = 0;           ///< 0 is the state in which every line begins
  std::uint16_t pending_reads = 0;  ///< requests of this cache that are on their way
  std::uint16_t pending_writes = 0;
  std::int16_t acks = 0;  ///< acknowledgements still to come (negative: came early)
  std::uint16_t owner = 0;
  NodeSet sharers;
  std::uint64_t exp = 0;  ///< end of the lease
  std::uint64_t ver = 0;  ///< version: time of the last write
  std::uint64_t last_read = 0, last_write = 0;
  std::uint64_t lease = 0;  ///< predicted length of the next lease
  bool unkept = false;      ///< the copy on its way answers those who wait for it and is then gone
  bool awaited = false;     ///< a write waits for the end of the lease

  /// Calls `body` with each member, numbers and a NodeSet: hashing, comparing and storing a state all go through this
  /// one list.
  template <class Self, class Body>
  static void each(Self& m, Body&& body) {
    body(m.state), body(m.pending_reads), body(m.pending_writes), body(m.acks), body(m.owner);
    body(m.sharers);
    body(m.exp), body(m.ver), body(m.last_read), body(m.last_write), body(m.lease), body(m.unkept), body(m.awaited);
  }
  std::uint64_t hash() const;
  friend bool operator==(const LineMeta& a, const LineMeta& b);
  friend bool operator!=(const LineMeta& a, const LineMeta& b) { return !(a == b); }
};

/// At the L2 of a module: what several want of other modules is asked for all of them together. Releases or acquires of
/// its L1s, of one scope, and what modules ask of a home. Who comes while others are asked waits for the next turn, for
/// what it is about may be younger than their questions. L1s by their numbers in the module, modules by theirs in the
/// device, bit n: the n-th.
struct JointFence {
  static constexpr unsigned max_l1s = 64;
  std::uint8_t phase = 0;     ///< the protocol's; 0: nobody is asked
  std::uint16_t answers = 0;  ///< still to come in this phase
  std::uint64_t served = 0, waiting = 0;

  template <class Self, class Body>
  static void each(Self& m, Body&& body) {
    body(m.phase), body(m.answers), body(m.served), body(m.waiting);
  }
};

/// What a cache remembers beside its lines.
struct NodeMeta {
  static constexpr unsigned max_warps = 64, max_leases = 32;
  std::uint64_t now = 0;  ///< logical time of the node
  std::uint64_t read_view = 0, write_view = 0;
  std::uint64_t mnow = 0;                         ///< home: time that covers all evicted lines
  std::uint64_t lease = 0;                        ///< predictor of the node
  std::array<std::int32_t, max_leases> leases{};  ///< predictors: what was learned, as a difference from the beginning
  std::array<std::uint64_t, max_warps> gwct{};    ///< global write completion time per warp
  std::uint64_t epoch = 0;                        ///< how often logical time has begun anew
  std::uint8_t phase = 0;                         ///< of what concerns the whole node; 0: at work
  std::uint16_t acks = 0;                         ///< acknowledgements of other nodes still to come
  static constexpr unsigned fence_scopes = 2;
  std::array<JointFence, fence_scopes> fences{};  ///< of the GPU, of the system
  /// Modules that are told when others have received what this one has invalidated there, in the GPU and in the system.
  std::array<JointFence, fence_scopes> markings{};
  std::array<std::uint64_t, fence_scopes> unmarked{};  ///< modules with an invalidation that no marker is behind
  std::uint64_t asked_by = 0;                          ///< modules that wait until `acks` are here, bit n: module n

  /// As LineMeta::each, for a node with so many warps and predictors, and joint fences of so many scopes.
  template <class Self, class Body>
  static void each(Self& m, Body&& body, unsigned warps = max_warps, unsigned predictors = max_leases,
                   unsigned scopes = fence_scopes) {
    body(m.now), body(m.read_view), body(m.write_view), body(m.mnow), body(m.lease);
    for (unsigned i = 0; i < predictors; ++i) body(m.leases[i]);
    for (unsigned warp = 0; warp < warps; ++warp) body(m.gwct[warp]);
    body(m.epoch), body(m.phase), body(m.acks);
    for (unsigned scope = 0; scope < scopes; ++scope) {
      JointFence::each(m.fences[scope], body), JointFence::each(m.markings[scope], body);
      body(m.unmarked[scope]);
    }
    if (scopes != 0) body(m.asked_by);
  }
  std::uint64_t hash() const;
  friend bool operator==(const NodeMeta& a, const NodeMeta& b);
  friend bool operator!=(const NodeMeta& a, const NodeMeta& b) { return !(a == b); }
};

}  // namespace syncline::protocols
