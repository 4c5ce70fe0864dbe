#include "stator/stores/events/sortable_id.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace stator::events {
namespace {

constexpr std::size_t kTicksDigits = 19;
constexpr std::size_t kPartDigits = 11;
// 1970-01-01, in ticks since 0001-01-01.
constexpr std::int64_t kUnixEpochTicks = 621'355'968'000'000'000;
constexpr std::int64_t kTicksPerMicrosecond = 10;

std::uint64_t ToTicks(TimePoint time) {
  const std::int64_t ticks =
      time.time_since_epoch().count() * kTicksPerMicrosecond + kUnixEpochTicks;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(ticks, 0));
}

void WriteDigits(std::uint64_t value, char* to, std::size_t digits) {
  for (std::size_t place = digits; place > 0; --place) {
    to[place - 1] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

// The 16 bytes of a UUID's text; false when it is none.
bool ReadUuid(std::string_view text, std::array<std::uint8_t, 16>& bytes) {
  constexpr std::size_t kUuidTextBytes = 36;
  if (text.size() != kUuidTextBytes) {
    return false;
  }
  std::size_t at = 0;
  for (std::size_t index = 0; index < text.size();) {
    if (index == 8 || index == 13 || index == 18 || index == 23) {
      if (text[index++] != '-') {
        return false;
      }
      continue;
    }
    const auto [end, error] =
        std::from_chars(text.data() + index, text.data() + index + 2, bytes[at], 16);
    if (error != std::errc() || end != text.data() + index + 2) {
      return false;
    }
    ++at;
    index += 2;
  }
  return true;
}

}  // namespace

Result<SortableId> SortableId::Parse(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() != kTextBytes || !std::all_of(text.begin(), text.end(), is_digit)) {
    return Invalid("a sortable id has 30 digits");
  }
  SortableId id;
  std::from_chars(text.data(), text.data() + kTicksDigits, id.ticks_);
  std::from_chars(text.data() + kTicksDigits, text.data() + kTextBytes, id.part_);
  return id;
}

// The four words of the UUID as a machine of the original system has it in memory, where the first
// three fields are little-endian, combined by exclusive or.
std::uint64_t SortableId::PartOf(const std::array<std::uint8_t, 16>& uuid) {
  constexpr std::array<std::size_t, 16> kMemoryOrder = {3, 2, 1,  0,  5,  4,  7,  6,
                                                        8, 9, 10, 11, 12, 13, 14, 15};
  std::uint32_t words = 0;
  for (std::size_t index = 0; index < uuid.size(); ++index) {
    words ^= static_cast<std::uint32_t>(uuid[kMemoryOrder[index]]) << (8 * (index % 4));
  }
  const std::int64_t number = static_cast<std::int32_t>(words);
  return static_cast<std::uint64_t>(number < 0 ? -number : number);
}

Result<SortableId> SortableId::FromUuid(TimePoint time, std::string_view uuid) {
  std::array<std::uint8_t, 16> bytes = {};
  if (!ReadUuid(uuid, bytes)) {
    return Invalid("not the text of a UUID");
  }
  return FromParts(ToTicks(time), PartOf(bytes));
}

SortableId SortableId::At(TimePoint time) {
  return FromParts(ToTicks(time), 0);
}

std::string SortableId::ToText() const {
  std::string text(kTextBytes, '0');
  WriteDigits(ticks_, text.data(), kTicksDigits);
  WriteDigits(part_, text.data() + kTicksDigits, kPartDigits);
  return text;
}

TimePoint SortableId::Time() const {
  const auto ticks = static_cast<std::int64_t>(
      std::min<std::uint64_t>(ticks_, std::numeric_limits<std::int64_t>::max()));
  return TimePoint(Duration((ticks - kUnixEpochTicks) / kTicksPerMicrosecond));
}

std::uint64_t TicksAt(TimePoint time) {
  return ToTicks(time);
}

}  // namespace stator::events
