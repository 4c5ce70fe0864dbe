#include "keyspace/key_range.h"

#include <cstddef>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "keyspace/key_part.h"

namespace stator::keyspace {
namespace {

std::string WithPart(std::string_view prefix, const AttributeValue& value) {
  std::string key(prefix);
  AppendKeyPart(value, key);
  return key;
}

constexpr std::uint64_t kHashes = 65'536;

// The first hash of a segment; `segment` may be `total`, which is behind the last hash.
std::uint64_t FirstHash(std::uint64_t segment, std::uint64_t total) {
  CHECK(total > 0 && segment <= total);
  return (segment * kHashes + total - 1) / total;
}

std::string AtHash(const std::string& prefix, std::uint64_t hash) {
  CHECK(hash <= kHashes);
  if (hash == kHashes) {
    return PrefixEnd(prefix);
  }
  std::string key = prefix;
  base::AppendBigEndian(static_cast<std::uint16_t>(hash), key);
  return key;
}

KeyRange Segment(const std::string& prefix, std::uint32_t segment, std::uint32_t total) {
  CHECK(segment < total);
  return {.begin = AtHash(prefix, FirstHash(segment, total)),
          .end = AtHash(prefix, FirstHash(std::uint64_t{segment} + 1, total))};
}

}  // namespace

std::string PrefixEnd(std::string_view prefix) {
  const std::size_t last = prefix.find_last_not_of('\xFF');
  CHECK(last != std::string_view::npos);
  std::string end(prefix.substr(0, last + 1));
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  DCHECK(end > prefix);
  return end;
}

KeyRange RangeOfPrefix(std::string_view prefix) {
  CHECK_THAT(!prefix.empty(), "everything is no range of one kind");
  return {.begin = std::string(prefix), .end = PrefixEnd(prefix)};
}

KeyRange RangeEqual(std::string_view prefix, const AttributeValue& value) {
  return RangeOfPrefix(WithPart(prefix, value));
}

KeyRange RangeBelow(std::string_view prefix, const AttributeValue& value) {
  return {.begin = std::string(prefix), .end = WithPart(prefix, value)};
}

KeyRange RangeUpTo(std::string_view prefix, const AttributeValue& value) {
  return {.begin = std::string(prefix), .end = PrefixEnd(WithPart(prefix, value))};
}

KeyRange RangeAbove(std::string_view prefix, const AttributeValue& value) {
  return {.begin = PrefixEnd(WithPart(prefix, value)), .end = PrefixEnd(prefix)};
}

KeyRange RangeFrom(std::string_view prefix, const AttributeValue& value) {
  KeyRange range{.begin = WithPart(prefix, value), .end = PrefixEnd(prefix)};
  DCHECK(range.begin < range.end);
  return range;
}

KeyRange RangeBetween(std::string_view prefix, const AttributeValue& low,
                      const AttributeValue& high) {
  return {.begin = WithPart(prefix, low), .end = PrefixEnd(WithPart(prefix, high))};
}

KeyRange RangeBeginningWith(std::string_view prefix, const AttributeValue& value) {
  std::string begin(prefix);
  AppendKeyPartPrefix(value, begin);
  DCHECK(begin.starts_with(prefix));
  return RangeOfPrefix(begin);
}

KeyRange ItemSegment(TableId table, std::uint32_t segment, std::uint32_t total) {
  std::string prefix;
  AppendItemsPrefix(table, prefix);
  return Segment(prefix, segment, total);
}

KeyRange IndexSegment(TableId table, IndexId index, std::uint32_t segment, std::uint32_t total) {
  std::string prefix;
  AppendIndexPrefix(table, index, prefix);
  return Segment(prefix, segment, total);
}

}  // namespace stator::keyspace
