#include <fmt/format.h>

#include <optional>

#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t elements = 64;
constexpr std::uint32_t words_per_element = 32;
constexpr std::uint32_t modulus = 103'072'243;  ///< every value but the first ones is below it

std::uint32_t mix(std::uint32_t i, std::uint32_t j) {
  return (i + j * 103'995'407) % modulus;
}

/// Word `word` of the elements before the run; behind each element lies what nobody may touch.
std::uint32_t initial_word(std::uint32_t word) {
  const std::uint32_t element = word / words_per_element;
  return word % words_per_element == 0 ? mix(element, element) : 0xdead0000 + word;
}

struct Result {
  std::vector<std::uint32_t> words, signatures;
};

/// The signature with which a thread begins. Not its number: from 0, with element 0 at 0, a thread alone never moves
/// on.
std::uint32_t first_signature(std::uint32_t thread) {
  return thread + 1;
}

/// What one thread makes of the elements when no other one disturbs it.
Result alone(std::uint32_t rounds) {
  std::vector<std::uint32_t> value(elements);
  for (std::uint32_t i = 0; i < elements; ++i) value[i] = initial_word(i * words_per_element);
  std::uint32_t signature = first_signature(0);
  while (rounds-- > 0) {
    signature = mix(signature, value[signature % elements]);
    std::uint32_t& second = value[signature % elements];
    second = signature = mix(signature, second);
  }
  Result result{{}, {signature}};
  for (std::uint32_t word = 0; word < elements * words_per_element; ++word)
    result.words.push_back(word % words_per_element == 0 ? value[word / words_per_element] : initial_word(word));
  return result;
}

/// What no interleaving gives, in words; nothing when there is none of it. (A walk ends where it began with a chance of
/// one in 100 million.)
std::optional<std::string> impossible(const Result& result) {
  for (std::uint32_t word = 0; word < result.words.size(); ++word) {
    const std::uint32_t found = result.words[word];
    if (word % words_per_element != 0 && found != initial_word(word))
      return fmt::format("word {} between the elements is {:#x}, and nobody writes there", word, found);
    if (word % words_per_element == 0 && found >= modulus)
      return fmt::format("element {} is {}, which no step makes", word / words_per_element, found);
  }
  for (std::uint32_t thread = 0; thread < result.signatures.size(); ++thread) {
    if (result.signatures[thread] >= modulus)
      return fmt::format("the signature of thread {} is {}, which no step makes", thread, result.signatures[thread]);
    if (result.signatures[thread] == first_signature(thread))
      return fmt::format("thread {} has the signature with which it began", thread);
  }
  return std::nullopt;
}

std::string signature_of(const Result& result) {
  std::uint32_t signature = result.signatures[0];
  for (std::size_t thread = 1; thread < result.signatures.size(); ++thread)
    signature = mix(result.signatures[thread], signature);
  return fmt::format("{:08x}", signature);
}

/// Exchanges lose no value: what the threads put in and did not take out is what the elements have gained.
std::optional<std::string> lost_values(const Result& result, const std::vector<std::uint32_t>& balances) {
  std::uint32_t gained = 0;
  for (const std::uint32_t balance : balances) gained -= balance;
  for (std::uint32_t word = 0; word < result.words.size(); word += words_per_element)
    gained += result.words[word] - initial_word(word);
  if (gained == 0) return std::nullopt;
  return fmt::format("an exchange was lost: the elements' sum is {} more than what was put in less what was taken",
                     gained);
}

struct Shape {
  std::uint32_t ctas = 1;
  std::uint32_t threads = 1;  ///< of a CTA
  bool atomic = false;
};

Verdict run_racey(const Context& context, const Shape& shape) {
  const std::uint32_t threads = shape.ctas * shape.threads;
  const std::uint32_t rounds = by_size(context.size, 100U, 1'000U, 50'000U);
  Result result;
  for (std::uint32_t word = 0; word < elements * words_per_element; ++word) result.words.push_back(initial_word(word));
  for (std::uint32_t thread = 0; thread < threads; ++thread) result.signatures.push_back(first_signature(thread));

  Program program(context);
  const DevicePointer element = program.upload(result.words);
  const DevicePointer signature = program.upload(result.signatures);
  const DevicePointer balance = program.allocate<std::uint32_t>(threads);
  const Launch launch{{shape.ctas, 1, 1}, {shape.threads, 1, 1}};
  if (shape.atomic) {
    program.launch("racey_atomic", launch, element, signature, balance, rounds);
  } else {
    program.launch("racey", launch, element, signature, rounds);
  }
  result.words = program.download<std::uint32_t>(element, result.words.size());
  result.signatures = program.download<std::uint32_t>(signature, threads);

  std::optional<std::string> wrong = impossible(result);
  if (!wrong && shape.atomic) wrong = lost_values(result, program.download<std::uint32_t>(balance, threads));
  if (wrong) return {false, *wrong};
  const std::string found = signature_of(result);
  const std::string said = fmt::format("signature {} of {} thread{}", found, threads, threads == 1 ? "" : "s");
  if (threads > 1) return {true, said + "; nothing is out of range", found};
  const Result expected = alone(rounds);
  if (result.words == expected.words && result.signatures == expected.signatures)
    return {true, said + ", as on the CPU", found};
  return {false, said + ", the CPU's is another: " + signature_of(expected), found};
}

}  // namespace

Verdict run_racey(const Context& context) {
  return run_racey(context, {12, context.device.warp_size()});
}
Verdict run_racey_atomic(const Context& context) {
  return run_racey(context, {12, context.device.warp_size(), true});
}
Verdict run_racey_cta(const Context& context) {
  return run_racey(context, {1, 4 * context.device.warp_size()});
}
Verdict run_racey_warp(const Context& context) {
  return run_racey(context, {1, context.device.warp_size()});
}
Verdict run_racey_thread(const Context& context) {
  return run_racey(context, {1, 1});
}

}  // namespace syncline::workloads
