// Names at compile time: of types, and of members and enumerators in the style that is asked for.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "stator/mapping/options.h"

namespace stator::mapping {

// A name as a template argument, so that compilers show it when they refuse it.
struct ShownName {
  char text[64] = {};
};

consteval ShownName Show(std::string_view name) {
  ShownName shown;
  std::copy_n(name.begin(), std::min(name.size(), sizeof(shown.text) - 1), shown.text);
  return shown;
}

template <std::size_t kCapacity>
struct NameBuffer {
  std::array<char, kCapacity> text = {};
  std::size_t size = 0;

  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size}; }
};

constexpr bool IsUpper(char character) {
  return character >= 'A' && character <= 'Z';
}
constexpr bool IsLower(char character) {
  return character >= 'a' && character <= 'z';
}
constexpr char ToLower(char character) {
  return IsUpper(character) ? static_cast<char>(character - 'A' + 'a') : character;
}
constexpr char ToUpper(char character) {
  return IsLower(character) ? static_cast<char>(character - 'a' + 'A') : character;
}

// Without the k of kEnumerator and the _ of member_.
constexpr std::string_view BareName(std::string_view written) {
  if (written.size() > 1 && written[0] == 'k' && IsUpper(written[1])) {
    written.remove_prefix(1);
  }
  while (written.size() > 1 && written.back() == '_') {
    written.remove_suffix(1);
  }
  return written;
}

// Whether a word begins at `at`: after an underscore, at HTTP|Server and at created|At.
constexpr bool BeginsWord(std::string_view name, std::size_t at) {
  if (at == 0 || name[at - 1] == '_') {
    return true;
  }
  if (!IsUpper(name[at])) {
    return false;
  }
  return !IsUpper(name[at - 1]) || (at + 1 < name.size() && IsLower(name[at + 1]));
}

constexpr char StyledCharacter(char character, bool begins_word, bool first, NameStyle style) {
  switch (style) {
    case NameStyle::kUpperCase:
      return ToUpper(character);
    case NameStyle::kPascalCase:
      return begins_word ? ToUpper(character) : ToLower(character);
    case NameStyle::kCamelCase:
      return begins_word && !first ? ToUpper(character) : ToLower(character);
    default:
      return ToLower(character);
  }
}

template <std::size_t kCapacity>
constexpr NameBuffer<kCapacity> Restyle(std::string_view written, NameStyle style) {
  const std::string_view name = BareName(written);
  const bool separated = style == NameStyle::kSnakeCase || style == NameStyle::kUpperCase;
  NameBuffer<kCapacity> styled;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '_') {
      continue;
    }
    const bool begins = BeginsWord(name, at);
    if (begins && separated && styled.size != 0) {
      styled.text[styled.size++] = '_';
    }
    styled.text[styled.size] = StyledCharacter(name[at], begins, styled.size == 0, style);
    ++styled.size;
  }
  return styled;
}

// The stored name of a descriptor of Boost.Describe, for as long as the program runs.
template <class Descriptor, NameStyle kStyle>
struct StyledName {
  static constexpr std::string_view kWritten = Descriptor::name;
  static constexpr auto kStyled = Restyle<(2 * kWritten.size()) + 1>(kWritten, kStyle);
  static constexpr std::string_view kName =
      kStyle == NameStyle::kAsWritten ? kWritten : kStyled.view();
};

template <class T>
constexpr NameStyle StyleOf() {
  if constexpr (requires { Mapping<T>::kNameStyle; }) {
    return Mapping<T>::kNameStyle;
  } else {
    return NameStyle::kAsWritten;
  }
}

// "[with T = app::Account; ...]" of g++, "[T = app::Account]" of clang.
template <class T>
constexpr std::string_view WrittenTypeName() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  if (const std::size_t qualified = text.rfind("::"); qualified != std::string_view::npos) {
    text.remove_prefix(qualified + 2);
  }
  return text;
}

// What a type is called in schemas, discriminators and messages.
template <class T>
constexpr std::string_view TypeNameOf() {
  if constexpr (requires { Mapping<T>::kName; }) {
    return Mapping<T>::kName;
  } else {
    constexpr std::string_view kWritten = WrittenTypeName<T>();
    static_assert(kWritten.find_first_of("<>") == std::string_view::npos,
                  "stator: an instance of a template has no stable name; "
                  "give its stator::Mapping a kName");
    return kWritten;
  }
}

}  // namespace stator::mapping
