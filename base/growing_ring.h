// A FIFO in a ring of memory, which may have a bound.
#pragma once

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>

#include "base/error.h"

namespace syncline::base {

/// A ring that is no longer than its content has ever been. One as long as its bound, which is rarely reached, walks
/// through all its memory, and what stands in it is never in a near cache of the host.
template <class T>
class GrowingRing : private boost::circular_buffer<T> {
  using Ring = boost::circular_buffer<T>;

 public:
  using typename Ring::const_iterator;
  using typename Ring::iterator;

  static constexpr std::size_t no_limit = ~std::size_t{0};
  /// `limit`: most elements.
  explicit GrowingRing(std::size_t limit = no_limit) { set_limit(limit); }
  /// No fewer than there are.
  void set_limit(std::size_t limit) {
    limit_ = limit;
    if (this->capacity() == 0) this->set_capacity(std::min(limit, first_capacity));
  }
  bool full() const { return size() == limit_; }

  /// One element more than the limit is a ModelError.
  void push_back(const T& value) {
    if (Ring::full()) grow();
    Ring::push_back(value);
  }
  void push_front(const T& value) {
    if (Ring::full()) grow();
    Ring::push_front(value);
  }
  void insert(const_iterator before, const T& value) {
    const auto place = before - begin();
    if (Ring::full()) grow();
    Ring::insert(begin() + place, value);
  }

  using Ring::back;
  using Ring::begin;
  using Ring::empty;
  using Ring::end;
  using Ring::erase;
  using Ring::front;
  using Ring::pop_front;
  using Ring::size;
  using Ring::operator[];

 private:
  static constexpr std::size_t first_capacity = 4;

  [[gnu::noinline]] void grow() {
    if (full()) throw ModelError("a queue is to hold more than it has room for");
    this->set_capacity(std::min(limit_, 2 * this->capacity()));
  }

  std::size_t limit_ = no_limit;
};

}  // namespace syncline::base
