#include "protocols/coherence/engine/meta.h"

#include <boost/container/small_vector.hpp>

#include "base/random.h"

namespace syncline::protocols {
namespace {

/// Takes the numbers of a meta one by one.
template <class Take>
struct Numbers {
  Take take;
  template <class Value>
  void operator()(const Value& value) const {
    take(static_cast<std::uint64_t>(value));
  }
  void operator()(const NodeSet& set) const {
    for (unsigned i = 0; i < set.words(); ++i) take(set.word(i));
  }
};
template <class Take>
Numbers(Take) -> Numbers<Take>;

template <class Meta>
std::uint64_t hash_of(const Meta& meta) {
  std::uint64_t hash = sizeof(Meta);
  Meta::each(meta, Numbers{[&hash](std::uint64_t number) { hash = base::mix64(hash ^ number); }});
  return hash;
}

/// The numbers of one beside those of the other, in a buffer: `each` gives one object at a time.
template <class Meta>
bool same(const Meta& a, const Meta& b) {
  boost::container::small_vector<std::uint64_t, 128> of_a, of_b;
  Meta::each(a, Numbers{[&of_a](std::uint64_t number) { of_a.push_back(number); }});
  Meta::each(b, Numbers{[&of_b](std::uint64_t number) { of_b.push_back(number); }});
  return of_a == of_b;
}

}  // namespace

void NodeSet::insert_beyond(unsigned node) {
  if (!beyond_) beyond_ = std::make_unique<Words>();
  if (beyond_->size() <= node / 64) beyond_->resize(node / 64 + 1);
  (*beyond_)[node / 64] |= bit(node);
}

void NodeSet::erase_beyond(unsigned node) {
  if (!contains_beyond(node)) return;
  (*beyond_)[node / 64] &= ~bit(node);
  while (!beyond_->empty() && beyond_->back() == 0) beyond_->pop_back();
  if (beyond_->empty()) beyond_.reset();
}

bool NodeSet::contains_beyond(unsigned node) const {
  return beyond_ && node / 64 < beyond_->size() && ((*beyond_)[node / 64] & bit(node)) != 0;
}

std::uint64_t LineMeta::hash() const {
  return hash_of(*this);
}

bool operator==(const LineMeta& a, const LineMeta& b) {
  return same(a, b);
}

std::uint64_t NodeMeta::hash() const {
  return hash_of(*this);
}

bool operator==(const NodeMeta& a, const NodeMeta& b) {
  return same(a, b);
}

}  // namespace syncline::protocols
