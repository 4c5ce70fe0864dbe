// For tests: the header of an operation that is not in the list of this repository.

#pragma once

#include <string>

namespace stator {

struct EchoTextInput {
  std::string table_name;
  std::string text = {};
};

struct EchoTextOutput {
  std::string text;
};

}  // namespace stator
