#include <algorithm>
#include <array>

#include "base/base64.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"

namespace stator::value {
namespace {

// A scalar in quotes between two literals, which are copied as they are.
template <std::size_t kBefore, std::size_t kAfter>
void AppendScalar(const char (&before)[kBefore], const std::string& text,
                  const char (&after)[kAfter], std::string& out) {
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
void AppendScalar(const char (&before)[kBefore], const Binary& binary, const char (&after)[kAfter],
                  std::string& out) {
  out.append(before).push_back('"');
  base::AppendBase64(binary.bytes, out);
  out.append("\"").append(after);
}

template <class Member>
void AppendMembers(const AttributeSet<Member>& set, std::string& out) {
  bool first = true;
  for (const Member& member : set) {
    if (first) {
      AppendScalar("", member, "", out);
    } else {
      AppendScalar(",", member, "", out);
    }
    first = false;
  }
  out.append("]}");
}

struct Writer {
  std::string& out;

  void operator()(Null) const { out.append(R"({"NULL":true})"); }
  void operator()(bool value) const {
    out.append(value ? R"({"BOOL":true})" : R"({"BOOL":false})");
  }
  void operator()(const std::string& text) const { AppendScalar(R"({"S":)", text, "}", out); }
  void operator()(const Number& number) const { AppendScalar(R"({"N":)", number, "}", out); }
  void operator()(const Binary& binary) const { AppendScalar(R"({"B":)", binary, "}", out); }
  void operator()(const StringSet& set) const {
    out.append(R"({"SS":[)");
    AppendMembers(set, out);
  }
  void operator()(const NumberSet& set) const {
    out.append(R"({"NS":[)");
    AppendMembers(set, out);
  }
  void operator()(const BinarySet& set) const {
    out.append(R"({"BS":[)");
    AppendMembers(set, out);
  }
  void operator()(const List& list) const {
    out.append(R"({"L":[)");
    bool first = true;
    for (const AttributeValue& value : list) {
      if (!first) {
        out.push_back(',');
      }
      first = false;
      AppendDynamoDbJson(value, out);
    }
    out.append("]}");
  }
  void operator()(const Map& map) const {
    out.append(R"({"M":)");
    AppendDynamoDbJson(map, out);
    out.push_back('}');
  }
};

}  // namespace

void AppendDynamoDbJson(const AttributeValue& value, std::string& out) {
  value.Visit(Writer{out});
}

void AppendDynamoDbJson(const Map& map, std::string& out) {
  bool first = true;
  for (const auto& [name, value] : map) {
    AppendJsonString(first ? "{" : ",", name, ":", out);
    first = false;
    AppendDynamoDbJson(value, out);
  }
  out.append(first ? "{}" : "}");
}

std::string ToDynamoDbJson(const AttributeValue& value) {
  std::string text;
  AppendDynamoDbJson(value, text);
  return text;
}

std::string ToDynamoDbJson(const Map& map) {
  std::string text;
  AppendDynamoDbJson(map, text);
  return text;
}

}  // namespace stator::value
