// Reads DynamoDB JSON (dynamodb_json.h) and tells a target of value_reader.h what it meets: values are
// made by targets, and so are the rows of items. Members of sets and entries of maps come sorted, each
// once, and numbers as a Number.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"
#include "value/json_fields.h"
#include "value/json_refusals.h"
#include "value/refusals.h"
#include "value/words.h"

namespace stator::value {

// Reads a whole value, tells it to a target (value_reader.h) and remembers what to say about it. The
// service checks JSON types over the whole request before it looks at any content, so reading goes on
// behind a bad content, and a wrong type found there is what gets reported. What a target was told is
// worth nothing then.
class JsonReader {
  using Type = AttributeValue::Type;
  using Element = simdjson::dom::element;
  using Object = simdjson::dom::object;
  using Array = simdjson::dom::array;

 public:
  // `top` is the level of the first value, or of those in the first map.
  JsonReader(FieldOrder order, Words words, std::size_t top)
      : order_(order), words_(words), top_(top) {}
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  template <class Target>
  void ReadValue(const Element& json, std::size_t level, Target& target);
  template <class Target>
  void ReadMap(const Element& json, std::size_t level, Target& target);

  [[nodiscard]] bool failed() const { return error_.has_value(); }
  // REQUIRES: failed().
  Error TakeError() {
    CHECK(error_.has_value());
    return *std::move(error_);
  }

 private:
  // What the service looks at first among contents.
  enum class Rank : std::uint8_t { kNames, kDepth, kOthers };

  // What a member of a set is while the others are read.
  template <class Set>
  using MemberOf = std::conditional_t<std::is_same_v<Set, StringSet>, std::string_view,
                                      typename Set::value_type>;

  // As targets are told of it.
  static std::string_view Told(std::string_view member) { return member; }
  static Number Told(Number member) { return member; }
  static std::string_view Told(const Binary& member) { return member.bytes; }

  static std::optional<Type> TypeOfTag(std::string_view tag);
  // How many elements there are. The parser's own count ends somewhere.
  static std::size_t CountOf(const Array& json);

  template <class Target>
  void ReadContent(Type type, const Element& json, std::size_t level, Target& target);
  template <class Target>
  void ReadTags(const Object& json, std::size_t level, Target& target);
  template <class Target>
  void ReadList(const Element& json, std::size_t level, Target& target);
  template <class Target>
  void ReadNested(const Element& json, std::size_t level, Target& target);
  template <class Set, class Target, class Begin>
  void ReadSet(const Element& json, Target& target, Begin begin);

  std::string_view ReadText(const Element& json) {
    std::string_view text;
    if (json.get(text) != simdjson::SUCCESS) [[unlikely]] {
      RefuseType(NotConvertible(json, "String"));
    }
    return text;
  }
  Number ReadNumber(const Element& json);
  std::string ReadBytes(const Element& json);
  bool ReadBoolean(const Element& json);
  void ReadNull(const Element& json);

  void ReadMember(const Element& json, std::string_view& member) { member = ReadText(json); }
  void ReadMember(const Element& json, Number& member) { member = ReadNumber(json); }
  void ReadMember(const Element& json, Binary& member) { member.bytes = ReadBytes(json); }

  // Nothing when it is none.
  std::optional<Array> ReadArray(const Element& json);

  void CheckName(std::string_view name, std::size_t level) {
    if (name.empty()) {
      Refuse(EmptyName(), level == top_ ? Rank::kNames : Rank::kOthers);
    } else if (name.size() > limits::kAttributeNameBytesMax) {
      Refuse(NameTooLong());
    }
  }

  // The first refusal of the highest rank counts, but a wrong type counts more than a bad content.
  void RefuseType(std::string message) {
    if (!error_ || error_->code != ErrorCode::kSerialization) {
      error_ = Error{.code = ErrorCode::kSerialization, .message = std::move(message)};
    }
  }
  void Refuse(Error error, Rank rank = Rank::kOthers) {
    if (!error_ || (error_->code != ErrorCode::kSerialization && rank < rank_)) {
      error_ = std::move(error);
      rank_ = rank;
    }
  }

