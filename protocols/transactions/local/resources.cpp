#include "protocols/transactions/local/resources.h"

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

Lack lack_of(const LocalTmSpec& spec, const ComputeUnit& unit, const ProgramNeeds& program) {
  const auto words = static_cast<std::uint32_t>(base::round_up(program.memory_bytes, word_bytes) / word_bytes);
  if (words > most_words(unit)) return Lack::memory;
  const Resources more = resources_of(spec, unit, words);
  const auto exceeds = [](std::uint64_t needs, std::uint64_t takes, std::uint32_t has) { return needs + takes > has; };
  if (exceeds(program.vector_registers, more.vector_registers(), unit.vector_registers)) return Lack::vector_registers;
  if (exceeds(program.scalar_registers, more.scalar_registers(), unit.scalar_registers)) return Lack::scalar_registers;
  return Lack::none;
}

}  // namespace syncline::protocols::local
