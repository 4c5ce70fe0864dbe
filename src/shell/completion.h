// What the word in front of the cursor could become.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stator::shell {

// The word that a line ends with.
struct Word {
  std::string text;
  bool is_quoted = false;  // behind a double quote that is still open: a name
  bool is_text = false;    // inside of a string: nothing that could be known
  bool is_table = false;   // behind FROM, INTO, UPDATE or \d
};
Word WordAtEnd(std::string_view line);

// What is inserted, in order, each once. `names` are of tables and attributes; those that a
// statement has to quote come quoted, and those that cannot be shown are left out. Keywords and
// functions follow only a word that has begun, and is no table.
std::vector<std::string> CompletionsOf(const Word& word, const std::vector<std::string>& names);

// What all of them begin with.
std::string CommonBeginning(const std::vector<std::string>& words);

}  // namespace stator::shell
