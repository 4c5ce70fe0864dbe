#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "partiql/translator.h"

namespace stator::partiql {

using TokenKind = Token::Kind;

// Where in a value something stands: "root", "root.a", "root[1]".
struct Translator::Place {
  std::string numbers = "root";  // as errors about numbers show it
  std::string others = "root";   // as other errors do
  int depth = 0;

  [[nodiscard]] Place Inside(std::string_view key) const {
    return {.numbers = numbers + '.' + std::string(key),
            .others = others + '.' + std::string(key),
            .depth = depth + 1};
  }
  [[nodiscard]] Place Inside(std::size_t index) const {
    return {.numbers = numbers + '[' + std::to_string(index) + ']',
            .others = others + '.' + std::to_string(index),
            .depth = depth + 1};
  }
};

namespace {

// The type of an Ion literal, as far as its first characters show it.
std::string_view IonType(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::string_view value = begin == std::string_view::npos ? "" : text.substr(begin);
  const auto is_number = [&](std::string_view allowed) {
    return !value.empty() && value.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (value.starts_with("{{")) {
    return value.find('"') == std::string_view::npos ? "BLOB" : "CLOB";
  }
  if (value.starts_with('{')) {
    return "STRUCT";
  }
  if (value.starts_with('[')) {
    return "LIST";
  }
  if (value.starts_with('(')) {
    return "SEXP";
  }
  if (value.starts_with('"') || value.starts_with("'''")) {
    return "STRING";
  }
  if (value == "true" || value == "false") {
    return "BOOL";
  }
  if (value.starts_with("null")) {
    return "NULL";
  }
  if (is_number("+-_0123456789")) {
    const bool date = value.size() >= 8 && value.find('-', 1) != std::string_view::npos;
    return date ? "TIMESTAMP" : "INT";
  }
  if (is_number("+-._dD0123456789")) {
    return "DECIMAL";
  }
  if (is_number("+-._eE0123456789")) {
    return "FLOAT";
  }
  const bool dated = value.size() > 4 && value[0] >= '0' && value[0] <= '9' &&
                     (value[4] == '-' || value[4] == 'T');
  return dated ? "TIMESTAMP" : "SYMBOL";
}

std::unexpected<Error> Duplicates(const std::vector<std::string>& members) {
  std::string text;
  for (const std::string& member : members) {
    text += (text.empty() ? "" : ", ") + member;
  }
  return Invalid("One or more parameter values were invalid: Input collection [" + text +
                 "] contains duplicates.");
}

}  // namespace

bool Translator::IsValue(const Node& node) const {
  switch (node.kind) {
    case Kind::kAtom:
      return !tree_.TokenOf(node).is_name();
    case Kind::kParameter:
    case Kind::kList:
    case Kind::kBag:
    case Kind::kStruct:
      return true;
    case Kind::kCall: {
      const std::string name = Lower(tree_.TokenOf(node).text);
      return name == "list" || name == "bag" || name == "sexp";
    }
    default:
      return false;
  }
}

std::uint32_t Translator::ParameterNumber(const Node& node) const {
  std::uint32_t number = 0;
  for (std::uint32_t i = 0; i < node.token; ++i) {
    number += tree_.tokens[i].kind == TokenKind::kParameter ? 1 : 0;
  }
  return number;
}

Result<ValueSlot> Translator::Slot(const Node& node) {
  if (node.kind == Kind::kParameter) {
    return ValueSlot{.is_parameter = true, .number = ParameterNumber(node)};
  }
  statement_.literals.push_back(TRY(LiteralOf(node)));
  return ValueSlot{.is_parameter = false,
                   .number = static_cast<std::uint32_t>(statement_.literals.size() - 1)};
}

Result<AttributeValue> Translator::LiteralOf(const Node& node) const {
  return Value(node, Place());
}

std::string Translator::NameOfKind(const Node& node) const {
  switch (node.kind) {
    case Kind::kPath:
      return "PATH";
    case Kind::kParameter:
      return "Parameter";
    case Kind::kList:
      return "LIST";
    case Kind::kBag:
      return "BAG";
    case Kind::kStruct:
      return "STRUCT";
    case Kind::kCase:
      return "CASE";
    case Kind::kCast:
      return "cast";
    case Kind::kSelect:
    case Kind::kSelectValue:
    case Kind::kPivot:
      return "SELECT";
    case Kind::kCall:
    case Kind::kAggregate:
    case Kind::kAggregateAll:
      return Lower(tree_.TokenOf(node).text);
    case Kind::kUnary:
    case Kind::kBinary:
    case Kind::kTernary:
    case Kind::kAtom:
      return tree_.TokenOf(node).text;
    default:
      return "UNKNOWN";
  }
}

Result<AttributeValue> Translator::Value(const Node& node, const Place& place) const {
  if (place.depth > static_cast<int>(limits::kNestingDepthMax)) {
    return Invalid(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
        "beyond supported limit");
  }
  const std::string call = node.kind == Kind::kCall ? Lower(tree_.TokenOf(node).text) : "";
  if (node.kind == Kind::kList || call == "list") {
    return ListValue(node, place);
  }
  if (node.kind == Kind::kBag || call == "bag") {
    return SetValue(node, place);
  }
  if (node.kind == Kind::kStruct) {
    return MapValue(node, place);
  }
  if (node.kind == Kind::kAtom) {
    return Atom(node, place);
  }
  return Invalid("Unsupported data type: " + NameOfKind(node) + " under key " + place.others +
                 At(tree_.PositionOf(node)));
}

Result<AttributeValue> Translator::Atom(const Node& node, const Place& place) const {
  const Token& token = tree_.TokenOf(node);
  switch (token.kind) {
    case TokenKind::kString:
      return AttributeValue(token.text);
    case TokenKind::kBool:
      return AttributeValue(token.text == "true");
    case TokenKind::kNull:
      return AttributeValue(Null{});
    case TokenKind::kNumber: {
      Result<stator::Number> number = stator::Number::Parse(token.text);
      if (!number) {
        return Invalid(number.error().message + " under " + place.numbers);
      }
      return AttributeValue(*number);
    }
    case TokenKind::kMissing:
      return Invalid("Unsupported data type: MISSING under key " + place.others +
                     At(token.position));
    case TokenKind::kIon:
      return Invalid("Ion Literals are not supported: " + std::string(IonType(token.text)) +
                     " under key " + place.others + At(token.position));
    default:
      return Invalid("Unsupported data type: " + token.text + " under key " + place.others +
                     At(token.position));
  }
}

Result<AttributeValue> Translator::ListValue(const Node& node, const Place& place) const {
  List list;
  list.reserve(node.children.size());
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    list.push_back(TRY(Value(tree_.Child(node, i), place.Inside(i))));
  }
  return AttributeValue(std::move(list));
}

Result<std::string> Translator::MapKey(const Node& key, std::vector<std::string>& seen,
                                       const Node& map, const Place& place) const {
  const bool string = key.kind == Kind::kAtom && tree_.TokenOf(key).kind == TokenKind::kString;
  if (!string) {
    std::string type = "VariableReference";
    if (key.kind == Kind::kParameter) {
      type = "Parameter";
    } else if (key.kind == Kind::kAtom && tree_.TokenOf(key).kind == TokenKind::kNumber) {
      type = tree_.TokenOf(key).text.find_first_of(".eE") == std::string::npos ? "INT" : "DECIMAL";
    } else if (key.kind == Kind::kAtom && tree_.TokenOf(key).kind == TokenKind::kBool) {
      type = "BOOL";
    } else if (key.kind == Kind::kAtom && tree_.TokenOf(key).kind == TokenKind::kNull) {
      type = "NULL";
    }
    return Invalid("Tuple keys must be of type String. Actual type: " + type + " under " +
                   place.others + At(tree_.PositionOf(key)));
  }
  const std::string& name = tree_.TokenOf(key).text;
  if (name.empty()) {
    return Invalid("Path component cannot be an empty string");
  }
  if (std::ranges::find(seen, name) != seen.end()) {
    return Invalid("Duplicate keys in tuple. Key: " + name + " under " + place.others +
                   At(tree_.PositionOf(map)));
  }
  seen.push_back(name);
  return name;
}

Result<std::string> Translator::ItemKey(const Node& key, std::vector<std::string>& seen) const {
  return MapKey(key, seen, key, Place());
}

Result<AttributeValue> Translator::MapValue(const Node& node, const Place& place) const {
  Map map;
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& member = tree_.Child(node, i);
    std::string key = TRY(MapKey(tree_.Child(member, 0), seen, node, place));
    AttributeValue value = TRY(Value(tree_.Child(member, 1), place.Inside(key)));
    map.Set(std::move(key), std::move(value));
  }
  return AttributeValue(std::move(map));
}

