#include "protocols/transactions/local/resources.h"

#include <array>

#include "base/round_up.h"

namespace syncline::protocols::local {
namespace {

constexpr std::uint32_t word_bytes = 4, register_bits = 32;

std::uint32_t registers_for(std::uint64_t bits) {
  return static_cast<std::uint32_t>(base::round_up(bits, register_bits) / register_bits);
}

}  // namespace

std::uint32_t shadow_bytes_of_a_word(const ComputeUnit& unit) {
  return word_bytes + (std::uint64_t{unit.wavefronts} * unit.lanes <= 256 ? 1 : 2);
}

std::uint32_t most_words(const ComputeUnit& unit) {
  return unit.memory_bytes / (word_bytes + shadow_bytes_of_a_word(unit));
}

Resources resources_of(const LocalTmSpec& spec, const ComputeUnit& unit, std::uint32_t words) {
  const std::uint64_t items = std::uint64_t{unit.wavefronts} * unit.lanes;
  Resources all;
  all.words = words;
  all.shadow_bytes = words * shadow_bytes_of_a_word(unit);
  if (spec.has_signatures()) all.signatures = registers_for(items * spec.banks * spec.signature_bits);
  if (spec.detection == Detection::smdcd) all.shared_modified = registers_for(std::uint64_t{2} * words);
  all.tcm = unit.wavefronts * registers_for(unit.lanes);
  if (is_multiple(spec.selection)) all.mcm = all.tcm;
  all.helpers = unit.wavefronts * spec.helpers() * registers_for(spec.helper_bits);
  return all;
}

std::string_view name(Lack lack) {
  static constexpr std::array<std::string_view, 4> names{"nothing", "bytes of shared memory", "vector registers",
                                                         "scalar registers"};
  return names[static_cast<std::size_t>(lack)];
}

std::uint32_t words_of(const ProgramNeeds& program) {
  return static_cast<std::uint32_t>(base::round_up(program.transactional_bytes, word_bytes) / word_bytes);
}

Shortfall shortfall_of(const LocalTmSpec& spec, const ComputeUnit& unit, const ProgramNeeds& program) {
  const std::uint32_t words = words_of(program);
  const Resources more = resources_of(spec, unit, words);
  for (const Shortfall& all :
       {Shortfall{Lack::memory, base::round_up(program.memory_bytes, word_bytes) + more.shadow_bytes,
                  unit.memory_bytes},
        Shortfall{Lack::vector_registers, std::uint64_t{program.vector_registers} + more.vector_registers(),
                  unit.vector_registers},
        Shortfall{Lack::scalar_registers, std::uint64_t{program.scalar_registers} + more.scalar_registers(),
                  unit.scalar_registers}}) {
    if (all.needs > all.has) return all;
  }
  return {};
}

}  // namespace syncline::protocols::local
