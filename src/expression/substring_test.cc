#include "expression/substring.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/property.h"

namespace stator::expression {
namespace {

bool IsLinear(std::string_view text, std::string_view part) {
  std::size_t looked_at = 0;
  EXPECT_EQ(HasSubstring(text, part, looked_at), text.find(part) != std::string_view::npos);
  return looked_at <= 5 * (text.size() + part.size()) + 5;
}

TEST(HasSubstring, FindsWhatIsThere) {
  EXPECT_TRUE(HasSubstring("", ""));
  EXPECT_TRUE(HasSubstring("abc", ""));
  EXPECT_TRUE(HasSubstring("abc", "abc"));
  EXPECT_TRUE(HasSubstring("abc", "c"));
  EXPECT_TRUE(HasSubstring("xxabab", "abab"));
  EXPECT_TRUE(HasSubstring(std::string_view("a\0b\xFF", 4), std::string_view("\0b\xFF", 3)));
  EXPECT_FALSE(HasSubstring("", "a"));
  EXPECT_FALSE(HasSubstring("abc", "d"));
  EXPECT_FALSE(HasSubstring("abc", "abcd"));
  EXPECT_FALSE(HasSubstring("ababab", "abb"));
}

// All strings of up to 9 letters "a" and "b" in strings of up to 12: every period and every cut.
TEST(HasSubstring, AgreesWithThePlainSearchOnAllShortTexts) {
  const auto text_of = [](unsigned bits, unsigned size) {
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
      text.push_back((bits >> i & 1U) != 0 ? 'b' : 'a');
    }
    return text;
  };
  for (unsigned bits = 0; bits < 1U << 12U; bits += 3) {
    const std::string text = text_of(bits, 12);
    for (unsigned size = 1; size <= 6; ++size) {
      for (unsigned part = 0; part < 1U << size; ++part) {
        ASSERT_EQ(HasSubstring(text, text_of(part, size)),
                  text.find(text_of(part, size)) != std::string::npos)
            << text << " " << text_of(part, size);
      }
    }
  }
}

TEST(HasSubstring, AgreesWithThePlainSearch) {
  base::CheckProperty(300, [](const std::vector<bool>& text, const std::vector<bool>& part) {
    const auto text_of = [](const std::vector<bool>& bits) {
      std::string made;
      for (const bool bit : bits) {
        made += bit ? "ab" : "a";
      }
      return made;
    };
    const std::string whole = text_of(text);
    const std::string piece = text_of(part);
    RC_ASSERT(HasSubstring(whole, piece) == whole.contains(piece));
    RC_ASSERT(IsLinear(whole, piece));
    RC_ASSERT(HasSubstring(whole + piece + whole, piece));
  });
}

TEST(HasSubstring, LooksAtEachByteAFewTimesWhateverTheTextsAre) {
  const std::string text(40'000, 'a');
  std::string fibonacci = "a";
  std::string next = "ab";
  while (fibonacci.size() < 40'000) {
    fibonacci.swap(next);
    next += fibonacci;
  }
  for (const std::size_t size : {2U, 3U, 100U, 1'000U, 20'000U}) {
    for (const std::size_t odd_one : {std::size_t{0}, size / 2, size - 1}) {
      std::string part(size, 'a');
      part[odd_one] = 'b';
      EXPECT_TRUE(IsLinear(text, part)) << size << " " << odd_one;
      EXPECT_TRUE(IsLinear(text + part, part)) << size << " " << odd_one;
      std::string piece = fibonacci.substr(7, size);
      EXPECT_TRUE(IsLinear(fibonacci, piece)) << size;
      piece[odd_one] = 'c';
      EXPECT_TRUE(IsLinear(fibonacci, piece)) << size << " " << odd_one;
    }
  }
}

}  // namespace
}  // namespace stator::expression
