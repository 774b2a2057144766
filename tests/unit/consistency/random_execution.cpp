#include "tests/unit/consistency/random_execution.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace syncline::consistency {
namespace {

using Item = RandomExecution::Item;

bool is_access(const Item& item) {
  return item.kind == OnlineKind::read || item.kind == OnlineKind::write || item.kind == OnlineKind::atomic;
}
bool writes(const Item& item) {
  return item.kind == OnlineKind::write || item.kind == OnlineKind::atomic;
}
bool releases(Semantics s) {
  return s == Semantics::release || s == Semantics::acq_rel || s == Semantics::sc;
}
bool acquires(Semantics s) {
  return s == Semantics::acquire || s == Semantics::acq_rel || s == Semantics::sc;
}
std::uint32_t cta_of(unsigned thread) {
  return std::max(thread, 1U);
}
std::uint32_t gpu_of(unsigned thread) {
  return thread < 3 ? 1 : 2;
}

Manner manner_of(const Item& item) {
  Manner manner;
  manner.reach = item.semantics == Semantics::weak ? Reach::weak
                 : item.scope == Scope::cta        ? Reach::cta
                 : item.scope == Scope::gpu        ? Reach::gpu
                                                   : Reach::all;
  manner.cta = cta_of(item.thread);
  manner.gpu = gpu_of(item.thread);
  manner.acquires = acquires(item.semantics);
  manner.releases = releases(item.semantics);
  return manner;
}

/// Two accesses of a thread with no fence of it between them change places, one pair in `chance`.
void swap_steps(RandomExecution& random, unsigned chance) {
  auto& items = random.items;
  for (unsigned i = 0; i < items.size(); ++i) {
    if (!is_access(items[i])) continue;
    for (unsigned j = i + 1; j < items.size(); ++j) {
      if (items[j].kind == OnlineKind::join || items[j].thread != items[i].thread) continue;
      if (items[j].kind == OnlineKind::fence) break;
      if (*rc::gen::inRange(0U, chance) == 0) std::swap(items[i].step, items[j].step);
    }
  }
}

}  // namespace

base::ByteMask RandomExecution::bytes(unsigned used) {
  base::ByteMask mask;
  for (unsigned word = 0; word < words; ++word)
    if ((used >> word & 1U) != 0) mask.set(word * 4, 4);
  return mask;
}

RandomExecution any_execution(unsigned most_words) {
  RandomExecution e;
  const unsigned threads = *rc::gen::inRange(2U, 5U);
  const unsigned length = *rc::gen::inRange(4U, 13U);
  for (unsigned i = 0; i < length; ++i) {
    Item item;
    item.thread = *rc::gen::inRange(0U, threads);
    item.kind = *rc::gen::element(OnlineKind::read, OnlineKind::read, OnlineKind::read, OnlineKind::write,
                                  OnlineKind::write, OnlineKind::atomic);
    item.line = *rc::gen::inRange<std::uint64_t>(0, RandomExecution::lines);
    item.used = most_words == 1 ? 1U : *rc::gen::inRange(1U, 1U << most_words);
    item.step = i;
    e.items.push_back(item);
  }
  const bool may_read_early = *rc::gen::inRange(0, 4) == 0;
  for (unsigned i = 0; i < length; ++i) {
    if (e.items[i].kind != OnlineKind::read) continue;
    for (unsigned word = 0; word < RandomExecution::words; ++word) {
      if ((e.items[i].used >> word & 1U) == 0) continue;
      std::vector<unsigned> sources{0};
      for (unsigned j = 0; j < length; ++j) {
        const Item& other = e.items[j];
        if (writes(other) && other.line == e.items[i].line && (other.used >> word & 1U) != 0 &&
            (j < i || may_read_early))
          sources.push_back(j + 1);
      }
      // The newest more often than not, or else hardly any execution were consistent.
      e.items[i].read_of[word] = *rc::gen::inRange(0, 3) == 0 ? *rc::gen::elementOf(sources) : sources.back();
    }
  }
  return e;
}

void weaken(RandomExecution& random) {
  unsigned fences = 0;
  for (Item& item : random.items) {
    if (item.kind != OnlineKind::read || *rc::gen::inRange(0, 3) != 0 || fences == 4) continue;
    item.kind = OnlineKind::fence;
    item.semantics = Semantics::sc;
    ++fences;
  }
  swap_steps(random, 4);
}

