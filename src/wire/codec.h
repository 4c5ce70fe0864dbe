// One type of the api on the wire: Codec<T>::Read takes it from JSON, Codec<T>::Append writes it.
// Here are scalars, lists, maps and DynamoDB's values; structures describe their members with a
// Shape (wire/shape.h), enumerators are listed in wire/enum_names.h.
//
// Read never fails: what it refuses it tells to the Decoding. `path` is where the value stands.

#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <simdjson.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/member_path.h"
#include "stator/base/clock.h"
#include "stator/value/attribute_value.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"
#include "wire/decoding.h"
#include "wire/json_numbers.h"
#include "wire/json_types.h"

namespace stator::wire {

using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;
using api::MemberPath;

// JavaType is how AWS's messages call the type.
template <class T>
struct Codec;

template <>
struct Codec<std::string> {
  static std::string JavaType() { return "java.lang.String"; }
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding,
                   std::string& value) {
    value = TextFrom(json, decoding);
  }
  static void Append(const std::string& value, std::string& out) {
    value::AppendJsonString(value, out);
  }
};

template <>
struct Codec<bool> {
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding, bool& value) {
    value = BooleanFrom(json, decoding);
  }
  static void Append(bool value, std::string& out) { out += value ? "true" : "false"; }
};

template <>
struct Codec<std::int32_t> {
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding,
                   std::int32_t& value) {
    value = IntegerFrom(json, decoding);
  }
  static void Append(std::int32_t value, std::string& out) { AppendInteger(value, out); }
};

template <>
struct Codec<std::int64_t> {
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding,
                   std::int64_t& value) {
    value = LongFrom(json, decoding);
  }
  static void Append(std::int64_t value, std::string& out) { AppendInteger(value, out); }
};

// Figures and moments stand in answers only.
template <>
struct Codec<double> {
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding,
                   double& value) {
    value = DoubleFrom(json, decoding);
  }
  static void Append(double value, std::string& out) { AppendDouble(value, out); }
};

template <>
struct Codec<TimePoint> {
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding,
                   TimePoint& value) {
    value = EpochSecondsFrom(json, decoding);
  }
  static void Append(TimePoint value, std::string& out) { AppendEpochSeconds(value, out); }
};

template <>
struct Codec<AttributeValue> {
  static std::string JavaType() { return "com.amazonaws.dynamodb.v20120810.AttributeValue"; }
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding,
                   AttributeValue& value) {
    if (!json.is_object() && !json.is_array() && !path.is_inside_collection()) {
      decoding.RefuseType("Unexpected field type");
      return;
    }
    Result<AttributeValue> read = value::AttributeValueFromJson(json, decoding.words());
    if (read) {
      value = *std::move(read);
    } else {
      decoding.RefuseValue(path, json, std::move(read).error());
    }
  }
  static void Append(const AttributeValue& value, std::string& out) {
    value::AppendDynamoDbJson(value, out);
  }
};

// Items, keys, values of placeholders.
template <>
struct Codec<Map> {
  static std::string JavaType() {
    return "java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>";
  }
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding, Map& value) {
    ReadBy(value::MapFromJson, json, path, decoding, value);
  }
  // An item that is to be stored as it is.
  static void ReadStored(JsonElement json, const MemberPath& path, Decoding& decoding,
                         Item& value) {
    ReadBy(value::StoredItemFromJson, json, path, decoding, value);
  }
  static void Append(const Map& value, std::string& out) { value::AppendDynamoDbJson(value, out); }

 private:
  static void ReadBy(Result<Map> (*from_json)(JsonElement, value::Words), JsonElement json,
                     const MemberPath& path, Decoding& decoding, Map& value) {
    if (!json.is_object()) {
      (void)MapFrom(json, path.is_inside_collection(), JavaType(), decoding);
      return;
    }
    Result<Map> read = from_json(json, decoding.words());
    if (read) {
      value = *std::move(read);
    } else {
      decoding.RefuseValue(path, json, std::move(read).error());
    }
  }
};

template <class T>
struct Codec<std::optional<T>> {
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding,
                   std::optional<T>& value) {
    Codec<T>::Read(json, path, decoding, value.emplace());
  }
};

template <class T>
struct Codec<std::vector<T>> {
  static std::string JavaType() { return "java.util.List<" + Codec<T>::JavaType() + ">"; }

  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding,
                   std::vector<T>& value) {
    value.clear();
    const std::optional<JsonArray> elements = ListFrom(json, path.is_inside_collection(), decoding);
    if (!elements) {
      return;
    }
    value.reserve(std::min(elements->size(), kReserveMax));
    for (const JsonElement element : *elements) {
      const MemberPath at = MemberPath::Element(&path, value.size());
      T& read = value.emplace_back();
      if (element.is_null()) {
        decoding.NoteMissing(at);
      } else {
        Codec<T>::Read(element, at, decoding, read);
      }
    }
  }

  static void Append(const std::vector<T>& value, std::string& out) {
    if constexpr (std::same_as<T, Map>) {
      value::AppendDynamoDbJson(std::span<const Map>(value), out);
      return;
    }
    out += '[';
    for (const T& element : value) {
      if (&element != value.data()) {
        out += ',';
      }
      Codec<T>::Append(element, out);
    }
    out += ']';
  }

 private:
  // A document announces how many elements it has; believe it only so far.
  static constexpr std::size_t kReserveMax = 1024;
};

template <class T>
struct Codec<std::map<std::string, T>> {
  static std::string JavaType() {
    return "java.util.Map<java.lang.String, " + Codec<T>::JavaType() + ">";
  }

  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding,
                   std::map<std::string, T>& value) {
    value.clear();
    JsonObject entries;
    if (json.get(entries) != simdjson::SUCCESS) {
      (void)MapFrom(json, path.is_inside_collection(), JavaType(), decoding);
      return;
    }
    for (const auto [key, entry] : entries) {
      const MemberPath at = MemberPath::Entry(&path, key);
      T& read = value[std::string(key)];
      if (entry.is_null()) {
        decoding.NoteMissing(at);
      } else {
        Codec<T>::Read(entry, at, decoding, read);
      }
    }
  }

  static void Append(const std::map<std::string, T>& value, std::string& out) {
    out += '{';
    bool first = true;
    for (const auto& [key, entry] : value) {
      if (!first) {
        out += ',';
      }
      first = false;
      value::AppendJsonString(key, out);
      out += ':';
      Codec<T>::Append(entry, out);
    }
    out += '}';
  }
};

template <std::size_t kSize>
struct Codec<std::array<double, kSize>> {
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding,
                   std::array<double, kSize>& value) {
    std::size_t read = 0;
    const std::optional<JsonArray> elements = ListFrom(json, path.is_inside_collection(), decoding);
    for (const JsonElement element : elements.value_or(JsonArray())) {
      if (read < kSize) {
        value[read++] = DoubleFrom(element, decoding);
      }
    }
  }
  static void Append(const std::array<double, kSize>& value, std::string& out) {
    out += '[';
    for (std::size_t i = 0; i < kSize; ++i) {
      if (i > 0) {
        out += ',';
      }
      AppendDouble(value[i], out);
    }
    out += ']';
  }
};

}  // namespace stator::wire
