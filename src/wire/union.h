// Structures of which exactly one member is set, {"PutRequest": {...}}: a std::variant in the api.

#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "wire/shape.h"

namespace stator::wire {

// kName as for a Shape; kMembers in the order of the alternatives; kNone and kSeveral are what the
// service says when no member is set, and when more than one is. kTypes, where the service has types
// of its own for members that share a Shape with others: their names, empty for those that do not.
template <class Variant>
struct UnionShape;

template <class Variant>
concept Union = requires { UnionShape<Variant>::kMembers; };

template <Union Variant>
struct Codec<Variant> {
  static std::string JavaType() { return std::string(kPackage).append(UnionShape<Variant>::kName); }

  // Reads every member that is set, also when they are too many, so that all faults are noticed.
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding, Variant& value) {
    JsonObject object;
    if (json.get(object) != simdjson::SUCCESS) {
      (void)StructureFrom(json, path.is_inside_collection(), JavaType(), decoding);
      return;
    }
    std::size_t set = 0;
    for (const auto [key, element] : object) {
      if (!element.is_null()) {
        set += ReadMember(key, element, path, decoding, value) ? 1U : 0U;
      }
    }
    if (set != 1) {
      decoding.NoteUnchecked(path);
      decoding.Refuse(path, {.code = ErrorCode::kValidation,
                             .message = std::string(set == 0 ? UnionShape<Variant>::kNone
                                                             : UnionShape<Variant>::kSeveral)});
    }
  }

  static void Append(const Variant& value, std::string& out) {
    MemberWriter writer(out);
    std::visit(
        [&](const auto& member) {
          writer.Required(UnionShape<Variant>::kMembers[value.index()], member);
        },
        value);
  }

 private:
  static constexpr std::string_view kPackage = "com.amazonaws.dynamodb.v20120810.";
  static constexpr std::size_t kSize = std::variant_size_v<Variant>;

  static bool ReadMember(std::string_view key, JsonElement json, const MemberPath& path,
                         Decoding& decoding, Variant& value) {
    return [&]<std::size_t... kIndexes>(std::index_sequence<kIndexes...> /*indexes*/) {
      return (ReadIf<kIndexes>(key, json, path, decoding, value) || ...);
    }(std::make_index_sequence<kSize>());
  }

  template <std::size_t kIndex>
  static bool ReadIf(std::string_view key, JsonElement json, const MemberPath& path,
                     Decoding& decoding, Variant& value) {
    constexpr std::string_view kMember = UnionShape<Variant>::kMembers[kIndex];
    if (key != kMember) {
      return false;
    }
    using Member = std::variant_alternative_t<kIndex, Variant>;
    const MemberPath member = MemberPath::Member(&path, kMember);
    if constexpr (requires { UnionShape<Variant>::kTypes[kIndex]; }) {
      if (!json.is_object() && !UnionShape<Variant>::kTypes[kIndex].empty()) {
        (void)StructureFrom(json, member.is_inside_collection(),
                            std::string(kPackage).append(UnionShape<Variant>::kTypes[kIndex]),
                            decoding);
        return true;
      }
    }
    Codec<Member>::Read(json, member, decoding, value.template emplace<kIndex>());
    return true;
  }
};

}  // namespace stator::wire
