// The three ways in which a run can go wrong, each with its exit status (docs/architecture.md, "Errors").
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace syncline::base {

/// Where a text says something. Line and column count from 1; 0 means "not known".
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string str() const;  ///< "file:line:column", as far as known
};

/// Exit statuses of the command line.
enum class ExitStatus : int { done = 0, not_verified = 1, user_error = 2, program_fault = 3, model_error = 4 };

/// Common base: `what()` is the whole message, location included.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& what) : std::runtime_error(what), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// A mistake of the user: configuration, PTX text, workload, command line. Status 2, nothing written.
class UserError : public Error {
 public:
  explicit UserError(const std::string& message) : Error(ExitStatus::user_error, message) {}
  UserError(const SourceLocation& where, const std::string& message)
      : Error(ExitStatus::user_error, where.str() + ": error: " + message), where_(where) {}
  const SourceLocation& where() const { return where_; }

 private:
  SourceLocation where_;
};

/// A fault of the simulated program: bad address, misaligned access, barrier deadlock. Status 3.
class ProgramFault : public Error {
 public:
  explicit ProgramFault(const std::string& message) : Error(ExitStatus::program_fault, message) {}
};

/// A broken invariant of a model: undefined transition, lost credit, no progress of the machine. Status 4.
class ModelError : public Error {
 public:
  explicit ModelError(const std::string& message) : Error(ExitStatus::model_error, message) {}
};

}  // namespace syncline::base
