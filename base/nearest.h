// "did you mean": the nearest valid name for a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncline::base {

/// The candidate with the smallest edit distance (insert, delete, replace, swap of neighbours) to `name`, when that is
/// at most a third of the name's length and at least 1 is allowed; empty otherwise, and for names of more than 256
/// characters. Ties go to the earlier candidate.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// "; did you mean `x`?" for the nearest candidate, else "; expected one of: a, b, c" (at most `limit` of them).
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::size_t limit = 12);

}  // namespace syncline::base
