// UUIDs of bytes that were computed (version 8, RFC 9562).

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stator::events {

using UuidBytes = std::array<std::uint8_t, 16>;

std::string FormatUuid(const UuidBytes& bytes);
// Nothing for anything but 36 characters of 0-9a-f and dashes.
std::optional<UuidBytes> ParseUuid(std::string_view text);

// Of the first 16 bytes. REQUIRES: there are as many.
std::string MakeUuidText(std::string_view bytes);

// The same for bytes in the order in which the original system has UUIDs in memory: the first three
// fields little-endian.
std::string MakeUuidTextFromMemory(std::string_view bytes);

}  // namespace stator::events
