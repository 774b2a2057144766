#include "platform/stress/episode.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "protocols/coherence/explore/program.h"

namespace syncline::stress {
namespace {

constexpr unsigned no_lock = ~0U;

/// Names of the words that an episode uses: a letter for the line, a number for words behind the first.
std::string location_name(const Episode& episode, unsigned line, unsigned word) {
  std::uint32_t used = 0;
  for (const Thread& thread : episode.threads) {
    for (const Op& op : thread.ops) used |= op.accesses() && op.line == line ? op.words : 0;
  }
  constexpr std::string_view letters = "xyzuvwabcdefghijklmnopqrst";
  std::string name = line < letters.size() ? std::string(1, letters[line]) : fmt::format("l{}_", line);
  const int place = __builtin_popcount(used & ((1U << word) - 1));
  return place == 0 ? name : fmt::format("{}{}", name, place);
}

std::string qualifiers(const Op& op) {
  switch (op.semantics) {
    case isa::Semantics::none:
    case isa::Semantics::weak:
    case isa::Semantics::mmio:
      break;
    case isa::Semantics::volatile_:
      return ".volatile";
    case isa::Semantics::relaxed:
      return ".relaxed";
    case isa::Semantics::acquire:
      return ".acquire";
    case isa::Semantics::release:
      return ".release";
    case isa::Semantics::acq_rel:
      return ".acq_rel";
    case isa::Semantics::sc:
      return ".sc";
  }
  if (op.cache == isa::CacheOp::lu) return ".lu";
  return op.cache == isa::CacheOp::cg ? ".cg" : op.read_only ? ".nc" : "";
}

bool is_whole(const Episode& episode, const Op& op, unsigned held) {
  if (!op.accesses() || episode.kind == EpisodeKind::racy) return true;
  bool whole = true;
  op.for_each_word([&](unsigned word) {
    const WordUse use = episode.uses[op.line][word];
    if (use.kind == WordUse::Kind::guarded && use.by != held) whole = false;
  });
  return whole;
}

void tidy(const Episode& episode, Thread& thread) {
  std::vector<Op> kept;
  for (std::size_t i = 0; i < thread.ops.size(); ++i) {
    const Op& op = thread.ops[i];
    if (op.kind == OpKind::unlock) continue;  // of a section whose lock has gone
    if (op.kind != OpKind::lock) {
      if (is_whole(episode, op, no_lock)) kept.push_back(op);
      continue;
    }
    std::size_t end = i + 1;
    while (end < thread.ops.size() && thread.ops[end].kind != OpKind::unlock && thread.ops[end].kind != OpKind::lock)
      ++end;
    if (end == thread.ops.size() || thread.ops[end].kind == OpKind::lock || thread.ops[end].line != op.line ||
        thread.ops[end].words != op.words)
      continue;
    const unsigned held = episode.uses[op.line][op.word()].by;
    for (; i <= end; ++i) {
      if (is_whole(episode, thread.ops[i], held)) kept.push_back(thread.ops[i]);
    }
    --i;
  }
  thread.ops = std::move(kept);
  for (auto op = thread.ops.begin(); op != thread.ops.end(); ++op) {
    if (op->cache != isa::CacheOp::lu) continue;
    const auto next = op + 1;
    const bool written_again = next != thread.ops.end() && next->kind == OpKind::store && next->line == op->line &&
                               !next->low_byte && (op->words & ~next->words) == 0;
    if (!written_again) op->cache = isa::CacheOp::none;
  }
}

void drop_unused_lines(Episode& episode) {
  std::vector<bool> used(episode.lines.size());
  for (const Thread& thread : episode.threads) {
    for (const Op& op : thread.ops) used[op.line] = used[op.line] || op.accesses();
  }
  std::vector<std::uint8_t> place(used.size());
  Episode smaller = episode;
  smaller.lines.clear();
  smaller.uses.clear();
  smaller.private_lines = 0;
  for (unsigned line = 0; line < used.size(); ++line) {
    if (!used[line]) continue;
    place[line] = static_cast<std::uint8_t>(smaller.lines.size());
    smaller.lines.push_back(episode.lines[line]);
    if (!episode.uses.empty()) smaller.uses.push_back(episode.uses[line]);
    smaller.private_lines += episode.is_private(line) ? 1 : 0;
  }
  for (Thread& thread : smaller.threads) {
    for (Op& op : thread.ops) op.line = op.accesses() ? place[op.line] : 0;
  }
  episode = std::move(smaller);
}

}  // namespace

const char* name(EpisodeKind kind) {
  return kind == EpisodeKind::racy ? "racy" : "race-free";
}

std::size_t Episode::operations() const {
  std::size_t count = 0;
  for (const Thread& thread : threads) count += thread.ops.size();
  return count;
}

void tidy(Episode& episode) {
  std::vector<Thread> kept;
  std::vector<std::uint8_t> place(episode.threads.size());
  for (std::size_t t = 0; t < episode.threads.size(); ++t) {
    Thread& thread = episode.threads[t];
    tidy(episode, thread);
    if (thread.ops.empty()) continue;  // whom its words belong to is all the same: nobody else names them
    place[t] = static_cast<std::uint8_t>(kept.size());
    kept.push_back(std::move(thread));
  }
  episode.threads = std::move(kept);
  for (auto& line : episode.uses) {
    for (WordUse& use : line) {
      if (use.kind == WordUse::Kind::owned) use.by = place[use.by];
    }
  }
  drop_unused_lines(episode);
}

std::uint32_t shown_value(const Episode& episode, std::uint32_t value, std::uint32_t initial) {
  std::uint32_t atomics = 0, stores = 0, rank = 0;
  for (const Thread& thread : episode.threads) {
    for (const Op& op : thread.ops) {
      atomics += op.kind == OpKind::add ? 1 : 0;
      if (op.kind != OpKind::store) continue;
      ++stores;
      if (op.value / value_step == value / value_step) rank = stores;
    }
  }
  return rank == 0 ? value - initial : rank * (atomics + 1) + value % value_step;
}

std::string text_of(const Episode& episode, const Op& op) {
  constexpr std::string_view names[] = {"ld", "st", "add", "fence", "lock", "unlock", "flush"};
  std::string text(names[static_cast<std::size_t>(op.kind)]);
  if (!op.accesses()) return text;
  if (op.kind != OpKind::lock && op.kind != OpKind::unlock) text += qualifiers(op);
  char separator = ' ';
  op.for_each_word([&](unsigned word) {
    text += fmt::format("{}{}", separator, location_name(episode, op.line, word));
    separator = ',';
  });
  const bool counted = op.kind == OpKind::store && episode.kind == EpisodeKind::racy;
  if (op.kind == OpKind::store || op.kind == OpKind::add)
    text += fmt::format(" {}", counted ? shown_value(episode, op.value, 0) : op.value);
  return text;
}

std::string text_of(const Episode& episode) {
  std::string text;
  for (std::size_t t = 0; t < episode.threads.size(); ++t) {
    const Thread& thread = episode.threads[t];
    text += fmt::format("thread {} on L1 {}: ", t, thread.l1);
    for (std::size_t i = 0; i < thread.ops.size(); ++i) text += (i == 0 ? "" : "; ") + text_of(episode, thread.ops[i]);
    text += '\n';
  }
  return text;
}

std::string check_program(const Episode& episode) {
  namespace explore = protocols::explore;
  std::map<unsigned, std::uint8_t> l1s;
  std::string text;
  for (const Thread& thread : episode.threads) {
    if (!text.empty()) text += " | ";
    const auto number = static_cast<std::uint8_t>(&thread - episode.threads.data());
    for (const Op& original : thread.ops) {
      Op op = original;
      op.semantics = isa::Semantics::weak;
      op.cache = isa::CacheOp::none;
      const bool known = op.kind <= OpKind::fence && __builtin_popcount(op.words) == 1 && !op.low_byte &&
                         op.repeat == 1 && op.line + episode.private_lines < episode.lines.size();
      if (!known) return {};
      text += (&original == thread.ops.data() ? "" : "; ") + text_of(episode, op);
    }
    const auto [l1, first] = l1s.emplace(thread.l1, number);
    if (!first) text += fmt::format(" @{}", l1->second);
  }
  try {
    explore::parse_program(text);
  } catch (const base::UserError&) {
    return {};
  }
  return text;
}

}  // namespace syncline::stress
