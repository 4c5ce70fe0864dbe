#include "base/base64.h"
#include "value/json_text.h"
#include "value/plain_json.h"

namespace stator::value {
namespace {

struct Writer {
  std::string& out;

  void operator()(Null) const { out.append("null"); }
  void operator()(bool value) const { out.append(value ? "true" : "false"); }
  void operator()(const std::string& text) const { AppendJsonString(text, out); }
  void operator()(const Number& number) const { number.AppendTo(out); }
  void operator()(const Binary& binary) const {
    out.push_back('"');
    base::AppendBase64(binary.bytes, out);
    out.push_back('"');
  }
  template <class Member>
  void operator()(const AttributeSet<Member>& set) const {
    AppendArray(set);
  }
  void operator()(const List& list) const { AppendArray(list); }
  void operator()(const AttributeValue& value) const { value.Visit(*this); }

  void operator()(const Map& map) const {
    out.push_back('{');
    bool first = true;
    for (const auto& [name, value] : map) {
      if (!first) {
        out.push_back(',');
      }
      first = false;
      AppendJsonString(name, out);
      out.push_back(':');
      (*this)(value);
    }
    out.push_back('}');
  }

  void AppendArray(const auto& members) const {
    out.push_back('[');
    bool first = true;
    for (const auto& member : members) {
      if (!first) {
        out.push_back(',');
      }
      first = false;
      (*this)(member);
    }
    out.push_back(']');
  }
};

}  // namespace

void AppendPlainJson(const AttributeValue& value, std::string& out) {
  value.Visit(Writer{out});
}

std::string ToPlainJson(const AttributeValue& value) {
  std::string text;
  AppendPlainJson(value, text);
  return text;
}

std::string ToPlainJson(const Item& item) {
  std::string text;
  Writer{text}(item);
  return text;
}

}  // namespace stator::value
