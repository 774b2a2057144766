// The host side of programs whose CTAs work on data of their own (cta_sections.h).
#pragma once

#include <cstdint>
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
/// Runs the kernel of the context's choices. The data of all CTAs. UserError for what there is no kernel of.
std::vector<std::uint32_t> run_ctas(const Context& context, const CtaProgram& program);

}  // namespace syncline::workloads
