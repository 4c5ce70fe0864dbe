// Structures on the wire. A Shape names each member of a structure once, for reading and for
// writing; further ways through a structure are further visitors.
//
//   template <>
//   struct Shape<Tag> {
//     static constexpr std::string_view kName = "Tag";
//     static void Visit(auto& visit, auto& tag) {
//       visit.Required("Key", tag.key);
//       visit.Required("Value", tag.value);
//     }
//   };
//
// A message that is not the structure of the api member by member has Read and Append of its own
// instead, as Body has them (wire/messages.h).
//
// What a visitor can be told of a member:
//
//   Required      must be there when read; always written
//   Optional      a std::optional, or a list, map or text that is not written while it is empty
//   Defaulted     need not be there; written unless it has the given value
//   Stored        an item that is to be stored as it is; must be there when read
//   Placeholders  values that expressions refer to
//   Unsupported   DynamoDB knows it, Stator does not and must not ignore it
//   Nested        a structure of the wire whose members the api has no structure for
//   Switch        a boolean that is ENABLED or DISABLED on the wire
//   Text          a text that is always the same, which the api therefore does not have

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wire/codec.h"
#include "wire/messages.h"

namespace stator::wire {

template <class T>
struct Shape;

template <class T>
concept Structure = requires { Shape<T>::kName; };

inline constexpr std::string_view kSwitchedOn = "ENABLED";
inline constexpr std::string_view kSwitchedOff = "DISABLED";

// Gives one member of a JSON object to the member of the structure that has its name.
class MemberReader {
 public:
  // All must outlive it. `seen` has a bit for each member, in the order of the visit.
  MemberReader(std::string_view key, JsonElement json, const MemberPath* path, Decoding& decoding,
               std::uint64_t& seen)
      : key_(key), json_(json), path_(path), decoding_(decoding), seen_(seen) {}

  void Required(std::string_view name, auto& field) { Read(name, field); }
  void Optional(std::string_view name, auto& field) { Read(name, field); }
  template <class Field>
  void Defaulted(std::string_view name, Field& field, const Field& /*value*/) {
    Read(name, field);
  }
  void Stored(std::string_view name, Item& field) {
    if (Matches(name)) {
      Codec<Item>::ReadStored(json_, MemberPath::Member(path_, name), decoding_, field);
    }
  }
  void Placeholders(std::string_view name, std::optional<Map>& field);
  void Unsupported(std::string_view name);
  template <class Members>
  void Nested(std::string_view name, Members members);
  void Switch(std::string_view name, bool& field) {
    if (Matches(name)) {
      field = TextFrom(json_, decoding_) == kSwitchedOn;
    }
  }
  void Text(std::string_view name, std::string_view /*text*/) { (void)Matches(name); }

 private:
  // Whether this is the member; its bit is set then.
  bool Matches(std::string_view name) {
    const std::uint64_t bit = std::uint64_t{1} << index_++;
    if (key_ != name) {
      return false;
    }
    seen_ |= bit;
    return true;
  }

  template <class Field>
  void Read(std::string_view name, Field& field) {
    if (Matches(name)) {
      Codec<Field>::Read(json_, MemberPath::Member(path_, name), decoding_, field);
    }
  }

  std::string_view key_;
  JsonElement json_;
  const MemberPath* path_;
  Decoding& decoding_;
  std::uint64_t& seen_;
  unsigned index_ = 0;
};

// After all members were read: notes the required ones that were not there.
class MissingMembers {
 public:
  MissingMembers(const MemberPath* path, Decoding& decoding, std::uint64_t seen)
      : path_(path), decoding_(decoding), seen_(seen) {}

  void Required(std::string_view name, const auto& /*field*/) {
    if (!Skip()) {
      decoding_.NoteMissing(MemberPath::Member(path_, name));
    }
  }
  void Optional(std::string_view /*name*/, const auto& /*field*/) { Skip(); }
  template <class Field>
  void Defaulted(std::string_view /*name*/, const Field& /*field*/, const Field& /*value*/) {
    Skip();
  }
  void Stored(std::string_view name, const Item& field) { Required(name, field); }
  void Placeholders(std::string_view /*name*/, const std::optional<Map>& /*field*/) { Skip(); }
  void Unsupported(std::string_view /*name*/) { Skip(); }
  template <class Members>
  void Nested(std::string_view /*name*/, Members /*members*/) {
    Skip();
  }
  void Switch(std::string_view /*name*/, bool /*field*/) { Skip(); }
  void Text(std::string_view /*name*/, std::string_view /*text*/) { Skip(); }

 private:
  // Goes on to the next member; whether this one was there.
  bool Skip() { return (seen_ >> index_++ & 1U) != 0; }