void meet(RandomExecution& random) {
  unsigned barriers = 0;
  for (Item& item : random.items) {
    if (item.kind == OnlineKind::read && *rc::gen::inRange(0, 3) == 0 && barriers < 3) {
      item.kind = OnlineKind::join;
      ++barriers;
    } else if (item.kind == OnlineKind::read) {
      item.semantics = *rc::gen::element(Semantics::weak, Semantics::relaxed);
    }
  }
}

void synchronize(RandomExecution& random) {
  unsigned ordering_fences = 0;
  const bool one_writer = *rc::gen::arbitrary<bool>();
  const unsigned writer[RandomExecution::lines] = {*rc::gen::inRange(0U, 3U), *rc::gen::inRange(0U, 3U)};
  for (Item& item : random.items) {
    if (one_writer && writes(item)) item.thread = writer[item.line];
    if (one_writer || !writes(item))
      item.scope = *rc::gen::weightedElement<Scope>({{3, Scope::sys}, {2, Scope::gpu}, {1, Scope::cta}});
    if (item.kind == OnlineKind::read && *rc::gen::inRange(0, 4) == 0) {
      item.kind = OnlineKind::fence;
      item.semantics = *rc::gen::element(Semantics::acq_rel, Semantics::acquire, Semantics::release, Semantics::sc);
      if (item.semantics == Semantics::sc && ++ordering_fences > 3) item.semantics = Semantics::acq_rel;
      continue;
    }
    switch (item.kind) {
      case OnlineKind::read:
        item.semantics = *rc::gen::element(Semantics::weak, Semantics::relaxed, Semantics::acquire);
        break;
      case OnlineKind::write:
        item.semantics = *rc::gen::element(one_writer ? Semantics::weak : Semantics::relaxed, Semantics::relaxed,
                                           Semantics::release);
        break;
      default:
        item.semantics =
            *rc::gen::element(Semantics::relaxed, Semantics::acquire, Semantics::release, Semantics::acq_rel);
        item.returns = *rc::gen::inRange(0, 3) != 0;
        break;
    }
  }
}

void delay(RandomExecution& random) {
  swap_steps(random, 6);
}

bool has_patterns_of_two_accesses(const RandomExecution& random) {
  const auto& items = random.items;
  for (const Item& first : items) {
    for (const Item& second : items) {
      const bool follows = is_access(first) && is_access(second) && first.thread == second.thread &&
                           first.line == second.line && first.step < second.step;
      const bool strong = first.semantics != Semantics::weak && second.semantics != Semantics::weak;
      if (!follows || !strong) continue;
      if (writes(first) && releases(first.semantics) && writes(second) && !releases(second.semantics)) return true;
      if (!acquires(first.semantics) && acquires(second.semantics) && second.kind != OnlineKind::write) return true;
    }
  }
  return false;
}

std::string text_of(const RandomExecution& random) {
  std::string text;
  for (unsigned i = 0; i < random.items.size(); ++i) {
    const Item& item = random.items[i];
    text += fmt::format("{}: thread {}, step {}: {}", i + 1, item.thread, item.step,
                        item.kind == OnlineKind::join ? "barrier" : name(item.kind));
    if (is_access(item)) text += fmt::format(" of words {:#x} of line {}", item.used, item.line);
    if (item.kind == OnlineKind::read) text += fmt::format(", reads {}", fmt::join(item.read_of, " "));
    text += fmt::format(", semantics {}, scope {}{}\n", static_cast<unsigned>(item.semantics),
                        static_cast<unsigned>(item.scope), item.returns ? "" : ", a reduction");
  }
  return text;
}

