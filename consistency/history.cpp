#include "consistency/history.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "consistency/partial_order.h"

namespace syncline::consistency {
namespace {

constexpr unsigned nobody = ~0U;

/// The accesses as nodes, with the initial write of each location behind them, and where each read read from.
class Judge {
 public:
  explicit Judge(const History& history)
      : history_(history),
        count_(static_cast<unsigned>(history.accesses.size())),
        nodes_(count_ + static_cast<unsigned>(history.locations.size())),
        source_(count_, nobody),
        writers_(history.locations.size()),
        readers_(history.locations.size()) {}

 protected:
  const Access& access(unsigned node) const { return history_.accesses[node]; }
  unsigned locations() const { return static_cast<unsigned>(history_.locations.size()); }
  unsigned initial(unsigned location) const { return count_ + location; }
  bool failed() const { return found_.has_value(); }
  void fail(std::string what, const std::vector<unsigned>& nodes) {
    if (found_) return;
    found_ = Contradiction{std::move(what), {}};
    for (const unsigned node : nodes) {
      if (node < count_) found_->accesses.push_back(node);
    }
  }
  /// Orders a before b, or tells the chain that contradicts it.
  void order(PartialOrder& in, unsigned a, unsigned b, const char* what) {
    if (!in.add(a, b)) fail(what, a == b ? std::vector<unsigned>{a} : in.path(b, a));
  }

  void find_sources() {
    std::vector<std::map<std::uint32_t, unsigned>> by_value(locations());
    for (unsigned location = 0; location < locations(); ++location) {
      by_value[location].emplace(history_.locations[location].initial, initial(location));
      writers_[location].push_back(initial(location));
    }
    for (unsigned node = 0; node < count_; ++node) {
      const Access& a = access(node);
      if (!a.writes()) continue;
      writers_[a.location].push_back(node);
      const auto [other, inserted] = by_value[a.location].emplace(a.written, node);
      if (inserted) continue;
      if (a.kind == Access::Kind::write)
        throw base::ModelError("a history has two writes of one value to one location");
      fail("two atomics returned the same value", {other->second, node});
    }
    for (unsigned node = 0; node < count_; ++node) {
      const Access& a = access(node);
      if (!a.reads()) continue;
      const auto writer = by_value[a.location].find(a.returned);
      if (writer == by_value[a.location].end()) return fail("a value was read that nobody wrote", {node});
      if (writer->second == node) return fail("an atomic returned what it wrote itself", {node});
      source_[node] = writer->second;
      readers_[a.location].push_back(node);
    }
    for (unsigned location = 0; location < locations(); ++location) {
      const auto& final = history_.locations[location].final;
      if (!final) continue;
      const auto writer = by_value[location].find(*final);
      if (writer == by_value[location].end()) return fail("memory ends with a value that nobody wrote", {});
      last_.emplace_back(location, writer->second);
    }
  }

  /// What reads, writes and the values read force of each other in `in`, once through all pairs.
  template <class Counts>
  void saturate(PartialOrder& in, Counts&& counts) {
    for (unsigned location = 0; location < locations() && !failed(); ++location) {
      for (const unsigned reader : readers_[location]) {
        if (!counts(reader)) continue;
        const unsigned source = source_[reader];
        for (const unsigned writer : writers_[location]) {
          if (writer == source || writer == reader) continue;
          if (in.at(writer, reader)) order(in, writer, source, "a read returned a value that had been overwritten");
          if (in.at(source, writer)) order(in, reader, writer, "a read came behind the overwriting of what it read");
          if (failed()) return;
        }
      }
    }
  }

  void order_programs(PartialOrder& in) {
    std::map<unsigned, unsigned> previous;
    for (unsigned node = 0; node < count_; ++node) {
      const auto [place, first] = previous.emplace(access(node).thread, node);
      if (!first) in.add(place->second, node);
      place->second = node;
    }
  }

