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

Relation Relation::closure() const {
  Relation result(*this);
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
