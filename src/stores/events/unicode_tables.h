// What unicode_text.cc needs of the Unicode database.

#pragma once

#include <cstdint>
#include <span>

namespace stator::events {

struct UnicodeDecomposition {
  std::uint32_t code;
  std::uint32_t first;
  std::uint32_t second;  // 0: there is but one
  bool composes;         // whether the two become the code again
};

// Code points from `first` to `last` have this combining class; those in no run have class 0.
struct UnicodeClass {
  std::uint32_t first;
  std::uint32_t last;
  std::uint8_t combining_class;
};

// Both ascending by code.
std::span<const UnicodeDecomposition> UnicodeDecompositions();
std::span<const UnicodeClass> UnicodeClasses();

}  // namespace stator::events
