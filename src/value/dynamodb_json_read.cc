#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory_resource>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "value/dynamodb_json.h"
#include "value/json_refusals.h"
#include "value/placeholders.h"
#include "value/refusals.h"

namespace stator::value {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using Type = AttributeValue::Type;

// A document announces how many entries it has; believe it only so far.
constexpr std::size_t kReserveMax = 4096;

// Room for the names of an ordinary item and of the maps inside; more is allocated.
constexpr std::size_t kUsualFields = 48;

std::optional<Type> TypeOfTag(std::string_view tag) {
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

// The spellings of a boolean that the service takes in quotes.
std::optional<bool> BooleanFromText(std::string_view text) {
  std::string upper(text.substr(0, 8));
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char character) {
    return character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A')
                                                : character;
  });
  if (upper == "TRUE" || upper == "1" || upper == "YES") {
    return true;
  }
  if (upper == "FALSE" || upper == "0" || upper == "NO") {
    return false;
  }
  return std::nullopt;
}

// What `make` returns, made where it is asked for.
template <class Make>
class Lazily {
 public:
  explicit Lazily(Make make) : make_(std::move(make)) {}
  operator AttributeValue() && { return make_(); }  // NOLINT(google-explicit-constructor)

 private:
  Make make_;
};

// A name and what stands behind it, in the order of names. Names differ early, so their first
// bytes, as a number that sorts like them, decide most comparisons.
struct Field {
  std::uint64_t prefix = 0;
  std::string_view name;
  element content;

  friend bool operator<(const Field& left, const Field& right) {
    if (left.prefix != right.prefix) {
      return left.prefix < right.prefix;
    }
    const int names = left.name.compare(right.name);
    // The parser keeps its strings in the order of the document.
    return names != 0 ? names < 0 : left.name.data() < right.name.data();
  }
};

// Memory for the fields of most items where the reader is, and elsewhere for more.
class UsualFields final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes > sizeof(bytes_) || std::exchange(is_taken_, true)) {
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    return bytes_.data();
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    if (memory != bytes_.data()) {
      std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  alignas(Field) std::array<std::byte, kUsualFields * sizeof(Field)> bytes_;
  bool is_taken_ = false;
};

std::uint64_t PrefixOf(std::string_view name) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t prefix = 0;
  if (name.size() >= sizeof(prefix)) {
    std::memcpy(&prefix, name.data(), sizeof(prefix));
  } else if (name.size() >= sizeof(std::uint32_t)) {
    // Two halves that may overlap, the later one behind what both have.
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, name.data(), sizeof(first));
    std::memcpy(&last, name.data() + name.size() - sizeof(last), sizeof(last));
    prefix = first | static_cast<std::uint64_t>(last) << 8U * (name.size() - sizeof(last));
  } else {
    for (std::size_t at = 0; at < name.size(); ++at) {
      prefix |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[at])) << 8U * at;
    }
  }
  return std::byteswap(prefix);
}

// In which order a map's entries are read. The result is the same, but what there is to complain
// about comes up in that order too.
enum class Order : std::uint8_t {
  kByName,      // cheap: entries are made in their final place
  kAsDocument,  // as the service goes through them
};

