// What random programs have reached of a policy: rows of its table, and paths of its units.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace syncline::tests {

class Coverage {
 public:
  /// In the host program of a timed run, behind its last grid: the rows that the machine's units have taken.
  void add_rows();
  /// What a timed run has left as its statistics: JSON.
  void add_paths(const std::string& statistics);
  void add_shapes(const std::map<std::string, std::uint64_t>& shapes);
  void add(const Coverage& other);

  /// Rows that cannot be taken, with why.
  using Reasons = std::map<std::string, std::string>;
  /// Lines for people: how many of the rows that do something were taken, those that were not, and each path and shape
  /// with how often it was.
  std::string text(const Reasons& cannot) const;
  /// Rows that were not taken though they can be, or were though they cannot, each with what is wrong. UserError:
  /// `cannot` has a row that there is not.
  std::vector<std::string> wrong_rows(const Reasons& cannot) const;
  /// Whether the row, path or shape of this name was ever taken. UserError: there is none.
  bool hit(const std::string& name) const;

  std::string to_json() const;
  static Coverage of_json(const std::string& text);

 private:
  std::map<std::string, std::uint64_t> taken_;  ///< of rows that do something, by name
  std::map<std::string, std::uint64_t> paths_, shapes_;
};

}  // namespace syncline::tests
