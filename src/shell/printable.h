// Text from a database as a terminal may be given it. Names and values are whatever somebody stored:
// what would move the cursor, change colours, ring, or turn the direction of the text around is
// written as an escape instead ("\n", "\u001b", "\xff" for a byte that is no UTF-8).

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stator::shell {

// One character of a text, as it is shown.
struct Glyph {
  std::string text;
  std::size_t columns = 1;  // of the terminal: 0 for an accent, 2 for most of East Asia
};

// Takes the first character off `text`, which is not empty.
Glyph TakeGlyph(std::string_view& text);

// All of it, however long.
std::string Printable(std::string_view text);

// JSON for a terminal: characters that JSON need not escape, but a terminal would obey, are escaped
// as JSON does it, so the text means the same.
std::string PrintableJson(std::string_view json);

}  // namespace stator::shell
