#include "protocols/coherence/explore/random_programs.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"

namespace syncline::protocols::explore {
namespace {

/// Draws one program after the other from a stream until one has something to tell.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t number, bool fences, bool places)
      : random_(seed, "program", number), fences_(fences), places_(places) {}

  Program program() {
    for (;;) {
      Program program = candidate();
      if (!tells(program)) continue;
      if (places_) place(program);
      program.text = text_of(program);
      return program;
    }
  }

 private:
  /// True in so many of a hundred cases.
  bool in(unsigned percent) { return random_.below(100) < percent; }

  void place(Program& program) {
    struct {
      std::uint8_t gpu, module;
    } of_l1[max_l1s];
    for (auto& place : of_l1)
      place = {static_cast<std::uint8_t>(random_.below(2)), static_cast<std::uint8_t>(random_.below(2))};
    for (Thread& thread : program.threads) {
      thread.is_placed = true;
      thread.gpu = of_l1[thread.l1].gpu;
      thread.module = of_l1[thread.l1].module;
      for (Op& op : thread.ops) {
        const bool may_be_weak = op.kind == OpKind::load || op.kind == OpKind::store;
        if (op.manner != Manner::plain || op.kind == OpKind::flush || op.scope == Scope::cta) continue;
        if (may_be_weak && op.ordering == Ordering::relaxed && in(60))
          op.scope = Scope::none;
        else if (in(60))
          op.scope = Scope::sys;
      }
    }
  }

  Program candidate() {
    Program program;
    static constexpr unsigned threads_of[] = {1, 2, 2, 2, 2, 2, 3, 3, 3, 3};
    program.threads.resize(threads_of[random_.below(10)]);
    has_two_lines_ = in(70);
    has_words_ = in(15);
    private_thread_ = has_two_lines_ && in(10) ? random_.below(static_cast<std::uint32_t>(program.threads.size())) : 9;
    has_manners_ = in(20);
    value_ = 0;
    share_l1s(program);
    if (in(30)) {
      cross(program);
      return program;
    }
    // Few programs are large: each further access, and above all each further thread, multiplies what there is to
    // explore.
    unsigned room = 3 + random_.below(5 - static_cast<std::uint32_t>(program.threads.size()));
    if (in(10)) room = std::min(RandomPrograms::most_accesses, room + 1 + random_.below(2));
    // First an access for each thread, then wherever there is room.
    for (Thread& thread : program.threads) add_access(program, thread, room);
    for (unsigned tries = 0; room != 0 && tries < 20; ++tries) {
      const auto t = random_.below(static_cast<std::uint32_t>(program.threads.size()));
      add_access(program, program.threads[t], room);
    }
    auto& threads = program.threads;  // an atomic may have taken the room of the next thread
    threads.erase(std::remove_if(threads.begin(), threads.end(), [](const Thread& t) { return t.ops.empty(); }),
                  threads.end());
    number_l1s(program);
    add_fences(program);
    if (in(12)) insert(program, {OpKind::flush});
    return program;
  }

  /// The frame of the classic shapes: each of two threads goes from one line to the other, now and then with a copy of
  /// the first line, and they meet crosswise or in the same order.
  void cross(Program& program) {
    program.threads.resize(2);
    if (in(70)) program.threads[1].l1 = 1;
    if (in(70)) program.threads[0].l1 = 0;
    number_l1s(program);
    private_thread_ = 9;
    const auto first = static_cast<std::uint8_t>(random_.below(2));
    unsigned room = RandomPrograms::most_accesses;
    for (std::size_t t = 0; t < 2; ++t) {
      Thread& thread = program.threads[t];
      const bool copy = in(25);
      for (unsigned i = 0; i < (copy ? 3U : 2U); ++i) {
        add_access(program, thread, room);
        Op& op = thread.ops.back();
        op.line = static_cast<std::uint8_t>((t == 0 ? 0 : first) ^ (i % 2));
      }
    }
    add_fences(program);
  }

  /// Threads have L1s of their own, all one, or two of them share one.
  void share_l1s(Program& program) {
    const bool any = in(55), all = in(25);
    const auto alone = random_.below(static_cast<std::uint32_t>(program.threads.size()));
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      program.threads[t].l1 = static_cast<std::uint8_t>(!any ? t : all || program.threads.size() == 2 ? 0 : t == alone);
    number_l1s(program);
  }

