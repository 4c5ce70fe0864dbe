#include "schema/make_fixture.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "schema/schema_view.h"
#include "stator/mapping/schema.h"
#include "stator/schema/snapshot.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_traits.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

// A type that contains itself ends here.
constexpr int kDepthMax = 8;
constexpr std::int64_t kSeconds = 1'700'000'000;    // 2023-11-14T22:13:20Z
constexpr std::int64_t kExpiresAt = 4'102'444'800;  // 2100-01-01T00:00:00Z

std::string TimeText(const Map& schema) {
  if (TextAt(schema, "format") == "date") {
    return "2023-11-14";
  }
  // "…:[0-9]{2}\.[0-9]{3}Z$" says how many digits there are behind the second.
  const std::string pattern = TextAt(schema, "pattern");
  const std::size_t point = pattern.find("\\.[0-9]{");
  std::string text = "2023-11-14T22:13:20";
  if (point != std::string::npos) {
    const Result<Number> digits = Number::Parse(
        std::string_view(pattern).substr(point + 8, pattern.find('}', point) - point - 8));
    const std::int64_t count = digits ? digits->ToInt64().value_or(0) : 0;
    text.append(".").append(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, 9)), '0');
  }
  return text + "Z";
}

std::string Text(const Map& schema, const std::string& name) {
  if (TextAt(schema, "format").starts_with("date")) {
    return TimeText(schema);
  }
  std::string text = name + "-1";
  const auto length = [&](std::string_view keyword) -> std::optional<std::size_t> {
    const std::optional<Number> number = NumberAt(schema, keyword);
    return number ? std::optional(static_cast<std::size_t>(
                        std::clamp<std::int64_t>(number->ToInt64().value_or(0), 0, 1024)))
                  : std::nullopt;
  };
  text.resize(std::min(text.size(), length("maxLength").value_or(text.size())));
  text.resize(std::max(text.size(), length("minLength").value_or(0)), 'x');
  return text;
}

