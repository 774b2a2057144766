// FST, GTKWave's own format of waves: a fraction of the size of VCD, and opened at once however long it is.
#pragma once

#include <filesystem>

namespace syncline::platform {

/// UserError when the program that makes FST of VCD is not to be found: vcd2fst, which comes with GTKWave.
void require_fst_converter();

/// Writes what `vcd` holds to `fst`; false when that fails.
bool convert_to_fst(const std::filesystem::path& vcd, const std::filesystem::path& fst);

}  // namespace syncline::platform
