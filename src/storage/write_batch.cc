#include "storage/write_batch.h"

#include <array>
#include <limits>
#include <utility>

#include "base/check.h"

namespace stator::storage {
namespace {

// RocksDB's values, on disk in its log.
constexpr char kDeleteRecord = '\x00';
constexpr char kPutRecord = '\x01';
constexpr char kFamilyDeleteRecord = '\x04';
constexpr char kFamilyPutRecord = '\x05';
constexpr std::size_t kCountOffset = 8;
constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kStampBytes = 8;
constexpr std::size_t kRecordBytesMax = 12;  // besides key and value: a tag, a family, two lengths

void AppendLengthPrefixed(std::string_view text, std::string& bytes) {
  CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max());
  std::array<char, 5> length{};
  std::size_t used = 0;
  auto rest = static_cast<std::uint32_t>(text.size());
  while (rest >= 0x80U) {
    length[used++] = static_cast<char>(rest | 0x80U);
    rest >>= 7U;
  }
  length[used++] = static_cast<char>(rest);
  bytes.append(length.data(), used).append(text);
}

// Takes one off the front. REQUIRES: it was appended as above.
std::string_view TakeLengthPrefixed(std::string_view bytes, std::size_t& at) {
  std::uint32_t length = 0;
  unsigned char byte = 0;
  unsigned shift = 0;
  do {
    byte = static_cast<unsigned char>(bytes[at++]);
    length |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
    shift += 7;
  } while (byte >= 0x80U);
  const std::string_view text = bytes.substr(at, length);
  CHECK(text.size() == length);
  at += length;
  return text;
}

void AppendTag(Family family, char of_main, char of_others, std::string& bytes) {
  if (family == Family::kMain) {
    bytes.push_back(of_main);
    return;
  }
  bytes.push_back(of_others);
  bytes.push_back(static_cast<char>(kHistoryNumber));
}

}  // namespace

WriteBatch::WriteBatch() : bytes_(kHeaderBytes, '\0') {}

WriteBatch::WriteBatch(WriteBatch&& other) noexcept : bytes_(kHeaderBytes, '\0') {
  bytes_.swap(other.bytes_);
  stamps_.swap(other.stamps_);
}

WriteBatch& WriteBatch::operator=(WriteBatch&& other) noexcept {
  if (this != &other) {
    bytes_.swap(other.bytes_);
    stamps_.swap(other.stamps_);
    other.Clear();
  }
  return *this;
}

WriteBatch::Row WriteBatch::Put(std::string_view key, std::string_view value, Family family) {
  bytes_.reserve(bytes_.size() + kRecordBytesMax + key.size() + value.size());
  AppendTag(family, kPutRecord, kFamilyPutRecord, bytes_);
  Row row{.key_size = static_cast<std::uint32_t>(key.size()),
          .value_size = static_cast<std::uint32_t>(value.size())};
  AppendLengthPrefixed(key, bytes_);
  row.key_at = bytes_.size() - key.size();
  AppendLengthPrefixed(value, bytes_);
  row.value_at = bytes_.size() - value.size();
  AddToCount(1);
  return row;
}

WriteBatch::Row WriteBatch::Delete(std::string_view key, Family family) {
  AppendTag(family, kDeleteRecord, kFamilyDeleteRecord, bytes_);
  AppendLengthPrefixed(key, bytes_);
  AddToCount(1);
  return {.key_at = bytes_.size() - key.size(),
          .key_size = static_cast<std::uint32_t>(key.size()),
          .value_at = bytes_.size(),
          .deleted = true};
}

WriteBatch::Row WriteBatch::PutStamped(std::string_view key, std::size_t stamp_at, StampKind kind,
                                       std::string_view value, Family family) {
  CHECK(stamp_at + kStampBytes <= key.size());
  const Row row = Put(key, value, family);
  stamps_.push_back({.at = row.key_at + stamp_at, .kind = kind});
  return row;
}

WriteBatch::Row WriteBatch::PutStampedValue(std::string_view key, std::string_view value,
                                            std::size_t stamp_at, StampKind kind) {
  CHECK(stamp_at + kStampBytes <= value.size());
  const Row row = Put(key, value);
  stamps_.push_back({.at = row.value_at + stamp_at, .kind = kind});
  return row;
}

void WriteBatch::FillStamp(const Stamp& stamp, std::uint64_t number) {
  if (stamp.at == kNowhere) {
    return;
  }
  CHECK(stamp.at >= kHeaderBytes && stamp.at + kStampBytes <= bytes_.size());
  for (std::size_t byte = kStampBytes; byte-- > 0;) {
    bytes_[stamp.at + byte] = static_cast<char>(number);
    number >>= 8U;
  }
}

void WriteBatch::Append(const WriteBatch& other) {
  CHECK(this != &other && other.bytes_.size() >= kHeaderBytes);
  bytes_.append(other.bytes_, kHeaderBytes);
  AddToCount(other.count());
}

bool WriteBatch::NextRow(std::size_t& at, Row& row) const {
  at = at == 0 ? kHeaderBytes : at;
  while (at < bytes_.size()) {
    const char tag = bytes_[at++];
    const bool is_main = tag == kPutRecord || tag == kDeleteRecord;
    at += is_main ? 0 : 1;  // the number of the family
    row.key_size = static_cast<std::uint32_t>(TakeLengthPrefixed(bytes_, at).size());
    row.key_at = at - row.key_size;
    row.deleted = tag == kDeleteRecord || tag == kFamilyDeleteRecord;
    row.value_size =
        row.deleted ? 0 : static_cast<std::uint32_t>(TakeLengthPrefixed(bytes_, at).size());
    row.value_at = at - row.value_size;
    if (is_main) {
      return true;
    }
  }
  return false;
}

void WriteBatch::Clear() {
  bytes_.assign(kHeaderBytes, '\0');
  stamps_.clear();
}

std::string WriteBatch::TakeRepresentation() {
  CHECK(bytes_.size() >= kHeaderBytes);
  std::string taken(kHeaderBytes, '\0');
  taken.swap(bytes_);
  return taken;
}

std::uint32_t WriteBatch::count() const {
  DCHECK(bytes_.size() >= kHeaderBytes);
  std::uint32_t count = 0;
  for (std::size_t byte = 4; byte-- > 0;) {
    count = count << 8U | static_cast<unsigned char>(bytes_[kCountOffset + byte]);
  }
  return count;
}

void WriteBatch::AddToCount(std::uint32_t records) {
  std::uint32_t count = this->count() + records;
  CHECK_THAT(count >= records, "more records than a batch can count");
  for (std::size_t byte = 0; byte < 4; ++byte) {
    bytes_[kCountOffset + byte] = static_cast<char>(count);
    count >>= 8U;
  }
}

}  // namespace stator::storage
