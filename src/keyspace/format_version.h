// The version of everything on disk. docs/format.md says what each version is and what changing it
// takes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::keyspace {

// The newest that this program reads, and what new directories get. One of version 1 stays so until
// the first table of it keeps history: that takes rows which version 1 does not have.
inline constexpr std::uint32_t kFormatVersion = 2;

// The value of the row FormatVersionKey().
std::string EncodeFormatVersion(std::uint32_t version = kFormatVersion);

// The version that a row says, when this program can read it. Fails with kIo when it is newer, with
// kCorruption when it is none.
Result<std::uint32_t> DecodeFormatVersion(std::string_view row);

}  // namespace stator::keyspace
