// Writing JSON text: the one place that knows how a string is escaped.

#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace stator::value {

// Appends `text` in quotes, escaping what JSON demands: quotes, backslashes, control characters.
// REQUIRES: UTF-8.
void AppendJsonString(std::string_view text, std::string& out);

// The first position from `start` on that has to be escaped, or text.size().
std::size_t FindJsonEscape(std::string_view text, std::size_t start);

// Appends `text` in quotes between two literals, which are copied as they are. The same as three
// steps, but `out` is asked for room once and the literals' sizes are known to the compiler.
template <std::size_t kBefore, std::size_t kAfter>
void AppendJsonString(const char (&before)[kBefore], std::string_view text,
                      const char (&after)[kAfter], std::string& out) {
  // The sizes of literals count their NUL; quotes take its place.
  if (FindJsonEscape(text, 0) != text.size()) [[unlikely]] {
    out.append(before, kBefore - 1);
    AppendJsonString(text, out);
    out.append(after, kAfter - 1);
    return;
  }
  const std::size_t old_size = out.size();
  const std::size_t new_size = old_size + kBefore + text.size() + kAfter;
  // The library's second argument may be the capacity instead of new_size.
  out.resize_and_overwrite(new_size, [&](char* data, std::size_t /*size*/) {
    char* to = data + old_size;
    std::memcpy(to, before, kBefore - 1);
    to += kBefore - 1;
    *to++ = '"';
    if (!text.empty()) {
      std::memcpy(to, text.data(), text.size());
      to += text.size();
    }
    *to++ = '"';
    std::memcpy(to, after, kAfter - 1);
    return new_size;
  });
}

}  // namespace stator::value
