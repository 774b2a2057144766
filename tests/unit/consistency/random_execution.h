// Random executions of threads that load, store, update, fence and meet, for the online checker and for the axioms.
#pragma once

#include <string>
#include <vector>

#include "consistency/model.h"
#include "consistency/online/online_checker.h"

namespace syncline::consistency {

/// Threads 0 and 1 are of one CTA, all others of CTAs of their own; threads 0 to 2 of one GPU, thread 3 of another. A
/// line has two words.
struct RandomExecution {
  static constexpr unsigned words = 2, lines = 2;
  struct Item {
    unsigned thread = 0;
    OnlineKind kind = OnlineKind::read;  ///< join: a barrier of threads 0 and 1
    std::uint64_t line = 0;
    unsigned used = 1;             ///< bit n: word n
    unsigned read_of[words] = {};  ///< of a read: the item (from 1) whose write it reads, by word; 0: the initial one
    std::uint64_t step = 0;
    Semantics semantics = Semantics::relaxed;
    Scope scope = Scope::sys;
    bool returns = true;
  };
  std::vector<Item> items;  ///< as performed

  static base::ByteMask bytes(unsigned used);
};

/// Accesses of up to `most_words` words, told in program order. Some reads are of writes that are still to come.
RandomExecution any_execution(unsigned most_words = 1);
/// Some items become fences that order all, and between fences of its thread an item may change places with another.
void weaken(RandomExecution& random);
/// Some items become barriers, some accesses weak.
void meet(RandomExecution& random);
/// Some items become fences of all kinds, some accesses weak, acquiring, releasing or of their CTA. The model leaves
/// open in which order writes are that race, so that either a line has one writer, or writes are strong with everybody.
void synchronize(RandomExecution& random);
/// Items of a thread change places between its fences, across barriers, too.
void delay(RandomExecution& random);
/// Whether a thread releases at a location, or acquires there, by two accesses: `st.release x; st.relaxed x`.
bool has_patterns_of_two_accesses(const RandomExecution& random);

/// One line an item, for what RapidCheck prints of a failure.
std::string text_of(const RandomExecution& random);

Verdict judged_by_axioms(const RandomExecution& random, Model model);
/// The same, told to the online checker.
void tell(const RandomExecution& random, OnlineChecker& checker);

}  // namespace syncline::consistency
