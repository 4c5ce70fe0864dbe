#include "value/dynamodb_json.h"
#include "value/dynamodb_json_scalars.h"
#include "value/stored_map.h"

namespace stator::value {
namespace {

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

  void operator()(Null) const { AppendJsonNull(out); }
  void operator()(bool value) const { AppendJsonBool(value, out); }
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
  if (const StoredMap* stored = map.stored()) {
    stored->AppendDynamoDbJson(out);
    return;
  }
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