  const MemberPath* path_;
  Decoding& decoding_;
  std::uint64_t seen_;
  unsigned index_ = 0;
};

// Reads an object with `visit_members(visitor)`. Members that are null count as absent, members
// that nobody knows are skipped, and of two with the same name the last one counts.
template <class VisitMembers>
void ReadMembers(JsonObject json, const MemberPath* path, Decoding& decoding,
                 VisitMembers visit_members) {
  std::uint64_t seen = 0;
  for (const auto [key, element] : json) {
    if (!element.is_null()) {
      MemberReader reader(key, element, path, decoding, seen);
      visit_members(reader);
    }
  }
  MissingMembers missing(path, decoding, seen);
  visit_members(missing);
}

template <class Members>
void MemberReader::Nested(std::string_view name, Members members) {
  if (!Matches(name)) {
    return;
  }
  const MemberPath path = MemberPath::Member(path_, name);
  if (const std::optional<JsonObject> object = StructureFrom(json_, false, name, decoding_)) {
    ReadMembers(*object, &path, decoding_, members);
  }
}

// The body of a request or an answer.
template <Structure T>
void ReadBody(JsonObject json, Decoding& decoding, T& value) {
  ReadMembers(json, nullptr, decoding, [&value](auto& visit) { Shape<T>::Visit(visit, value); });
}

// A structure below it.
template <Structure T>
void ReadStructure(JsonElement json, const MemberPath& path, Decoding& decoding, T& value) {
  constexpr std::string_view kPackage = "com.amazonaws.dynamodb.v20120810.";
  JsonObject members;
  if (json.get(members) != simdjson::SUCCESS) {
    (void)StructureFrom(json, path.is_inside_collection(),
                        std::string(kPackage).append(Shape<T>::kName), decoding);
    return;
  }
  ReadMembers(members, &path, decoding, [&value](auto& visit) { Shape<T>::Visit(visit, value); });
}

// Writes the members of a structure between braces.
class MemberWriter {
 public:
  explicit MemberWriter(std::string& out) : out_(out) { out_ += '{'; }
  MemberWriter(const MemberWriter&) = delete;
  MemberWriter& operator=(const MemberWriter&) = delete;
  ~MemberWriter() { out_ += '}'; }

  template <class Field>
  void Required(std::string_view name, const Field& field) {
    AppendName(name);
    Codec<Field>::Append(field, out_);
  }
  template <class Field>
  void Optional(std::string_view name, const std::optional<Field>& field) {
    if (field) {
      Required(name, *field);
    }
  }
  template <class Field>
    requires requires(const Field& field) { field.empty(); }
  void Optional(std::string_view name, const Field& field) {
    if (!field.empty()) {
      Required(name, field);
    }
  }
  template <class Field>
  void Defaulted(std::string_view name, const Field& field, const Field& value) {
    if (field != value) {
      Required(name, field);
    }
  }
  void Stored(std::string_view name, const Item& field) { Required(name, field); }
  void Placeholders(std::string_view name, const std::optional<Map>& field) {
    Optional(name, field);
  }
  template <class Members>
  void Nested(std::string_view name, Members members) {
    AppendName(name);
    MemberWriter inner(out_);
    members(inner);
  }
  void Switch(std::string_view name, bool field) { Text(name, field ? kSwitchedOn : kSwitchedOff); }
  void Text(std::string_view name, std::string_view text) {
    AppendName(name);
    value::AppendJsonString(text, out_);
  }
  void Unsupported(std::string_view /*name*/) {}

 private:
  // Names of members need no escaping.
  void AppendName(std::string_view name) {
    if (!first_) {
      out_ += ',';
    }
    first_ = false;
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }

  std::string& out_;
  bool first_ = true;
};

template <Structure T>
struct Codec<T> {
  static std::string JavaType() {
    return std::string("com.amazonaws.dynamodb.v20120810.").append(Shape<T>::kName);
  }
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding, T& value) {
    ReadStructure(json, path, decoding, value);
  }
  static void Append(const T& value, std::string& out) {
    MemberWriter writer(out);
    Shape<T>::Visit(writer, value);
  }
};

// The Shape of a message that is no byte at all.
struct NoBody {
  static void Read(JsonObject /*json*/, Decoding& /*decoding*/, auto& /*message*/) {}
  static void Append(const auto& /*message*/, std::string& /*out*/) {}
};

template <class Message>
void Body<Message>::Read(JsonObject json, Decoding& decoding, Message& message) {
  if constexpr (Structure<Message>) {
    ReadBody(json, decoding, message);
  } else {
    Shape<Message>::Read(json, decoding, message);
  }
}

template <class Message>
void Body<Message>::Append(const Message& message, std::string& out) {
  if constexpr (Structure<Message>) {
    Codec<Message>::Append(message, out);
  } else {
    Shape<Message>::Append(message, out);
  }
}

}  // namespace stator::wire
