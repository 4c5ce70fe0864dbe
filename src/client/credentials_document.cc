#include "client/credentials_document.h"

#include <algorithm>
#include <simdjson.h>

#include "base/try.h"
#include "wire/http_date.h"

namespace stator::client {
namespace {

std::unexpected<Error> Unusable(std::string_view source) {
  return Fail(ErrorCode::kUnrecognizedClient, std::string(source) + " gave no usable credentials");
}

Result<Credentials> Made(std::optional<std::string> id, std::optional<std::string> secret,
                         std::optional<std::string> token, std::optional<std::string> expiration,
                         std::string_view source) {
  if (!id || !secret || id->empty() || secret->empty()) {
    return Unusable(source);
  }
  Credentials credentials{.key = {.access_key_id = *std::move(id),
                                  .secret_access_key = *std::move(secret),
                                  .session_token = std::move(token).value_or("")}};
  if (expiration) {
    credentials.expiration = ParseTimestamp(*expiration);
    if (!credentials.expiration) {
      return Unusable(source);
    }
  }
  return credentials;
}

// The text of the first element of that name; STS's values contain no further markup.
std::optional<std::string> XmlText(std::string_view document, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::size_t start = document.find(open);
  if (start == std::string_view::npos) {
    return std::nullopt;
  }
  document.remove_prefix(start + open.size());
  const std::size_t end = document.find('<');
  return end == std::string_view::npos ? std::nullopt
                                       : std::optional<std::string>(document.substr(0, end));
}

}  // namespace

Result<Credentials> CredentialsFromJson(std::string_view document, std::string_view source) {
  std::optional<std::string> token = JsonText(document, "/Token");
  if (!token) {
    token = JsonText(document, "/SessionToken");
  }
  return Made(JsonText(document, "/AccessKeyId"), JsonText(document, "/SecretAccessKey"),
              std::move(token), JsonText(document, "/Expiration"), source);
}

Result<Credentials> CredentialsFromXml(std::string_view document, std::string_view source) {
  return Made(XmlText(document, "AccessKeyId"), XmlText(document, "SecretAccessKey"),
              XmlText(document, "SessionToken"), XmlText(document, "Expiration"), source);
}

std::optional<std::string> JsonText(std::string_view document, std::string_view pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view text;
  if (parser.parse(document.data(), document.size()).get(root) != simdjson::SUCCESS ||
      root.at_pointer(pointer).get(text) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return std::string(text);
}

std::optional<std::int64_t> JsonInteger(std::string_view document, std::string_view pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::int64_t value = 0;
  if (parser.parse(document.data(), document.size()).get(root) != simdjson::SUCCESS ||
      root.at_pointer(pointer).get(value) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return value;
}

std::optional<TimePoint> ParseTimestamp(std::string_view text) {
  for (const std::string_view zone : {"Z", "+00:00", "UTC"}) {
    if (text.ends_with(zone)) {
      text.remove_suffix(zone.size());
      text = text.substr(0, text.find('.'));
      std::string basic(text);
      std::erase_if(basic, [](char letter) { return letter == '-' || letter == ':'; });
      return wire::ParseBasicDate(basic + "Z");
    }
  }
  return std::nullopt;
}

}  // namespace stator::client