  /// Where `counts` says so, what a read returned was written before it.
  template <class Counts>
  void order_sources(PartialOrder& in, Counts&& counts) {
    for (unsigned node = 0; node < count_ && !failed(); ++node) {
      if (access(node).reads() && counts(node))
        order(in, source_[node], node, "a value was read before it was written");
    }
  }

  void order_by_the_ends(PartialOrder& in) {
    for (unsigned location = 0; location < locations(); ++location) {
      for (const unsigned writer : writers_[location]) {
        if (writer != initial(location)) order(in, initial(location), writer, "");
      }
    }
    for (const auto& [location, last] : last_) {
      for (const unsigned writer : writers_[location]) {
        if (writer != last) order(in, writer, last, "memory ends with a value that was overwritten");
      }
    }
  }

  const History& history_;
  const unsigned count_, nodes_;
  std::vector<unsigned> source_;
  std::vector<std::vector<unsigned>> writers_, readers_;  ///< by location
  std::vector<std::pair<unsigned, unsigned>> last_;       ///< location, node
  std::optional<Contradiction> found_;
};

class ScJudge : Judge {
 public:
  explicit ScJudge(const History& history) : Judge(history), order_(nodes_) {}

  std::optional<Contradiction> judge() {
    find_sources();
    if (failed()) return found_;
    const auto all = [](unsigned) { return true; };
    order_programs(order_);
    order_sources(order_, all);
    order_by_the_ends(order_);
    for (unsigned before = 0; !failed() && before != order_.size();) {
      before = order_.size();
      saturate(order_, all);
    }
    return found_;
  }

 private:
  PartialOrder order_;
};

class PtxJudge : Judge {
 public:
  explicit PtxJudge(const History& history) : Judge(history), cause_(nodes_), coherence_(nodes_) {}

  std::optional<Contradiction> judge() {
    find_sources();
    if (failed()) return found_;
    const auto strong = [this](unsigned reader) { return is_strong(reader); };
    order_programs(cause_);
    order_locations();
    order_sources(coherence_, strong);
    if (failed()) return found_;  // atomics may have returned each other's values in a circle
    synchronize();
    order_by_the_ends(coherence_);
    for (unsigned before = 0; !failed() && before != cause_.size() + coherence_.size();) {
      before = cause_.size() + coherence_.size();
      saturate(coherence_, strong);
      follow_causes();
      order_fences();
    }
    return found_;
  }

 private:
  bool is_strong(unsigned node) const { return access(node).semantics != Semantics::weak; }
  bool is_strong_read(unsigned node) const { return access(node).reads() && is_strong(node); }
  bool acquires(unsigned node) const {
    const Semantics s = access(node).semantics;
    return access(node).reads() && (s == Semantics::acquire || s == Semantics::acq_rel);
  }
  bool releases(unsigned node) const {
    const Semantics s = access(node).semantics;
    return access(node).writes() && (s == Semantics::release || s == Semantics::acq_rel);
  }

  /// Accesses of a thread to one location stay in its order.
  void order_locations() {
    std::map<std::pair<unsigned, unsigned>, unsigned> same_location;
    for (unsigned node = 0; node < count_; ++node) {
      const Access& a = access(node);
      programs_[a.thread].push_back(node);
      if (a.kind == Access::Kind::fence) {
        fences_.push_back(node);
        continue;
      }
      const auto [there, alone] = same_location.emplace(std::pair(a.thread, a.location), node);
      if (!alone) coherence_.add(there->second, node);
      there->second = node;
    }
  }

  /// Calls `body` for each node of the thread of `node`, itself included, in program order: up to it, or from it on.
  template <class Body>
  void each_before(unsigned node, Body&& body) const {
    for (const unsigned other : programs_.at(access(node).thread)) {
      if (other <= node) body(other);
    }
  }
  template <class Body>
  void each_behind(unsigned node, Body&& body) const {
    for (const unsigned other : programs_.at(access(node).thread)) {
      if (other >= node) body(other);
    }
  }

