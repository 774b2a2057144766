#include "base/error.h"

namespace syncline::base {

std::string SourceLocation::str() const {
  std::string text = file.empty() ? std::string("<input>") : file;
  if (line != 0) text += ":" + std::to_string(line);
  if (line != 0 && column != 0) text += ":" + std::to_string(column);
  return text;
}

}  // namespace syncline::base