  const FieldOrder order_;
  const Words words_;
  const std::size_t top_;
  Rank rank_ = Rank::kOthers;
  std::optional<Error> error_;
  FieldStack fields_;
};

inline std::optional<AttributeValue::Type> JsonReader::TypeOfTag(std::string_view tag) {
  switch (tag.size()) {
    case 1:
      switch (tag[0]) {
        case 'S':
          return Type::kString;
        case 'N':
          return Type::kNumber;
        case 'B':
          return Type::kBinary;
        case 'L':
          return Type::kList;
        case 'M':
          return Type::kMap;
        default:
          return std::nullopt;
      }
    case 2:
      return tag == "SS"   ? std::optional(Type::kStringSet)
             : tag == "NS" ? std::optional(Type::kNumberSet)
             : tag == "BS" ? std::optional(Type::kBinarySet)
                           : std::nullopt;
    case 4:
      return tag == "BOOL"   ? std::optional(Type::kBool)
             : tag == "NULL" ? std::optional(Type::kNull)
                             : std::nullopt;
    default:
      return std::nullopt;
  }
}

template <class Target>
void JsonReader::ReadValue(const Element& json, std::size_t level, Target& target) {
  Object members;
  if (json.get(members) != simdjson::SUCCESS) {
    RefuseType(NotValue(json));
    return;
  }
  if (members.size() == 1) [[likely]] {
    const auto only = members.begin();
    const std::optional<Type> type = TypeOfTag(only.key());
    if (type && !only.value().is_null()) {
      ReadContent(*type, only.value(), level, target);
      return;
    }
  }
  ReadTags(members, level, target);
}

// As with every optional member of a request, null counts as not sent and an unknown name is skipped.
// Of the same tag twice, the last counts.
template <class Target>
void JsonReader::ReadTags(const Object& json, std::size_t level, Target& target) {
  std::optional<Type> type;
  Element content;
  bool several = false;
  for (const auto [tag, tagged] : json) {
    const std::optional<Type> found = TypeOfTag(tag);
    if (!found || tagged.is_null()) {
      continue;
    }
    several = several || (type && *type != *found);
    type = found;
    content = tagged;
  }
  if (several) {
    // Only for what there is to say about them.
    for (const auto [tag, tagged] : json) {
      if (const std::optional<Type> found = TypeOfTag(tag); found && !tagged.is_null()) {
        ReadContent(*found, tagged, level, target);
      }
    }
    Refuse(ManyTags());
  } else if (type) {
    ReadContent(*type, content, level, target);
  } else {
    Refuse(NoTag());
  }
}

template <class Target>
void JsonReader::ReadContent(Type type, const Element& json, std::size_t level, Target& target) {
  switch (type) {
    case Type::kNull:
      ReadNull(json);
      return target.OnNull();
    case Type::kBool:
      return target.OnBool(ReadBoolean(json));
    case Type::kString:
      return target.OnString(ReadText(json));
    case Type::kNumber:
      return target.OnNumber(ReadNumber(json));
    case Type::kBinary:
      return target.OnBinary(ReadBytes(json));
    case Type::kStringSet:
      return ReadSet<StringSet>(json, target, [&](std::uint64_t count) -> decltype(auto) {
        return target.OnStringSet(count);
      });
    case Type::kNumberSet:
      return ReadSet<NumberSet>(json, target, [&](std::uint64_t count) -> decltype(auto) {
        return target.OnNumberSet(count);
      });
    case Type::kBinarySet:
      return ReadSet<BinarySet>(json, target, [&](std::uint64_t count) -> decltype(auto) {
        return target.OnBinarySet(count);
      });
    case Type::kList:
      return ReadList(json, level, target);
    case Type::kMap:
      return ReadNested(json, level, target);
  }
}

template <class Set, class Target, class Begin>
void JsonReader::ReadSet(const Element& json, Target& target, Begin begin) {
  const std::optional<Array> sent = ReadArray(json);
  if (!sent) {
    return;
  }
  std::array<std::byte, 512> usual;
  std::pmr::monotonic_buffer_resource memory(usual.data(), usual.size());
  std::pmr::vector<MemberOf<Set>> members(&memory);
  // A document announces how many there are; believe it only so far.
  constexpr std::size_t kReserveMax = 4096;
  members.reserve(std::min(sent->size(), kReserveMax));
  for (const Element member : *sent) {
    if (member.is_null()) {
      Refuse(NullMember(Set(), words_));
    } else {
      ReadMember(member, members.emplace_back());
    }
  }
  if (error_) {
    return;
  }
  if (members.empty()) {
    Refuse(EmptySet(Set()));
    return;
  }
  std::sort(members.begin(), members.end());
  if (std::adjacent_find(members.begin(), members.end()) != members.end()) {
    Refuse(Duplicates(Set(), *sent, words_));
    return;
  }
  auto&& inside = begin(members.size());
  for (const auto& member : members) {
    inside.OnMember(Told(member));
  }
  target.OnEnd(inside);
}

template <class Target>
void JsonReader::ReadList(const Element& json, std::size_t level, Target& target) {
  const std::optional<Array> sent = ReadArray(json);
  if (!sent) {
    return;
  }
  if (!MayHoldEntries(level)) {
    Refuse(TooDeep(), Rank::kDepth);
    return;
  }
  auto&& inside = target.OnList(CountOf(*sent));
  for (const Element member : *sent) {
    if (member.is_null()) {
      Refuse(NullValue(""));
    } else {
      inside.OnElement();
      ReadValue(member, level + 1, inside);
    }
  }
  target.OnEnd(inside);
}

template <class Target>
void JsonReader::ReadNested(const Element& json, std::size_t level, Target& target) {
  if (json.is_object() && !MayHoldEntries(level)) {
    Refuse(TooDeep(), Rank::kDepth);
    return;
  }
  ReadMap(json, level + 1, target);
}

template <class Target>
void JsonReader::ReadMap(const Element& json, std::size_t level, Target& target) {
  Object members;
  if (json.get(members) != simdjson::SUCCESS) {
    RefuseType(NotMap(json));
    return;
  }
  const std::size_t bottom = fields_.size();
  fields_.Push(members, order_);
  const std::size_t top = fields_.size();
  auto&& inside = target.OnMap(top - bottom);
  for (std::size_t at = bottom; at < top; ++at) {
    const auto [prefix, name, content] = fields_.at(at);
    CheckName(name, level);
    if (content.is_null()) {
      Refuse(NullValue(name));
    } else {
      inside.OnName(name);
      ReadValue(content, level, inside);
    }
  }
  fields_.DropTo(bottom);
  target.OnEnd(inside);
}

// Runs `read` with a reader; if it objects, once more to learn what the service would say first.
template <class Read>
Result<void> ReadWith(Words words, std::size_t top, Read read) {
  JsonReader reader(FieldOrder::kByName, words, top);
  read(reader);
  if (!reader.failed()) [[likely]] {
    return {};
  }
  JsonReader again(FieldOrder::kAsDocument, words, top);
  read(again);
  return std::unexpected(again.failed() ? again.TakeError() : reader.TakeError());
}

}  // namespace stator::value
