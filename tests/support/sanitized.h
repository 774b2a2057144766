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

inline constexpr const char* explores_long =
    "a sanitizer sees no more in the hundredth program than in the first, and makes this one take a minute";

}  // namespace syncline::tests