Number Integer(const Map& schema) {
  const std::string format = TextAt(schema, "format");
  if (format.starts_with("epoch-")) {
    return format == "epoch-milliseconds"   ? Number(kSeconds * 1000)
           : format == "epoch-microseconds" ? Number(kSeconds * 1'000'000)
           : format == "epoch-nanoseconds"  ? Number(kSeconds * 1'000'000'000)
           : format == "epoch-days"         ? Number(kSeconds / 86'400)
                                            : Number(kSeconds);
  }
  const std::optional<Number> min = NumberAt(schema, "minimum");
  const std::optional<Number> max = NumberAt(schema, "maximum");
  Number number = 1;
  number = min && number < *min ? *min : number;
  return max && *max < number ? *max : number;
}

class Sampler {
 public:
  explicit Sampler(const Map& root) : root_(root) {}

  Map Struct(const Map& schema, int depth) {
    Map sample;
    const std::set<std::string> required = NamesAt(schema, "required");
    for (const auto& [name, property] : MapAt(schema, "properties")) {
      const Map* const part = property.If<Map>();
      if (part == nullptr || (depth >= kDepthMax && !required.contains(name))) {
        continue;
      }
      if (std::optional<AttributeValue> value = Value(*part, name, depth + 1)) {
        sample.Set(name, *std::move(value));
      }
    }
    return sample;
  }

 private:
  // Nothing where it is better left out.
  std::optional<AttributeValue> Value(const Map& given, const std::string& name, int depth) {
    const Map& schema = Resolve(root_, *WithoutNull(Resolve(root_, given)).schema);
    switch (KindOf(schema)) {
      case Kind::kBoolean:
        return AttributeValue(true);
      case Kind::kText:
      case Kind::kAnything:
        return AttributeValue(Text(schema, name));
      case Kind::kEnum: {
        const std::set<std::string> names = NamesAt(schema, "enum");
        return names.empty() ? std::nullopt : std::optional(AttributeValue(*names.begin()));
      }
      case Kind::kBytes:
        return AttributeValue(Binary{name});
      case Kind::kInteger:
      case Kind::kNumber:
        return AttributeValue(Integer(schema));
      case Kind::kList:
        return AttributeValue(ListOf(schema, name, depth));
      case Kind::kSet:
        return SetOf(schema, name, depth);
      case Kind::kDictionary: {
        Map map;
        if (depth < kDepthMax) {
          if (auto value = Value(MapAt(schema, "additionalProperties"), name, depth + 1)) {
            map.Set(name + "-1", *std::move(value));
          }
        }
        return AttributeValue(std::move(map));
      }
      case Kind::kStruct:
        return AttributeValue(Struct(schema, depth));
      case Kind::kVariant:
        return Variant(schema, depth);
      case Kind::kUnknown:
        break;
    }
    return std::nullopt;
  }

  List ListOf(const Map& schema, const std::string& name, int depth) {
    List list;
    const std::optional<Number> min = NumberAt(schema, "minItems");
    const std::int64_t wanted =
        std::clamp<std::int64_t>(min ? min->ToInt64().value_or(1) : 1, 1, 100);
    for (std::int64_t n = 0; depth < kDepthMax && n < wanted; ++n) {
      if (auto value = Value(MapAt(schema, "items"), name, depth + 1)) {
        list.push_back(*std::move(value));
      }
    }
    return list;
  }

  std::optional<AttributeValue> SetOf(const Map& schema, const std::string& name, int depth) {
    const std::optional<AttributeValue> member = Value(MapAt(schema, "items"), name, depth + 1);
    if (!member) {
      return std::nullopt;
    }
    if (const std::string* const text = member->If<std::string>()) {
      return AttributeValue(StringSet{*text});
    }
    if (const Number* const number = member->If<Number>()) {
      return AttributeValue(NumberSet{*number});
    }
    const Binary* const bytes = member->If<Binary>();
    return bytes == nullptr ? std::nullopt : std::optional(AttributeValue(BinarySet{*bytes}));
  }

  std::optional<AttributeValue> Variant(const Map& schema, int depth) {
    const std::vector<Alternative> alternatives = AlternativesOf(schema);
    if (alternatives.empty()) {
      return std::nullopt;
    }
    const Alternative& first = alternatives.front();
    Map sample = Struct(Resolve(root_, *first.schema), depth);
    sample.Set(first.discriminator, first.name);
    return AttributeValue(std::move(sample));
  }

  const Map& root_;
};

// The value of a key as its template makes it of the fields.
std::optional<AttributeValue> KeyOf(const Map& key, const Map& fields) {
  const std::string text = TextAt(key, "template");
  std::string value;
  for (std::string_view rest = text; !rest.empty();) {
    entities::detail::TemplatePart part;
    if (!entities::detail::TakePart(rest, part)) {
      return std::nullopt;
    }
    if (part.field.empty()) {
      value += part.text;
      continue;
    }
    const AttributeValue* const field = fields.Find(part.field);
    if (field == nullptr) {
      return std::nullopt;
    }
    if (text == "{" + std::string(part.field) + "}") {
      return *field;  // of its own type
    }
    const Number* const number = field->If<Number>();
    const std::string* const words = field->If<std::string>();
    const std::string piece = number != nullptr  ? number->ToString()
                              : words != nullptr ? *words
                                                 : std::string("x");
    value.append(part.digits > piece.size() ? part.digits - piece.size() : 0, '0').append(piece);
  }
  return AttributeValue(std::move(value));
}

void AddKeys(const Map& declaration, const Map& fields, Item& item) {
  for (const std::string_view part : {"partition", "sort"}) {
    const Map& key = MapAt(declaration, part);
    if (key.empty() || item.contains(TextAt(key, "attribute"))) {
      continue;
    }
    if (std::optional<AttributeValue> value = KeyOf(key, fields)) {
      item.Set(TextAt(key, "attribute"), *std::move(value));
    }
  }
}

}  // namespace

Item MakeFixture(const Map& snapshot) {
  const Map& storage = MapAt(snapshot, "x-storage");
  const entities::BookkeepingNames names =
      entities::NamesOf(TextAt(storage, "naming") == "prefixed" ? entities::Naming::kPrefixed
                                                                : entities::Naming::kPlain);
  Map fields = Sampler(snapshot).Struct(snapshot, 0);
  const std::string ttl = TextAt(snapshot, "x-ttl");
  if (!ttl.empty() && fields.contains(ttl)) {
    fields.Set(ttl, kExpiresAt);
  }
  Item item =
      TextAt(snapshot, "x-layout") == "nested" ? Item{{std::string(names.data), fields}} : fields;
  if (!ttl.empty()) {
    item.Set(ttl, kExpiresAt);
  }
  AddKeys(MapAt(snapshot, "x-keys"), fields, item);
  if (const AttributeValue* const indexes = snapshot.Find("x-indexes")) {
    const List* const list = indexes->If<List>();
    for (const AttributeValue& index : list == nullptr ? List() : *list) {
      if (const Map* const declaration = index.If<Map>()) {
        AddKeys(*declaration, fields, item);
      }
    }
  }
  item.Set(std::string(names.data_version), DataVersionOf(snapshot));
  if (TextAt(storage, "lock") != "last-write") {
    item.Set(std::string(names.revision), 1);
  }
  item.Set(std::string(names.write_id), "0123456789abcdef");
  item.Set(std::string(names.last_write), kSeconds * 1000);
  return item;
}

std::string ToCanonicalDynamoDbJson(const Item& item) {
  const Result<AttributeValue> json = value::ValueFromPlainJson(value::ToDynamoDbJson(item));
  return json ? CanonicalJson(*json->If<Map>()) : value::ToDynamoDbJson(item);
}

}  // namespace stator::schema
