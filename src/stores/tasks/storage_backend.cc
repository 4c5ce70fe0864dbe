#include "stator/stores/tasks/storage_backend.h"

#include <memory>
#include <utility>

#include "value/check_value.h"

namespace stator::tasks {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

void AppendEncoded(std::string_view part, std::string& out) {
  for (const char character : part) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7F || character == '%' || character == ':' || character == '#') {
      out.push_back('%');
      out.push_back(kHexDigits[byte >> 4U]);
      out.push_back(kHexDigits[byte & 15U]);
    } else {
      out.push_back(character);
    }
  }
}

std::optional<std::string> Decoded(std::string_view text) {
  std::string part;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      part.push_back(text[at]);
      continue;
    }
    if (at + 2 >= text.size()) {
      return std::nullopt;
    }
    const std::size_t high = kHexDigits.find(text[at + 1]);
    const std::size_t low = kHexDigits.find(text[at + 2]);
    if (high == kHexDigits.npos || low == kHexDigits.npos) {
      return std::nullopt;
    }
    part.push_back(static_cast<char>(high << 4U | low));
    at += 2;
  }
  return part;
}

}  // namespace

std::string ToText(const RecordKey& key) {
  std::string text;
  AppendEncoded(key.owner, text);
  text.push_back(':');
  AppendEncoded(key.task, text);
  return text;
}

std::optional<RecordKey> ParseRecordKey(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) {
    return std::nullopt;
  }
  std::optional<std::string> owner = Decoded(text.substr(0, colon));
  std::optional<std::string> task = Decoded(text.substr(colon + 1));
  if (!owner || !task) {
    return std::nullopt;
  }
  return RecordKey{.owner = *std::move(owner), .task = *std::move(task)};
}

std::string ProblemWith(const RecordKey& key) {
  if (key.owner.size() > kOwnerBytesMax) {
    return "the owner id is longer than " + std::to_string(kOwnerBytesMax) + " bytes";
  }
  if (key.task.size() > kTaskIdBytesMax) {
    return "the task id is longer than " + std::to_string(kTaskIdBytesMax) + " bytes";
  }
  if (!value::IsUtf8(key.owner) || !value::IsUtf8(key.task)) {
    return "an id is not valid UTF-8";
  }
  return {};
}

std::unexpected<Error> KeyNotFound(const RecordKey& key) {
  return Fail(ErrorCode::kNotFound, "key not found: " + ToText(key));
}

std::unexpected<Error> KeyExists(const RecordKey& key, std::uint64_t actual) {
  return std::unexpected(Error{.code = ErrorCode::kAlreadyExists,
                               .message = "key already exists: " + ToText(key),
                               .detail = std::make_shared<VersionConflict>(0, actual)});
}

std::unexpected<Error> OtherVersion(const RecordKey& key, std::uint64_t expected,
                                    std::uint64_t actual) {
  return std::unexpected(Error{.code = ErrorCode::kConflict,
                               .message = "version conflict on key " + ToText(key) + ": expected " +
                                          std::to_string(expected) + ", found " +
                                          std::to_string(actual),
                               .detail = std::make_shared<VersionConflict>(expected, actual)});
}

Result<std::vector<bool>> StorageBackend::MoveLeases(const std::vector<LeaseHolder>& leases,
                                                     std::int64_t until_ms) {
  std::vector<bool> held;
  held.reserve(leases.size());
  for (const LeaseHolder& lease : leases) {
    const Result<void> moved = MoveLease(lease.key, lease.worker, until_ms);
    if (!moved && moved.error().code != ErrorCode::kNotFound) {
      return std::unexpected(moved.error());
    }
    held.push_back(moved.has_value());
  }
  return held;
}

}  // namespace stator::tasks
