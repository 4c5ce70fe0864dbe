#include "value/dynamodb_json.h"
#include "value/dynamodb_json_scalars.h"
#include "value/stored_map.h"

namespace stator::value {
namespace {

void AppendValue(const AttributeValue& value, JsonAppender& out);
void AppendMap(const Map& map, JsonAppender& out);

template <class Member>
void AppendMembers(const AttributeSet<Member>& set, JsonAppender& out) {
  bool first = true;
  for (const Member& member : set) {
    if (first) {
      AppendScalar("", member, "", out);
    } else {
      AppendScalar(",", member, "", out);
    }
    first = false;
  }
  out.Append("]}");
}

struct Writer {
  JsonAppender& out;

  void operator()(Null) const { AppendJsonNull(out); }
  void operator()(bool value) const { AppendJsonBool(value, out); }
  void operator()(const std::string& text) const { AppendScalar(R"({"S":)", text, "}", out); }
  void operator()(const Number& number) const { AppendScalar(R"({"N":)", number, "}", out); }
  void operator()(const Binary& binary) const { AppendScalar(R"({"B":)", binary, "}", out); }
  void operator()(const StringSet& set) const {
    out.Append(R"({"SS":[)");
    AppendMembers(set, out);
  }
  void operator()(const NumberSet& set) const {
    out.Append(R"({"NS":[)");
    AppendMembers(set, out);
  }
  void operator()(const BinarySet& set) const {
    out.Append(R"({"BS":[)");
    AppendMembers(set, out);
  }
  void operator()(const List& list) const {
    out.Append(R"({"L":[)");
    bool first = true;
    for (const AttributeValue& value : list) {
      if (!first) {
        out.Append(",");
      }
      first = false;
      AppendValue(value, out);
    }
    out.Append("]}");
  }
  void operator()(const Map& map) const {
    out.Append(R"({"M":)");
    AppendMap(map, out);
    out.Append("}");
  }
};

void AppendValue(const AttributeValue& value, JsonAppender& out) {
  value.Visit(Writer{out});
}

void AppendMap(const Map& map, JsonAppender& out) {
  if (const StoredMap* stored = map.stored()) {
    stored->AppendDynamoDbJson(out);
    return;
  }
  if (map.empty()) {
    out.Append("{}");
    return;
  }
  bool first = true;
  for (const auto& [name, value] : map) {
    if (first) {
      out.AppendString("{", name, ":");
    } else {
      out.AppendString(",", name, ":");
    }
    first = false;
    AppendValue(value, out);
  }
  out.Append("}");
}

}  // namespace

void AppendDynamoDbJson(const AttributeValue& value, std::string& out) {
  JsonAppender json(out);
  AppendValue(value, json);
}

void AppendDynamoDbJson(const Map& map, std::string& out) {
  JsonAppender json(out);
  AppendMap(map, json);
}

void AppendDynamoDbJson(std::span<const Map> maps, std::string& out) {
  JsonAppender json(out);
  std::size_t bytes = 0;
  for (const Map& map : maps) {
    if (const StoredMap* stored = map.stored()) {
      bytes += 2 * stored->bytes().size();  // about
    }
  }
  json.Expect(bytes);
  json.Append("[");
  for (const Map& map : maps) {
    if (&map != maps.data()) {
      json.Append(",");
    }
    AppendMap(map, json);
  }
  json.Append("]");
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