Result<AttributeValue> Translator::SetValue(const Node& node, const Place& place) const {
  if (node.children.empty()) {
    return Invalid("Empty bags are not supported");
  }
  std::vector<std::string> strings;
  std::vector<stator::Number> numbers;
  std::vector<std::string> written;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = tree_.Child(node, i);
    const TokenKind kind = child.kind == Kind::kAtom ? tree_.TokenOf(child).kind : TokenKind::kEnd;
    const bool string = kind == TokenKind::kString && numbers.empty();
    const bool number = kind == TokenKind::kNumber && strings.empty();
    if (!string && !number) {
      return Invalid(
          "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in "
          "bags" +
          At(tree_.PositionOf(child)));
    }
    const AttributeValue value = TRY(Value(child, place.Inside(i)));
    if (string) {
      strings.push_back(*value.If<std::string>());
      written.push_back(strings.back());
    } else {
      numbers.push_back(*value.If<stator::Number>());
      written.push_back(numbers.back().ToString());
    }
  }
  if (!strings.empty()) {
    StringSet set(strings);
    return set.size() == strings.size() ? Result<AttributeValue>(AttributeValue(std::move(set)))
                                        : Duplicates(written);
  }
  NumberSet set(numbers);
  return set.size() == numbers.size() ? Result<AttributeValue>(AttributeValue(std::move(set)))
                                      : Duplicates(written);
}

