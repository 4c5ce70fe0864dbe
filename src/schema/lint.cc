#include "stator/schema/lint.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "schema/schema_view.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

constexpr double kNumberBytesMax = 21;    // 38 digits, two to a byte, exponent and sign
constexpr double kCharacterBytesMax = 4;  // UTF-8

bool IsUpper(char character) {
  return character >= 'A' && character <= 'Z';
}

char ToLower(char character) {
  return IsUpper(character) ? static_cast<char>(character - 'A' + 'a') : character;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

// "unitPrice_eur" is unit, price, eur.
std::set<std::string> WordsOf(std::string_view name) {
  std::set<std::string> words;
  std::string word;
  for (const char character : name) {
    if (IsUpper(character) || character == '_' || character == '-') {
      words.insert(std::exchange(word, ""));
    }
    if (character != '_' && character != '-') {
      word.push_back(ToLower(character));
    }
  }
  words.insert(word);
  return words;
}

bool MeansMoney(std::string_view name) {
  constexpr std::array<std::string_view, 14> kWords = {
      "amount", "balance", "cost",  "costs",  "discount", "fee", "fees",
      "money",  "payment", "price", "prices", "revenue",  "tax", "salary"};
  const std::set<std::string> words = WordsOf(name);
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return words.contains(std::string(word)); });
}

class Linter {
 public:
  explicit Linter(const Map& root) : root_(root) {}

  std::vector<LintFinding> Run() {
    LintValue(root_, "", "", 0);
    LintKeys();
    const double bytes = SizeOf(root_);
    if (bytes > static_cast<double>(limits::kItemBytesMax)) {
      Add("item-too-large", "",
          "an item that the schema allows has " +
              std::to_string(static_cast<std::int64_t>(bytes / 1024)) + " KB; DynamoDB takes 400");
    }
    return std::move(findings_);
  }

 private:
  void Add(std::string rule, const std::string& path, std::string message) {
    findings_.push_back({std::move(rule), path, std::move(message)});
  }

  static bool IsFloat(const Map& schema) {
    const std::string format = TextAt(schema, "format");
    return KindOf(schema) == Kind::kNumber && (format == "double" || format == "float");
  }

  void LintValue(const Map& given, const std::string& name, const std::string& path,
                 std::size_t depth) {
    const Map& schema = Resolve(root_, *WithoutNull(Resolve(root_, given)).schema);
    if (std::ranges::find(above_, &schema) != above_.end()) {
      Add("too-deep", path, "the type contains itself, so nothing bounds its depth");
      return;
    }
    if (depth > limits::kNestingDepthMax) {
      Add("too-deep", path, "more than 32 levels");
      return;
    }
    if (IsFloat(schema) && MeansMoney(name)) {
      Add("money-as-float", path, "a binary fraction cannot hold 0.10; use Number or cents");
    }
    above_.push_back(&schema);
    LintParts(schema, name, path, depth);
    above_.pop_back();
  }

  void LintParts(const Map& schema, const std::string& name, const std::string& path,
                 std::size_t depth) {
    switch (KindOf(schema)) {
      case Kind::kStruct:
        LintStruct(schema, path, depth);
        break;
      case Kind::kSet:
        if (IsFloat(Resolve(root_, MapAt(schema, "items")))) {
          Add("set-of-floats", path, "members that differ by rounding are several, or one");
        }
        [[fallthrough]];
      case Kind::kList:
        LintValue(MapAt(schema, "items"), name, path + "[]", depth + 1);
        break;
      case Kind::kDictionary:
        LintValue(MapAt(schema, "additionalProperties"), name, path + "{}", depth + 1);
        break;
      case Kind::kVariant:
        for (const Alternative& alternative : AlternativesOf(schema)) {
          LintValue(*alternative.schema, name, path + "<" + alternative.name + ">", depth);
        }
        break;
      default:
        break;
    }
  }

