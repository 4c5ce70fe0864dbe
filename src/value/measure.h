// The target of value_reader.h that only adds sizes up, as value/size.h counts them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stator/value/number.h"
#include "value/number_parts.h"
#include "value/number_size.h"
#include "value/size.h"

namespace stator::value {

struct Measure {
  std::size_t bytes = 0;

  void OnNull() { bytes += 1; }
  void OnBool(bool /*value*/) { bytes += 1; }
  void OnString(std::string_view text) { bytes += text.size(); }
  void OnBinary(std::string_view binary) { bytes += binary.size(); }
  void OnNumber(const NumberParts& parts) {
    bytes += SizeOfNumber(parts.digits, parts.exponent, parts.negative);
  }
  void OnNumber(const Number& number) { bytes += SizeOf(number); }
  Measure& OnStringSet(std::uint64_t /*count*/) { return *this; }
  Measure& OnNumberSet(std::uint64_t /*count*/) { return *this; }
  Measure& OnBinarySet(std::uint64_t /*count*/) { return *this; }
  Measure& OnList(std::uint64_t count) { return AddContainer(count); }
  Measure& OnMap(std::uint64_t count) { return AddContainer(count); }
  void OnEnd(const Measure& /*inside*/) {}
  void OnMember(std::string_view member) { bytes += member.size(); }
  void OnMember(const Number& member) { bytes += SizeOf(member); }
  void OnElement() {}
  void OnName(std::string_view name) { bytes += name.size(); }

 private:
  Measure& AddContainer(std::uint64_t count) {
    bytes += kContainerBytes + kEntryBytes * count;
    return *this;
  }
};

}  // namespace stator::value
