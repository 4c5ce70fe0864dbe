// The target of value_reader.h that writes the bytes of values (value_codec.h): the one place that
// does, for trees of values and for what is read from JSON. Who tells it keeps what rows promise:
// names and members come sorted, each once, and counts are true.
//
// What it writes is told to a Size as well, a target of its own: Measure, or Unmeasured for who does
// not ask.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stator/value/attribute_value.h"
#include "value/measure.h"
#include "value/number_parts.h"
#include "value/row_writer.h"
#include "value/value_reader.h"
#include "value/varint.h"

namespace stator::value {

struct Unmeasured {
  void OnNull() {}
  void OnBool(bool /*value*/) {}
  void OnString(std::string_view /*text*/) {}
  void OnBinary(std::string_view /*binary*/) {}
  void OnNumber(const Number& /*number*/) {}
  void OnList(std::uint64_t /*count*/) {}
  void OnMap(std::uint64_t /*count*/) {}
  void OnMember(std::string_view /*member*/) {}
  void OnMember(const Number& /*member*/) {}
  void OnName(std::string_view /*name*/) {}
};

template <class Size>
struct ContainerEncoder;

template <class Size>
struct RowEncoder {
  RowWriter& row;
  Size& size;

  void OnNull() {
    row.Byte(Code(Tag::kNull));
    size.OnNull();
  }
  void OnBool(bool value) {
    row.Byte(Code(value ? Tag::kTrue : Tag::kFalse));
    size.OnBool(value);
  }
  void OnString(std::string_view text) {
    row.TaggedBytes(Code(Tag::kString), text);
    size.OnString(text);
  }
  void OnBinary(std::string_view bytes) {
    row.TaggedBytes(Code(Tag::kBinary), bytes);
    size.OnBinary(bytes);
  }
  void OnNumber(const Number& number) {
    AppendNumber(number);
    size.OnNumber(number);
  }
  ContainerEncoder<Size> OnStringSet(std::uint64_t count) { return Begin(Tag::kStringSet, count); }
  ContainerEncoder<Size> OnNumberSet(std::uint64_t count) { return Begin(Tag::kNumberSet, count); }
  ContainerEncoder<Size> OnBinarySet(std::uint64_t count) { return Begin(Tag::kBinarySet, count); }
  ContainerEncoder<Size> OnList(std::uint64_t count) {
    size.OnList(count);
    return Begin(Tag::kList, count);
  }
  ContainerEncoder<Size> OnMap(std::uint64_t count) {
    size.OnMap(count);
    return Begin(Tag::kMap, count);
  }
  void OnEnd(const ContainerEncoder<Size>& inside) { row.EndSized(inside.size_at); }
  void OnMember(std::string_view member) {
    row.SizedBytes(member);
    size.OnMember(member);
  }
  void OnMember(const Number& member) {
    AppendNumber(member);
    size.OnMember(member);
  }
  void OnElement() {}
  void OnName(std::string_view name) {
    row.SizedBytes(name);
    size.OnName(name);
  }

  // A map that is these bytes already: its count and its entries.
  void OnEntries(std::string_view entries)
    requires(std::same_as<Size, Unmeasured>)
  {
    row.Byte(Code(Tag::kMap));
    const std::size_t size_at = row.BeginSized();
    row.Bytes(entries);
    row.EndSized(size_at);
  }

 private:
  static constexpr char Code(Tag tag) { return static_cast<char>(tag); }

  ContainerEncoder<Size> Begin(Tag tag, std::uint64_t count) {
    row.Byte(Code(tag));
    const std::size_t size_at = row.BeginSized();
    row.Varint(count);
    return {{row, size}, size_at};
  }

  void AppendNumber(const Number& number) {
    const bool negative = number.is_negative();
    if (number.exponent() == 0) {
      row.Byte(Code(negative ? Tag::kNegativeInteger : Tag::kInteger));
    } else {
      row.Byte(Code(negative ? Tag::kNegativeNumber : Tag::kNumber));
      row.Varint(ZigZag(number.exponent()));
    }
    if (number.coefficient_high() == 0) {
      row.Varint(number.coefficient_low());
    } else {
      row.Varint(JoinHalves(number.coefficient_high(), number.coefficient_low()));
    }
  }
};

// What stands behind the size of a container.
template <class Size>
struct ContainerEncoder : RowEncoder<Size> {
  std::size_t size_at;
};

}  // namespace stator::value
