// The host side of programs whose CTAs work on data of their own (cta_sections.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/common/option.h"
#include "workloads/common/workload.h"

namespace syncline::workloads {

/// Of a CTA: four wavefronts of 64, as in GPU-LocalTM.
constexpr std::uint32_t cta_threads = 256;

struct CtaProgram {
  std::string kernel;                ///< the beginning of its kernels' names
  std::uint32_t words = 0;           ///< of the data of a CTA
  std::uint32_t size = 0;            ///< the kernels' argument
  std::vector<std::uint32_t> input;  ///< of all CTAs, of each as much
  std::uint32_t ctas = 1;
};

/// What one may choose: how critical sections are executed, `sync`, and where the data lie, `memory`.
std::vector<Option> cta_sections();
/// By the context's size.
std::uint32_t cta_count(const Context& context);
/// What a CTA has left: `part(at, count)` of its words.
class CtaData {
 public:
  explicit CtaData(const std::uint32_t* words) : words_(words) {}
  std::vector<std::uint32_t> part(std::uint32_t at, std::uint32_t count) const {
    return {words_ + at, words_ + at + count};
  }

 private:
  const std::uint32_t* words_;
};
using CtaCheck = std::function<Verdict(std::uint32_t cta, const CtaData& data)>;

/// Runs the kernel of the context's choices, and has each CTA's data checked: the first verdict that failed, or the
/// last. UserError for what there is no kernel of.
Verdict run_ctas(const Context& context, const CtaProgram& program, const CtaCheck& check);

}  // namespace syncline::workloads
