#include "stores/tasks/list_cursor.h"

#include <algorithm>

#include "base/base64.h"
#include "base/digest.h"
#include "stores/tasks/timestamps.h"
#include "value/check_value.h"

namespace stator::tasks {
namespace {

constexpr char kCursorVersion = 1;
constexpr std::size_t kOwnerHashBytes = 8;
constexpr std::size_t kTimestampBytes = 24;
constexpr std::size_t kHeaderBytes = 1 + kOwnerHashBytes + kTimestampBytes;

std::string OwnerHash(std::string_view owner) {
  return base::Sha256(owner).substr(0, kOwnerHashBytes);
}

void Exchange(std::string& text, char from, char to) {
  std::ranges::replace(text, from, to);
}

}  // namespace

std::string EncodeCursor(std::string_view owner, const ListPosition& position) {
  std::string bytes(1, kCursorVersion);
  bytes.append(OwnerHash(owner)).append(position.created_at).append(position.task);
  std::string text = base::EncodeBase64(bytes);
  Exchange(text, '+', '-');
  Exchange(text, '/', '_');
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

std::optional<ListPosition> DecodeCursor(std::string_view owner, std::string_view cursor) {
  std::string text(cursor);
  if (text.find_first_of("+/=") != text.npos) {
    return std::nullopt;
  }
  Exchange(text, '-', '+');
  Exchange(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  const std::optional<std::string> bytes = base::DecodeBase64(text);
  if (!bytes || bytes->size() <= kHeaderBytes || bytes->front() != kCursorVersion ||
      bytes->substr(1, kOwnerHashBytes) != OwnerHash(owner) ||
      !value::IsUtf8(bytes->substr(kHeaderBytes))) {
    return std::nullopt;
  }
  ListPosition position{.created_at = bytes->substr(1 + kOwnerHashBytes, kTimestampBytes),
                        .task = bytes->substr(kHeaderBytes)};
  // It becomes part of a key condition.
  const std::optional<TimePoint> time = ParseTimestamp(position.created_at);
  if (!time || ToMillisecondText(*time) != position.created_at ||
      position.task.size() > kTaskIdBytesMax) {
    return std::nullopt;
  }
  return position;
}

}  // namespace stator::tasks
