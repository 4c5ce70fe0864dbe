#include "value/json_fields.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace stator::value {
namespace {

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

constexpr auto kOutOfOrder = [](const Field& left, const Field& right) {
  return left.prefix != right.prefix ? left.prefix > right.prefix : left.name >= right.name;
};

}  // namespace

void FieldStack::Push(const simdjson::dom::object& json, FieldOrder order) {
  const auto bottom = static_cast<std::ptrdiff_t>(fields_.size());
  for (const auto [name, content] : json) {
    fields_.push_back({.prefix = PrefixOf(name), .name = name, .content = content});
  }
  if (order == FieldOrder::kAsDocument ||
      std::adjacent_find(fields_.begin() + bottom, fields_.end(), kOutOfOrder) == fields_.end()) {
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

}  // namespace stator::value