  /// L1s without gaps, in the order of threads.
  static void number_l1s(Program& program) {
    std::vector<std::uint8_t> seen;
    for (Thread& thread : program.threads) {
      const auto found = std::find(seen.begin(), seen.end(), thread.l1);
      const auto number = static_cast<std::uint8_t>(found - seen.begin());
      if (found == seen.end()) seen.push_back(thread.l1);
      thread.l1 = number;
    }
  }

  void add_access(const Program& program, Thread& thread, unsigned& room) {
    if (room == 0 || thread.ops.size() + 2 > max_operations) return;
    const auto t = static_cast<unsigned>(&thread - program.threads.data());
    Op op;
    op.line = static_cast<std::uint8_t>(has_two_lines_ && in(50) ? 1 : 0);
    const bool is_own = private_thread_ != 9 && op.line == 1;
    if (is_own && t != private_thread_) op.line = 0;
    if (has_words_) op.word = static_cast<std::uint8_t>(random_.below(max_words));
    const unsigned kind = random_.below(20);
    op.kind = kind < 10 ? OpKind::load : kind < 17 || room < 2 ? OpKind::store : OpKind::atomic;
    if (is_own && t == private_thread_) {
      op.manner = Manner::is_private;
      if (op.kind == OpKind::atomic) op.kind = OpKind::store;
    } else if (op.kind == OpKind::load && has_manners_ && in(40)) {
      op.manner = in(50) ? Manner::read_only : Manner::around_l1;
    }
    room -= op.kind == OpKind::atomic ? 2 : 1;
    if (op.kind == OpKind::atomic) op.atomic = static_cast<AtomicKind>(random_.below(3));
    if (op.writes()) op.value = next_value();
    // Finds what memory begins with, or what another write leaves.
    if (op.kind == OpKind::atomic && op.atomic == AtomicKind::cas)
      op.compare = static_cast<std::uint8_t>(random_.below(value_));
    order(op);
    thread.ops.push_back(op);
  }

  /// Values tell writes apart.
  std::uint8_t next_value() { return ++value_; }

  Scope scope() {
    const unsigned percent = random_.below(100);
    return percent < 75 ? Scope::gpu : percent < 92 ? Scope::cta : Scope::sys;
  }

  void order(Op& op) {
    if (op.manner != Manner::plain || !in(fences_ ? 25 : 8)) return;
    op.scope = scope();
    if (op.kind == OpKind::load) op.ordering = in(85) ? Ordering::acquire : Ordering::relaxed;
    if (op.kind == OpKind::store) op.ordering = in(85) ? Ordering::release : Ordering::relaxed;
    if (op.kind == OpKind::atomic) op.ordering = static_cast<Ordering>(random_.below(4));
  }

  void add_fences(Program& program) {
    if (!in(fences_ ? 70 : 15)) return;
    for (Thread& thread : program.threads) {
      // Between the accesses of a thread, or anywhere.
      for (std::size_t at = 1; at < thread.ops.size() && thread.ops.size() < max_operations; ++at) {
        if (!in(40)) continue;
        Op fence;
        fence.kind = OpKind::fence;
        fence.ordering = in(80) ? Ordering::relaxed : Ordering::acq_rel;
        fence.scope = scope();
        thread.ops.insert(thread.ops.begin() + static_cast<std::ptrdiff_t>(at++), fence);
      }
    }
  }

  void insert(Program& program, const Op& op) {
    auto& ops = program.threads[random_.below(static_cast<std::uint32_t>(program.threads.size()))].ops;
    if (ops.size() == max_operations) return;
    ops.insert(ops.begin() + random_.below(static_cast<std::uint32_t>(ops.size() + 1)), op);
  }

  /// Whether an order of its accesses can be seen: each line but a thread's own is written, and touched besides.
  static bool tells(const Program& program) {
    bool any = false;
    for (unsigned line = 0; line < program.lines(); ++line) {
      unsigned touched = 0, writers = 0;
      for (const Thread& thread : program.threads) {
        for (const Op& op : thread.ops) {
          if (!op.has_location() || op.line != line) continue;
          ++touched;
          writers += op.writes() ? 1 : 0;
        }
      }
      if (program.is_private(line)) continue;
      if (touched < 2 || writers == 0) return false;
      any = true;
    }
    return any;
  }

  base::Random random_;
  bool fences_, places_;
  bool has_two_lines_ = false, has_words_ = false, has_manners_ = false;
  unsigned private_thread_ = 9;  ///< none
  std::uint8_t value_ = 0;
};

}  // namespace

Program RandomPrograms::at(std::uint64_t number) const {
  return Draw(seed_, number, fences_, places_).program();
}

}  // namespace syncline::protocols::explore