  /// Release patterns that acquire patterns observe, also through chains of atomics.
  void synchronize() {
    for (unsigned node = 0; node < count_ && !failed(); ++node) {
      if (!is_strong_read(node)) continue;
      std::vector<unsigned> ends;
      each_behind(node, [&](unsigned other) {
        const bool here = other == node || access(other).location == access(node).location;
        if (access(other).kind == Access::Kind::fence || (here && acquires(other))) ends.push_back(other);
      });
      if (ends.empty()) continue;
      for (unsigned write = source_[node]; write < count_; write = source_[write]) {
        each_before(write, [&](unsigned other) {
          const bool here = other == write || access(other).location == access(write).location;
          if (access(other).kind != Access::Kind::fence && !(here && releases(other))) return;
          for (const unsigned end : ends) order(cause_, other, end, "synchronization runs in a circle");
        });
        if (access(write).kind != Access::Kind::update) break;
      }
    }
  }

  /// What happens before a read bounds what it may return; writes are coherent with what happens before them.
  void follow_causes() {
    for (unsigned location = 0; location < locations() && !failed(); ++location) {
      const auto& writers = writers_[location];
      for (const unsigned a : writers) {
        for (const unsigned b : writers) {
          if (cause_.at(a, b)) order(coherence_, a, b, "writes are not in the order of what happened before them");
        }
      }
      for (const unsigned reader : readers_[location]) {
        const unsigned source = source_[reader];
        if (cause_.at(reader, source))
          return fail("a value was read before it was written", cause_.path(reader, source));
        for (const unsigned writer : writers) {
          if (writer != source && writer != reader && cause_.at(writer, reader))
            order(coherence_, writer, source, "a read returned a value overwritten by what happened before it");
        }
        for (const unsigned earlier : readers_[location]) {
          if (is_strong(earlier) && source_[earlier] != source && source_[earlier] != reader &&
              cause_.at(earlier, reader))
            order(coherence_, source_[earlier], source, "a read returned an older value than one that happened before");
        }
        if (failed()) return;
      }
    }
  }

  bool communicates(unsigned b, unsigned a) const {
    if (a >= count_ || b >= count_ || a == b || access(a).location != access(b).location) return false;
    if (access(a).reads() && source_[a] == b) return true;
    if (!access(a).writes()) return false;
    if (access(b).writes() && coherence_.at(b, a)) return true;
    return access(b).reads() && source_[b] != a && coherence_.at(source_[b], a);
  }

  /// Where one order of two fence.sc would contradict what was read, the other one holds.
  void order_fences() {
    if (fences_.size() < 2 || failed()) return;
    std::vector<boost::dynamic_bitset<>> ahead(count_, boost::dynamic_bitset<>(nodes_));
    for (unsigned location = 0; location < locations(); ++location) {
      std::vector<unsigned> here = writers_[location];
      here.insert(here.end(), readers_[location].begin(), readers_[location].end());
      for (const unsigned a : here) {
        for (const unsigned b : here) {
          if (communicates(b, a)) ahead[a].set(b);
        }
      }
    }
    for (const unsigned first : fences_) {
      boost::dynamic_bitset<> contradicts(nodes_);
      const auto& before = cause_.before(first);
      for (auto a = before.find_first(); a != before.npos; a = before.find_next(a)) {
        if (a < count_) contradicts |= ahead[a];
      }
      for (const unsigned second : fences_) {
        if (first == second || cause_.at(second, first) || !cause_.after(second).intersects(contradicts)) continue;
        order(cause_, second, first, "no order of the fences explains what was read");
        if (failed()) return;
      }
    }
  }

  PartialOrder cause_, coherence_;
  std::map<unsigned, std::vector<unsigned>> programs_;
  std::vector<unsigned> fences_;
};

}  // namespace

std::optional<Contradiction> contradicts_sc(const History& history) {
  return ScJudge(history).judge();
}

std::optional<Contradiction> contradicts_ptx75(const History& history) {
  return PtxJudge(history).judge();
}

}  // namespace syncline::consistency
