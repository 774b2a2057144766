#include "consistency/relation.h"

namespace syncline::consistency {

Relation Relation::operator|(const Relation& other) const {
  Relation result(*this);
  for (unsigned i = 0; i < size_; ++i) result.rows_[i] |= other.rows_[i];
  return result;
}

Relation Relation::operator&(const Relation& other) const {
  Relation result(*this);
  for (unsigned i = 0; i < size_; ++i) result.rows_[i] &= other.rows_[i];
  return result;
}

Relation Relation::operator-(const Relation& other) const {
  Relation result(*this);
  for (unsigned i = 0; i < size_; ++i) result.rows_[i] &= ~other.rows_[i];
  return result;
}

Relation Relation::then(const Relation& other) const {
  Relation result(size_);
  for (unsigned i = 0; i < size_; ++i)
    for_each_event(rows_[i], [&](unsigned middle) { result.rows_[i] |= other.rows_[middle]; });
  return result;
}

Relation Relation::inverse() const {
  Relation result(size_);
  for (unsigned i = 0; i < size_; ++i) for_each_event(rows_[i], [&](unsigned j) { result.rows_[j] |= event_bit(i); });
  return result;
}

Relation::Peeled Relation::peeled() const {
  Peeled order;
  EventSet left = size_ == capacity ? ~EventSet{0} : event_bit(size_) - 1;
  // Program order goes up in numbers: from above, one round mostly takes all.
  for (bool found = true; found && left != 0;) {
    found = false;
    for (EventSet rest = left; rest != 0;) {
      const auto i = static_cast<unsigned>(63 - __builtin_clzll(rest));
      rest &= ~event_bit(i);
      if ((rows_[i] & left) != 0) continue;
      left &= ~event_bit(i);
      order.events[order.count++] = static_cast<std::uint8_t>(i);
      found = true;
    }
  }
  return order;
}

bool Relation::acyclic() const {
  return peeled().count == size_;
}

Relation Relation::closure() const {
  Relation result(*this);
  const Peeled order = peeled();
  if (order.count == size_) {
    for (unsigned n = 0; n < order.count; ++n)
      for_each_event(rows_[order.events[n]],
                     [&](unsigned next) { result.rows_[order.events[n]] |= result.rows_[next]; });
    return result;
  }
  for (unsigned middle = 0; middle < size_; ++middle) {
    for (unsigned i = 0; i < size_; ++i) {
      if (result.at(i, middle)) result.rows_[i] |= result.rows_[middle];
    }
  }
  return result;
}

Relation Relation::restricted(EventSet from, EventSet to) const {
  Relation result(size_);
  for_each_event(from, [&](unsigned i) { result.rows_[i] = rows_[i] & to; });
  return result;
}

bool Relation::empty() const {
  for (unsigned i = 0; i < size_; ++i) {
    if (rows_[i] != 0) return false;
  }
  return true;
}

bool Relation::irreflexive() const {
  for (unsigned i = 0; i < size_; ++i) {
    if (at(i, i)) return false;
  }
  return true;
}

}  // namespace syncline::consistency
