#include "client/sso_credentials.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/try.h"
#include "client/credentials_document.h"
#include "wire/uri_text.h"

namespace stator::client {
namespace {

constexpr std::string_view kLogIn = "the SSO login has expired or is missing; run aws sso login";

std::string HexText(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4U];
    text += kDigits[value & 15U];
  }
  return text;
}

Result<std::string> AccessToken(const ProcessContext& process, const SsoLogin& login) {
  const std::string path = process.environment("HOME").value_or("") + "/.aws/sso/cache/" +
                           HexText(base::Sha1(login.cache_name)) + ".json";
  const Result<std::string> document = process.read_file(path);
  if (!document) {
    return Fail(ErrorCode::kExpiredToken, std::string(kLogIn));
  }
  std::optional<std::string> token = JsonText(*document, "/accessToken");
  const std::optional<std::string> expires = JsonText(*document, "/expiresAt");
  const std::optional<TimePoint> moment = expires ? ParseTimestamp(*expires) : std::nullopt;
  if (!token || !moment || *moment <= process.clock->Now() ||
      token->find_first_of("\r\n") != std::string::npos) {
    return Fail(ErrorCode::kExpiredToken, std::string(kLogIn));
  }
  return *std::move(token);
}

std::string UrlOf(const ProcessContext& process, const SsoLogin& login) {
  std::string url = process.environment("AWS_ENDPOINT_URL_SSO")
                        .value_or("https://portal.sso." + login.region + ".amazonaws.com");
  url += "/federation/credentials?role_name=";
  wire::AppendPercentEncoded(login.role_name, "", url);
  url += "&account_id=";
  wire::AppendPercentEncoded(login.account_id, "", url);
  return url;
}

}  // namespace

Result<Credentials> CredentialsOfSso(const ProcessContext& process, const SsoLogin& login) {
  const std::string token = TRY(AccessToken(process, login));
  const transport::HttpResponse response =
      TRY(process.transport->Send({.method = "GET",
                                   .url = UrlOf(process, login),
                                   .fields = {{"x-amz-sso_bearer_token", token}},
                                   .timeout = std::chrono::seconds(10)}));
  if (response.status == 401) {
    return Fail(ErrorCode::kExpiredToken, std::string(kLogIn));
  }
  std::optional<std::string> id = JsonText(response.body, "/roleCredentials/accessKeyId");
  std::optional<std::string> secret = JsonText(response.body, "/roleCredentials/secretAccessKey");
  const std::optional<std::int64_t> expiration =
      JsonInteger(response.body, "/roleCredentials/expiration");
  if (response.status != 200 || !id || !secret || !expiration) {
    return Fail(ErrorCode::kUnrecognizedClient,
                "the SSO portal gave no usable credentials; its status was " +
                    std::to_string(response.status));
  }
  return Credentials{
      .key = {.access_key_id = *std::move(id),
              .secret_access_key = *std::move(secret),
              .session_token =
                  JsonText(response.body, "/roleCredentials/sessionToken").value_or("")},
      .expiration = TimePoint(std::chrono::milliseconds(*expiration))};
}

}  // namespace stator::client
