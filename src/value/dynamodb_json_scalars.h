// How single values look in DynamoDB JSON, for those who write them from values and from stored bytes.

#pragma once

#include <cstddef>
#include <string_view>

#include "base/base64.h"
#include "stator/value/attribute_value.h"
#include "value/json_text.h"
#include "value/number_parts.h"

namespace stator::value {

// The bytes of a Binary, wherever they are.
struct BinaryView {
  std::string_view bytes;
};

// A scalar in quotes between two literals, which are copied as they are.
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], std::string_view text, const char (&after)[kAfter],
                  JsonAppender& out) {
  out.AppendString(before, text, after);
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], const NumberParts& number,
                  const char (&after)[kAfter], JsonAppender& out) {
  const auto write = [&](char* to) { return WriteNumber(number, to); };
  out.AppendWritten(before, Number::kTextBytesMax, write, after);
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], const Number& number, const char (&after)[kAfter],
                  JsonAppender& out) {
  AppendScalar(before, PartsOf(number), after, out);
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], BinaryView binary, const char (&after)[kAfter],
                  JsonAppender& out) {
  const auto write = [&](char* to) { return base::WriteBase64(binary.bytes, to); };
  out.AppendWritten(before, base::Base64Bytes(binary.bytes.size()), write, after);
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], const Binary& binary, const char (&after)[kAfter],
                  JsonAppender& out) {
  AppendScalar(before, BinaryView{binary.bytes}, after, out);
}

inline void AppendJsonNull(JsonAppender& out) {
  out.Append(R"({"NULL":true})");
}
inline void AppendJsonBool(bool value, JsonAppender& out) {
  if (value) {
    out.Append(R"({"BOOL":true})");
  } else {
    out.Append(R"({"BOOL":false})");
  }
}

}  // namespace stator::value
