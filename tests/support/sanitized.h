// What tests leave out under AddressSanitizer.
#pragma once

namespace syncline::tests {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline constexpr const char* no_exceptions =
    "AddressSanitizer loses the bounds of stacks when an exception leaves a SystemC thread, and reports what is not "
    "there";

}  // namespace syncline::tests
