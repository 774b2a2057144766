// Random programs with transactions of which the end is known, whatever order the transactions come in.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace syncline::tests {

/// What threads share, in device memory, or those of a CTA in its shared memory, each CTA then the same: 16 cells, 8
/// accounts, 4 pairs of marks and 4 pairs of switches, and the results of the threads. Transactions
///   - add to fields of cells, each of which another size: every field ends with the sum of what was added;
///   - move money between accounts, if there is enough: the sum stays;
///   - store one value to both marks of a pair, without having read them: they stay equal, to a value that was stored;
///   - turn one of two switches off where both are on, and on again: one at least is on, which write skew breaks;
///   - read all accounts, both marks, or a cell twice, and tell if that does not fit;
/// with loops, divergent branches, calls, shared memory, nested transactions, several commits, and registers that a
/// transaction changes. What a thread does follows from its number, and never from what it reads.
class TransactionalProgram {
 public:
  struct Options {
    bool several_commits = true;  ///< a transaction may end at several places
    bool atomics = false;         ///< transactions have atomic operations
    bool shared = false;          ///< in shared memory
  };

  /// A byte each for what is to be chosen; where there are no more, the simplest. Any bytes are a program.
  TransactionalProgram(const std::vector<std::uint8_t>& choices, const Options& options);

  unsigned ctas() const { return ctas_; }
  unsigned threads() const { return threads_; }  ///< of a CTA
  unsigned jitter() const { return jitter_; }    ///< that the networks are to have
  unsigned seed() const { return seed_; }        ///< of the run
  std::string ptx() const;                       ///< of `.visible .entry k(.param .u64 data)`
  std::vector<std::uint8_t> data() const;        ///< before it runs
  /// What is wrong with the data behind it; empty: nothing.
  std::string check(const std::vector<std::uint8_t>& data) const;
  std::uint64_t transactions() const { return transactions_ * copies(); }  ///< that have committed then
  /// How many of these there are of some shapes, by name: "empty", "read only", "of one place", "of many places" (16
  /// and more), "very long" (100), "of a warp at one place" (an add to a cell that is the same for all threads, in CTAs
  /// of a full warp or more).
  const std::map<std::string, std::uint64_t>& shapes() const { return shapes_; }

 private:
  enum class Kind : std::uint8_t {
    mix,
    add,
    transfer,
    sum,
    read_twice,
    store_pair,
    check_pair,
    switches,
    own,
    shared,
    call,
    loop,
    branch,
    nested,
    transaction,  ///< with several commits where it has an `other`
    barrier
  };
  struct Node {
    Kind kind = Kind::mix;
    unsigned form = 0, mask = 0, shift = 0, count = 0;
    std::vector<Node> body, other;
  };
  class Reader;
  class Printer;
  class Thread;

  std::vector<Node> block(Reader& reader, bool inside, unsigned depth);
  Node node(Reader& reader, bool inside, unsigned depth);
  unsigned loop_count(Reader& reader, bool inside);
  void execute();
  /// Of the data, with what they do to it.
  unsigned copies() const { return options_.shared ? ctas_ : 1; }
  unsigned all_threads() const { return ctas_ * threads_ / copies(); }  ///< of a copy
  std::size_t copy_bytes() const;
  std::string check_copy(const std::uint8_t* data) const;

  Options options_;
  unsigned ctas_ = 1, threads_ = 1, jitter_ = 0, seed_ = 1;
  bool long_loop_ = false;  ///< there is one
  std::vector<Node> body_;
  // Behind the program:
  std::vector<std::uint8_t> cells_;             ///< of each copy, as what follows
  std::vector<std::uint32_t> results_;          ///< of the threads
  std::vector<std::uint32_t> owned_;            ///< the threads' own words
  std::vector<std::set<std::uint32_t>> marks_;  ///< values that a pair may have
  std::map<std::string, std::uint64_t> shapes_;
  std::uint64_t transactions_ = 0, steps_ = 0;
};

}  // namespace syncline::tests