bool Translator::IsPath(const Node& node) const {
  return node.kind == Kind::kPath || (node.kind == Kind::kAtom && tree_.TokenOf(node).is_name());
}

Result<std::vector<PathElement>> Translator::Path(const Node& node) const {
  const auto element = [](const std::string& name) -> Result<PathElement> {
    if (name.empty()) {
      return Invalid("Path component cannot be an empty string");
    }
    return PathElement{.is_index = false, .index = 0, .name = name};
  };
  std::vector<PathElement> path;
  const Node& first = node.kind == Kind::kPath ? tree_.Child(node, 0) : node;
  if (first.kind != Kind::kAtom || !tree_.TokenOf(first).is_name()) {
    return Invalid("Unexpected path component" + At(tree_.PositionOf(first)));
  }
  path.push_back(TRY(element(tree_.TokenOf(first).text)));
  for (std::size_t i = 1; node.kind == Kind::kPath && i < node.children.size(); ++i) {
    path.push_back(TRY(PathStep(tree_.Child(node, i))));
    if (!path.back().is_index) {
      TRY_VOID(element(path.back().name));
    }
  }
  return path;
}

Result<PathElement> Translator::PathStep(const Node& step) const {
  if (step.kind == Kind::kPathName) {
    return PathElement{.is_index = false, .index = 0, .name = tree_.TokenOf(step).text};
  }
  if (step.kind == Kind::kPathStar) {
    return Invalid("Unpivot path component like a.*.b are not supported" +
                   At(tree_.PositionOf(step)));
  }
  const Node& index = tree_.Child(step, 0);
  const Position position = tree_.PositionOf(index);
  if (index.kind == Kind::kPathAll) {
    return Invalid("Wildcard path component like a[*].b are not supported" + At(position));
  }
  if (index.kind == Kind::kAtom) {
    const Token& token = tree_.TokenOf(index);
    if (token.is_name() || token.kind == TokenKind::kString) {
      return PathElement{.is_index = false, .index = 0, .name = token.text};
    }
    if (token.kind == TokenKind::kNumber &&
        token.text.find_first_not_of("-0123456789") == std::string::npos) {
      const bool fits = !token.text.starts_with('-') && token.text.size() <= 9;
      if (!fits) {
        return Invalid("List index is not within the allowable range; index: [" + token.text + ']' +
                       At(position));
      }
      return PathElement{.is_index = true,
                         .index = static_cast<std::uint32_t>(std::stoul(token.text)),
                         .name = ""};
    }
  }
  return Invalid("Unexpected path component" + At(position));
}

expression::Path AddPath(const std::vector<PathElement>& path, expression::Symbols& symbols) {
  const expression::Path added{.first_step = static_cast<std::uint32_t>(symbols.steps.size()),
                               .step_count = static_cast<std::uint32_t>(path.size())};
  for (const PathElement& element : path) {
    if (element.is_index) {
      symbols.steps.push_back({.is_index = true, .number = element.index});
      continue;
    }
    auto known = std::ranges::find(symbols.names, element.name, &expression::Symbols::Name::text);
    if (known == symbols.names.end()) {
      symbols.names.push_back({.text = element.name, .placeholder = false});
      known = symbols.names.end() - 1;
    }
    symbols.steps.push_back(
        {.is_index = false, .number = static_cast<std::uint32_t>(known - symbols.names.begin())});
  }
  return added;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return upper;
}

}  // namespace stator::partiql