Verdict judged_by_axioms(const RandomExecution& random, Model model) {
  Execution e;
  for (unsigned thread = 0; thread < 4; ++thread) e.places.push_back({cta_of(thread), gpu_of(thread)});
  constexpr unsigned locations = RandomExecution::lines * RandomExecution::words;
  const auto location = [](const Item& item, unsigned word) {
    return static_cast<unsigned>(item.line) * RandomExecution::words + word;
  };
  std::array<unsigned, locations> initial{}, last{};
  for (unsigned at = 0; at < locations; ++at) {
    Event w;
    w.kind = Event::Kind::write;
    w.location = at;
    initial[at] = last[at] = e.add(w);
  }
  using ByWord = std::array<unsigned, RandomExecution::words>;
  std::vector<ByWord> write_event(random.items.size() + 1), read_event(random.items.size() + 1);
  std::vector<unsigned> order(random.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](unsigned a, unsigned b) { return random.items[a].step < random.items[b].step; });
  for (const unsigned i : order) {
    const Item& item = random.items[i];
    Event event;
    event.thread = item.thread;
    event.semantics = item.semantics;
    event.scope = item.scope;
    if (item.kind == OnlineKind::join) {
      event.kind = Event::Kind::barrier;
      event.semantics = Semantics::weak;
      event.instance = i;
      for (event.thread = 0; event.thread < 2; ++event.thread) e.add(event);
      continue;
    }
    if (item.kind == OnlineKind::fence) {
      event.kind = Event::Kind::fence;
      e.add(event);
      continue;
    }
    for (unsigned word = 0; word < RandomExecution::words; ++word) {
      if ((item.used >> word & 1U) == 0) continue;
      event.location = location(item, word);
      if (item.kind != OnlineKind::write) {
        event.kind = Event::Kind::read;
        event.is_reduction = item.kind == OnlineKind::atomic && !item.returns;
        read_event[i + 1][word] = e.add(event);
        event.is_reduction = false;
      }
      if (writes(item)) {
        event.kind = Event::Kind::write;
        write_event[i + 1][word] = e.add(event);
      }
      if (item.kind == OnlineKind::atomic) e.rmw.add(read_event[i + 1][word], write_event[i + 1][word]);
    }
  }
  Relation co(static_cast<unsigned>(e.events.size()));
  for (unsigned i = 0; i < random.items.size(); ++i) {
    const Item& item = random.items[i];
    for (unsigned word = 0; word < RandomExecution::words; ++word) {
      if (!is_access(item) || (item.used >> word & 1U) == 0) continue;
      const unsigned at = location(item, word);
      if (item.kind == OnlineKind::read) {
        const unsigned of = item.read_of[word];
        e.rf.add(of == 0 ? initial[at] : write_event[of][word], read_event[i + 1][word]);
        continue;
      }
      if (item.kind == OnlineKind::atomic) e.rf.add(last[at], read_event[i + 1][word]);
      co.add(last[at], write_event[i + 1][word]);
      last[at] = write_event[i + 1][word];
    }
  }
  e.co = co.closure();
  return judge(e, model);
}

void tell(const RandomExecution& random, OnlineChecker& checker) {
  std::vector<LineVersion> versions(random.items.size() + 1);
  std::vector<bool> performed(random.items.size() + 1);
  performed[0] = true;
  const auto access_of = [&random](unsigned i) {
    const Item& item = random.items[i];
    return OnlineAccess{item.thread, item.step,       item.line,   RandomExecution::bytes(item.used),
                        i,           manner_of(item), item.returns};
  };
  for (unsigned i = 0; i < random.items.size(); ++i) {
    const Item& item = random.items[i];
    const OnlineAccess access = access_of(i);
    switch (item.kind) {
      case OnlineKind::join: {
        const auto meeting = checker.meet({checker.arrive({0, item.step}), checker.arrive({1, item.step})});
        for (const std::uint32_t thread : {0U, 1U}) checker.leave({thread, item.step}, meeting);
        break;
      }
      case OnlineKind::fence:
        checker.fence(access, item.semantics == Semantics::sc && item.scope == Scope::sys);
        break;
      case OnlineKind::read: {
        std::vector<ReadPart> parts;
        for (unsigned word = 0; word < RandomExecution::words; ++word) {
          if ((item.used >> word & 1U) == 0) continue;
          const unsigned of = item.read_of[word];
          parts.push_back({RandomExecution::bytes(1U << word), versions[of], performed[of] ? 0U : of});
          if (!performed[of]) checker.announce(access_of(of - 1), of);
        }
        checker.read(access, parts);
        break;
      }
      case OnlineKind::write:
      case OnlineKind::atomic:
        versions[i + 1] = item.kind == OnlineKind::write ? checker.write(access, i + 1) : checker.atomic(access, i + 1);
        performed[i + 1] = true;
        break;
    }
  }
}

}  // namespace syncline::consistency
