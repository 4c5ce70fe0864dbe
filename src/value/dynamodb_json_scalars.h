// How single values look in DynamoDB JSON, for those who write them from values and from stored bytes.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/base64.h"
#include "stator/value/attribute_value.h"
#include "value/json_text.h"

namespace stator::value {

// The bytes of a Binary, wherever they are.
struct BinaryView {
  std::string_view bytes;
};

// A scalar in quotes between two literals, which are copied as they are.
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], std::string_view text, const char (&after)[kAfter],
                  std::string& out) {
  AppendJsonString(before, text, after, out);
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], const Number& number, const char (&after)[kAfter],
                  std::string& out) {
  std::array<char, kBefore + Number::kTextBytesMax + kAfter> buffer;
  char* to = std::copy_n(before, kBefore - 1, buffer.data());
  *to++ = '"';
  to = number.WriteTo(to);
  *to++ = '"';
  to = std::copy_n(after, kAfter - 1, to);
  out.append(buffer.data(), static_cast<std::size_t>(to - buffer.data()));
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], BinaryView binary, const char (&after)[kAfter],
                  std::string& out) {
  out.append(before, kBefore - 1).push_back('"');
  base::AppendBase64(binary.bytes, out);
  out.append("\"").append(after, kAfter - 1);
}
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], const Binary& binary, const char (&after)[kAfter],
                  std::string& out) {
  AppendScalar(before, BinaryView{binary.bytes}, after, out);
}

inline void AppendJsonNull(std::string& out) {
  out.append(R"({"NULL":true})");
}
inline void AppendJsonBool(bool value, std::string& out) {
  out.append(value ? R"({"BOOL":true})" : R"({"BOOL":false})");
}

}  // namespace stator::value