  void LintStruct(const Map& schema, const std::string& path, std::size_t depth) {
    std::map<std::string, std::string> seen;  // by lower case
    for (const auto& [name, property] : MapAt(schema, "properties")) {
      const std::string below = path.empty() ? name : path + "." + name;
      const auto [other, is_new] = seen.emplace(LowerCase(name), name);
      if (!is_new) {
        Add("names-alike", below, "differs from " + other->second + " in case only");
      }
      if (name.size() > limits::kAttributeNameBytesMax) {
        Add("name-too-long", path, "a name of " + std::to_string(name.size()) + " bytes");
      }
      if (const Map* const map = property.If<Map>()) {
        LintValue(*map, name, below, depth + 1);
      }
    }
  }

  void LintKeys() {
    LintKeyNames(MapAt(root_, "x-keys"));
    if (const AttributeValue* const indexes = root_.Find("x-indexes")) {
      for (const AttributeValue& index : indexes->Is<List>() ? *indexes->If<List>() : List()) {
        LintKeyNames(index.Is<Map>() ? *index.If<Map>() : Map());
      }
    }
  }

  void LintKeyNames(const Map& keys) {
    for (const std::string_view part : {"partition", "sort"}) {
      const std::string name = TextAt(MapAt(keys, part), "attribute");
      if (name.size() > limits::kKeyAttributeNameBytesMax) {
        Add("name-too-long", name.substr(0, 32) + "...",
            "a key's name of " + std::to_string(name.size()) + " bytes; DynamoDB takes 255");
      }
    }
  }

  // The bytes of the largest value, as far as the schema bounds it; what it does not counts
  // nothing.
  double SizeOf(const Map& given) {
    const Map& schema = Resolve(root_, *WithoutNull(Resolve(root_, given)).schema);
    if (std::ranges::find(above_, &schema) != above_.end()) {
      return 0;
    }
    above_.push_back(&schema);
    const double bytes = SizeOfKind(schema);
    above_.pop_back();
    return bytes;
  }

  double SizeOfKind(const Map& schema) {
    const auto times = [&](std::string_view keyword, double bytes) {
      const std::optional<Number> count = NumberAt(schema, keyword);
      return count ? count->ToDouble() * bytes : 0;
    };
    switch (KindOf(schema)) {
      case Kind::kBoolean:
        return 1;
      case Kind::kInteger:
      case Kind::kNumber:
        return kNumberBytesMax;
      case Kind::kText:
        return times("maxLength", kCharacterBytesMax);
      case Kind::kBytes:
        return times("maxLength", 0.75);  // base64
      case Kind::kList:
      case Kind::kSet:
        return 3 + times("maxItems", 1 + SizeOf(MapAt(schema, "items")));
      case Kind::kDictionary:
        return 3 + times("maxProperties", 1 + SizeOf(MapAt(schema, "additionalProperties")));
      case Kind::kStruct:
        return SizeOfStruct(schema);
      default:
        return 0;
    }
  }

  double SizeOfStruct(const Map& schema) {
    double bytes = 3;
    for (const auto& [name, property] : MapAt(schema, "properties")) {
      const Map* const map = property.If<Map>();
      bytes += static_cast<double>(name.size()) + 1 + (map == nullptr ? 0 : SizeOf(*map));
    }
    return bytes;
  }

  const Map& root_;
  std::vector<const Map*> above_;
  std::vector<LintFinding> findings_;
};

}  // namespace

std::vector<LintFinding> LintSchema(const Map& schema) {
  return Linter(schema).Run();
}

std::vector<LintFinding> LintSchemaText(const std::string& text) {
  const Result<AttributeValue> value = value::ValueFromPlainJson(text);
  if (!value) {
    const bool is_json = value.error().code == ErrorCode::kValidation;
    return {{is_json ? "unstorable" : "no-schema", "", value.error().message}};
  }
  const Map* const schema = value->If<Map>();
  if (schema == nullptr) {
    return {{"no-schema", "", "a schema is a JSON object"}};
  }
  return LintSchema(*schema);
}

}  // namespace stator::schema
