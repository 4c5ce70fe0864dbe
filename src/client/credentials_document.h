// Credentials as the services hand them out: JSON of the metadata services and of
// credential_process, XML of STS.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client/credentials.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::client {

// An object with AccessKeyId, SecretAccessKey, Token or SessionToken, and Expiration. `source` is
// named in errors, which never repeat what the document says.
Result<Credentials> CredentialsFromJson(std::string_view document, std::string_view source);

// The Credentials element of an answer of STS.
Result<Credentials> CredentialsFromXml(std::string_view document, std::string_view source);

// What a JSON pointer ("/a/b") leads to, when it is of that type.
std::optional<std::string> JsonText(std::string_view document, std::string_view pointer);
std::optional<std::int64_t> JsonInteger(std::string_view document, std::string_view pointer);

// "2026-11-16T02:00:00Z", with or without a fraction of seconds, also with "+00:00" or "UTC".
std::optional<TimePoint> ParseTimestamp(std::string_view text);

}  // namespace stator::client