// Reads a whole tree and remembers what to say about it. The service checks JSON types over the
// whole request before it looks at any content, so reading goes on behind a bad content, and a
// wrong type found there is what gets reported. What could not be read is a placeholder.
class Reader {
 public:
  // `top` is the level of the first value, or of those in the first map.
  Reader(Order order, Words words, std::size_t top) : order_(order), words_(words), top_(top) {
    fields_.reserve(kUsualFields);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  AttributeValue ReadValue(const element& json, std::size_t level);
  Map ReadMap(const element& json, std::size_t level);

  [[nodiscard]] bool failed() const { return error_.has_value(); }
  // REQUIRES: failed().
  Error TakeError() {
    CHECK(error_.has_value());
    return *std::move(error_);
  }

 private:
  AttributeValue ReadContent(Type type, const element& json, std::size_t level);
  void ReadAllContents(const object& json, std::size_t level);

  std::string_view ReadText(const element& json);
  Number ReadNumber(const element& json);
  std::string ReadBytes(const element& json);
  bool ReadBoolean(const element& json);
  Null ReadNull(const element& json);
  List ReadList(const element& json, std::size_t level);
  Map ReadNested(const element& json, std::size_t level);

  // Appends the entries to fields_, in the order to read them; of equal names the last.
  void CollectFields(const object& json);

  // Nothing when it is none.
  std::optional<array> ReadArray(const element& json);

  template <class Member>
  AttributeSet<Member> ReadSet(const element& json);
  void ReadMember(const element& json, std::vector<std::string>& members) {
    members.emplace_back(ReadText(json));
  }
  void ReadMember(const element& json, std::vector<Number>& members) {
    members.push_back(ReadNumber(json));
  }
  void ReadMember(const element& json, std::vector<Binary>& members) {
    members.push_back(Binary{ReadBytes(json)});
  }

  // What the service looks at first among contents.
  enum class Rank : std::uint8_t { kNames, kDepth, kOthers };

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

  const Order order_;
  const Words words_;
  const std::size_t top_;
  Rank rank_ = Rank::kOthers;
  std::optional<Error> error_;
  UsualFields memory_;
  // A stack: each map being read has its fields above its parent's.
  std::pmr::vector<Field> fields_{&memory_};
};

AttributeValue Reader::ReadValue(const element& json, std::size_t level) {
  object members;
  if (json.get(members) != SUCCESS) {
    RefuseType(NotValue(json));
    return {};
  }
  if (members.size() == 1) [[likely]] {
    const auto only = members.begin();
    const std::optional<Type> type = TypeOfTag(only.key());
    if (type && !only.value().is_null()) {
      return ReadContent(*type, only.value(), level);
    }
  }
  // As with every optional member of a request, null counts as not sent and an unknown name is
  // skipped. Of the same tag twice, the last counts.
  std::optional<Type> type;
  element content;
  for (const auto [tag, tagged] : members) {
    const std::optional<Type> found = TypeOfTag(tag);
    if (!found || tagged.is_null()) {
      continue;
    }
    if (type && *type != *found) {
      ReadAllContents(members, level);
      Refuse(ManyTags());
      return {};
    }
    type = found;
    content = tagged;
  }
  if (!type) {
    Refuse(NoTag());
    return {};
  }
  return ReadContent(*type, content, level);
}

// Only for what there is to say about them.
void Reader::ReadAllContents(const object& json, std::size_t level) {
  for (const auto [tag, content] : json) {
    if (const std::optional<Type> type = TypeOfTag(tag); type && !content.is_null()) {
      ReadContent(*type, content, level);
    }
  }
}

AttributeValue Reader::ReadContent(Type type, const element& json, std::size_t level) {
  switch (type) {
    case Type::kNull:
      return ReadNull(json);
    case Type::kBool:
      return ReadBoolean(json);
    case Type::kString:
      return ReadText(json);
    case Type::kNumber:
      return ReadNumber(json);
    case Type::kBinary:
      return Binary{ReadBytes(json)};
    case Type::kStringSet:
      return ReadSet<std::string>(json);
    case Type::kNumberSet:
      return ReadSet<Number>(json);
    case Type::kBinarySet:
      return ReadSet<Binary>(json);
    case Type::kList:
      return ReadList(json, level);
    case Type::kMap:
      return ReadNested(json, level);
  }
  return {};
}

std::string_view Reader::ReadText(const element& json) {
  std::string_view text;
  if (json.get(text) != SUCCESS) {
    RefuseType(NotConvertible(json, "String"));
  }
  return text;
}

Number Reader::ReadNumber(const element& json) {
  std::string_view text;
  if (json.get(text) != SUCCESS) {
    RefuseType(NotConvertible(json, "String"));
    return {};
  }
  Result<Number> number = Number::Parse(text);
  if (!number) {
    Refuse(NotNumber(text, std::move(number).error(), words_));
    return {};
  }
  return *number;
}

std::string Reader::ReadBytes(const element& json) {
  std::string_view text;
  if (json.get(text) != SUCCESS) {
    RefuseType(NotBytes(json));
    return {};
  }
  std::optional<std::string> bytes = base::DecodeBase64(text);
  if (!bytes) {
    RefuseType(NotBase64(text));
    return {};
  }
  return *std::move(bytes);
}

bool Reader::ReadBoolean(const element& json) {
  bool value = true;
  std::string_view text;
  if (json.get(value) == SUCCESS) {
    return value;
  }
  if (json.get(text) == SUCCESS) {
    if (const std::optional<bool> spelled = BooleanFromText(text)) {
      return *spelled;
    }
  }
  RefuseType(NotConvertible(json, "Boolean"));
  return true;
}

Null Reader::ReadNull(const element& json) {
  if (!ReadBoolean(json)) {
    Refuse(FalseNull());
  }
  return {};
}

std::optional<array> Reader::ReadArray(const element& json) {
  array members;
  if (json.get(members) == SUCCESS) {
    return members;
  }
  RefuseType(NotArray(json));
  return std::nullopt;
}

template <class Member>
AttributeSet<Member> Reader::ReadSet(const element& json) {
  const std::optional<array> sent = ReadArray(json);
  if (!sent) {
    return {};
  }
  std::vector<Member> members;
  members.reserve(std::min(sent->size(), kReserveMax));
  for (const element member : *sent) {
    if (member.is_null()) {
      Refuse(NullMember(members, words_));
    } else {
      ReadMember(member, members);
    }
  }
  const std::size_t sent_members = members.size();
  AttributeSet<Member> set(std::move(members));
  if (error_) {
    return set;
  }
  if (set.empty()) {
    Refuse(EmptySet(set));
  } else if (set.size() != sent_members) {
    Refuse(Duplicates(set, *sent, words_));
  }
  return set;
}

List Reader::ReadList(const element& json, std::size_t level) {
  const std::optional<array> sent = ReadArray(json);
  if (!sent) {
    return {};
  }
  if (!MayHoldEntries(level)) {
    Refuse(TooDeep(), Rank::kDepth);
    return {};
  }
  List list;
  list.reserve(std::min(sent->size(), kReserveMax));
  for (const element member : *sent) {
    if (member.is_null()) {
      Refuse(NullValue(""));
      continue;
    }
    AttributeValue value = ReadValue(member, level + 1);
    if (!error_) {
      list.push_back(std::move(value));
    }
  }
  return list;
}

Map Reader::ReadNested(const element& json, std::size_t level) {
  if (json.is_object() && !MayHoldEntries(level)) {
    Refuse(TooDeep(), Rank::kDepth);
    return {};
  }
  return ReadMap(json, level + 1);
}

Map Reader::ReadMap(const element& json, std::size_t level) {
  object members;
  if (json.get(members) != SUCCESS) {
    RefuseType(NotMap(json));
    return {};
  }
  const std::size_t bottom = fields_.size();
  CollectFields(members);
  const std::size_t top = fields_.size();
  std::vector<Map::value_type> entries;
  entries.reserve(std::min(top - bottom, kReserveMax));
  for (std::size_t at = bottom; at < top; ++at) {
    const auto [prefix, name, content] = fields_[at];
    if (name.empty()) {
      Refuse(EmptyName(), level == top_ ? Rank::kNames : Rank::kOthers);
    } else if (name.size() > limits::kAttributeNameBytesMax) {
      Refuse(NameTooLong());
    }
    if (content.is_null()) {
      Refuse(NullValue(name));
      continue;
    }
    // Made where it will be, which for a variant is much less than being moved there.
    entries.emplace_back(name, Lazily([&] { return ReadValue(content, level); }));
    if (error_) {
      entries.pop_back();
    }
  }
  fields_.resize(bottom);
  Map map;
  map.Assign(std::move(entries));
  return map;
}

void Reader::CollectFields(const object& json) {
  const auto bottom = static_cast<std::ptrdiff_t>(fields_.size());
  for (const auto [name, content] : json) {
    fields_.push_back({.prefix = PrefixOf(name), .name = name, .content = content});
  }
  if (order_ == Order::kAsDocument) {
    return;
  }
  std::sort(fields_.begin() + bottom, fields_.end());
  // Walking backwards, the first of a run of equal names is the last of the document.
  const auto first =
      std::unique(fields_.rbegin(), std::make_reverse_iterator(fields_.begin() + bottom),
                  [](const Field& left, const Field& right) {
                    return left.prefix == right.prefix && left.name == right.name;
                  })
          .base();
  fields_.erase(fields_.begin() + bottom, first);
}

// Runs `read` with a reader; if it objects, once more to learn what the service would say first.
template <class Read>
auto ReadWith(Words words, std::size_t top, Read read)
    -> Result<decltype(read(std::declval<Reader&>()))> {
  Reader reader(Order::kByName, words, top);
  auto value = read(reader);
  if (!reader.failed()) [[likely]] {
    return value;
  }
  Reader again(Order::kAsDocument, words, top);
  read(again);
  return std::unexpected(again.failed() ? again.TakeError() : reader.TakeError());
}

// Parses a whole text and gives its root to `read`.
template <class Read>
auto ReadDocument(std::string_view text, Read read) -> decltype(read(element())) {
  simdjson::dom::parser parser;
  element root;
  if (const auto failure = parser.parse(text.data(), text.size()).get(root)) {
    return Fail(ErrorCode::kSerialization,
                std::string("not JSON: ") + simdjson::error_message(failure));
  }
  return read(root);
}

}  // namespace

