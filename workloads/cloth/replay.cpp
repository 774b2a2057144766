#include "workloads/cloth/replay.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace syncline::workloads::cloth {
namespace {

constexpr std::size_t nobody = ~std::size_t{0};

/// Which solve took each ticket of each particle.
class Timetable {
 public:
  Timetable(std::size_t particles, const std::vector<Spring>& springs, std::size_t rounds) : begin_(particles + 1) {
    for (const Spring& spring : springs) begin_[spring.a + 1] += rounds, begin_[spring.b + 1] += rounds;
    for (std::size_t p = 0; p < particles; ++p) begin_[p + 1] += begin_[p];
    solves_.assign(begin_.back(), nobody);
  }
  std::size_t count(std::uint32_t particle) const { return begin_[particle + 1] - begin_[particle]; }
  /// The solve with this ticket; `nobody` behind the last one.
  std::size_t at(std::uint32_t particle, std::uint32_t ticket) const {
    return ticket < count(particle) ? solves_[begin_[particle] + ticket] : nobody;
  }
  /// False when there is no such ticket or it is taken.
  bool enter(std::uint32_t particle, std::uint32_t ticket, std::size_t solve) {
    if (ticket >= count(particle) || at(particle, ticket) != nobody) return false;
    solves_[begin_[particle] + ticket] = solve;
    return true;
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> solves_;
};

std::int32_t moved_by(float difference, float part) {
  return static_cast<std::int32_t>(difference * part);  // towards zero
}

}  // namespace

bool operator==(const Particle& a, const Particle& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.solves == b.solves;
}

void solve(const Spring& spring, Particle& a, Particle& b) {
  // Single precision with one rounding per operation, as the kernel has it.
  const std::array<float, 3> d{static_cast<float>(b.x - a.x), static_cast<float>(b.y - a.y),
                               static_cast<float>(b.z - a.z)};
  const float length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (length > spring.rest) {
    const float excess = (length - spring.rest) * (1.0F / length);
    const float part_of_a = excess * spring.share;
    const float part_of_b = excess * (1.0F - spring.share);
    a.x += moved_by(d[0], part_of_a), b.x -= moved_by(d[0], part_of_b);
    a.y += moved_by(d[1], part_of_a), b.y -= moved_by(d[1], part_of_b);
    a.z += moved_by(d[2], part_of_a), b.z -= moved_by(d[2], part_of_b);
  }
  ++a.solves;
  ++b.solves;
}

double stretch(const std::vector<Particle>& particles, const std::vector<Spring>& springs) {
  double squares = 0;
  for (const Spring& spring : springs) {
    const Particle& a = particles[spring.a];
    const Particle& b = particles[spring.b];
    const double length = std::hypot(b.x - a.x, b.y - a.y, b.z - a.z);
    const double elongation = std::fmax(0, length / static_cast<double>(spring.rest) - 1);
    squares += elongation * elongation;
  }
  return std::sqrt(squares / static_cast<double>(springs.size()));
}

Verdict replay(std::vector<Particle>& particles, const std::vector<Spring>& springs,
               const std::vector<Tickets>& tickets) {
  Timetable timetable(particles.size(), springs, tickets.size() / springs.size());
  const auto spring_of = [&](std::size_t solve) -> const Spring& { return springs[solve % springs.size()]; };
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    const Spring& spring = spring_of(i);
    const auto refused = [&](std::uint32_t particle, std::uint32_t ticket) {
      return Verdict{false, fmt::format("solve {} found particle {} after {} solves, which {}", i, particle, ticket,
                                        ticket < timetable.count(particle) ? "another one had found before"
                                                                           : "is more than it has springs for")};
    };
    if (!timetable.enter(spring.a, tickets[i].a, i)) return refused(spring.a, tickets[i].a);
    if (!timetable.enter(spring.b, tickets[i].b, i)) return refused(spring.b, tickets[i].b);
    if (i >= springs.size() && tickets[i].a <= tickets[i - springs.size()].a)
      return {false, fmt::format("solve {} came before solve {}, which its thread did first", i, i - springs.size())};
  }

  // A solve is due when it has the next ticket of both of its ends.
  std::vector<std::size_t> due;
  const auto add_if_due = [&](std::size_t i) {
    if (i == nobody) return;
    const Spring& spring = spring_of(i);
    if (particles[spring.a].solves == tickets[i].a && particles[spring.b].solves == tickets[i].b) due.push_back(i);
  };
  for (std::size_t i = 0; i < tickets.size(); ++i) add_if_due(i);
  std::size_t done = 0;
  while (!due.empty()) {
    const Spring& spring = spring_of(due.back());
    due.pop_back();
    Particle& a = particles[spring.a];
    Particle& b = particles[spring.b];
    solve(spring, a, b);
    ++done;
    const std::size_t next_of_a = timetable.at(spring.a, a.solves);
    const std::size_t next_of_b = timetable.at(spring.b, b.solves);
    add_if_due(next_of_a);
    if (next_of_b != next_of_a) add_if_due(next_of_b);
  }
  if (done != tickets.size())
    return {false, fmt::format("no order of the solves agrees with what they found: {} of {} wait for each other",
                               tickets.size() - done, tickets.size())};
  return {true, fmt::format("{} solves are in an order", done)};
}

}  // namespace syncline::workloads::cloth