Result<AttributeValue> AttributeValueFromJson(simdjson::dom::element json, Words words) {
  return ReadWith(words, kLevelOfAttributes,
                  [&](Reader& reader) { return reader.ReadValue(json, kLevelOfAttributes); });
}

Result<Map> MapFromJson(simdjson::dom::element json, Words words) {
  return ReadWith(words, kLevelOfAttributes,
                  [&](Reader& reader) { return reader.ReadMap(json, kLevelOfAttributes); });
}

Result<AttributeValue> PlaceholderFromJson(simdjson::dom::element json, Words words) {
  const std::size_t top = LevelOfPlaceholders(words);
  return ReadWith(words, top, [&](Reader& reader) { return reader.ReadValue(json, top); });
}

Result<Map> PlaceholdersFromJson(simdjson::dom::element json, Words words) {
  const std::size_t top = LevelOfPlaceholders(words);
  return ReadWith(words, top, [&](Reader& reader) { return reader.ReadMap(json, top); });
}

Result<AttributeValue> ParseDynamoDbValue(std::string_view text) {
  return ReadDocument(text, [](const element& json) { return AttributeValueFromJson(json); });
}

Result<Item> ParseDynamoDbItem(std::string_view text) {
  return ReadDocument(text, [](const element& json) { return MapFromJson(json); });
}

Result<std::map<std::string, Item>> ParseDynamoDbItems(std::string_view text) {
  using Items = std::map<std::string, Item>;
  return ReadDocument(text, [](const element& json) -> Result<Items> {
    simdjson::dom::object members;
    if (json.get(members) != simdjson::SUCCESS) {
      return Fail(ErrorCode::kSerialization, "Unexpected field type");
    }
    Items items;
    for (const auto [name, member] : members) {
      Result<Map> item = MapFromJson(member);
      if (!item) {
        return std::unexpected(std::move(item).error());
      }
      items.insert_or_assign(std::string(name), *std::move(item));
    }
    return items;
  });
}

}  // namespace stator::value
