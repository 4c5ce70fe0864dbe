#include "hosting/access_token.h"

#include <algorithm>
#include <optional>

#include "base/base64.h"
#include "base/try.h"
#include "stator/stores/tasks/json.h"

namespace stator::hosting {
namespace {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

constexpr std::size_t kKeysMax = 64;
constexpr std::size_t kOwnerBytesMax = 256;
constexpr std::size_t kScopesMax = 256;

// Base64url without padding (RFC 7515, section 2).
std::optional<std::string> DecodeBase64Url(std::string_view text) {
  if (text.find_first_of("+/=") != text.npos) {
    return std::nullopt;
  }
  std::string plain(text);
  std::ranges::replace(plain, '-', '+');
  std::ranges::replace(plain, '_', '/');
  plain.append((4 - plain.size() % 4) % 4, '=');
  return base::DecodeBase64(plain);
}

std::string BytesOf(const Json& key, std::string_view member) {
  return DecodeBase64Url(key.TextOf(member).value_or("")).value_or("");
}

Result<PublicKey> KeyOf(const Json& json) {
  const std::optional<std::string> type = json.TextOf("kty");
  const std::string algorithm = json.TextOf("alg").value_or("");
  if (json.TextOf("use").value_or("sig") != "sig") {
    return Invalid("the key is not for signatures");
  }
  if (type == "RSA" && (algorithm.empty() || algorithm == "RS256")) {
    return PublicKey::Rsa(BytesOf(json, "n"), BytesOf(json, "e"));
  }
  if (type == "EC" && json.TextOf("crv") == "P-256" &&
      (algorithm.empty() || algorithm == "ES256")) {
    return PublicKey::P256(BytesOf(json, "x"), BytesOf(json, "y"));
  }
  return Invalid("the key is of another kind");
}

std::optional<SignatureAlgorithm> AlgorithmOf(const Json& header) {
  const std::optional<std::string> name = header.TextOf("alg");
  if (name == "RS256") {
    return SignatureAlgorithm::kRs256;
  }
  return name == "ES256" ? std::optional(SignatureAlgorithm::kEs256) : std::nullopt;
}

// Header, payload and signature, and what was signed.
struct Parts {
  Json header;
  Json claims;
  std::string signature;
  std::string_view signed_text;
};

Result<Parts> Split(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) {
    return Invalid("a token has three parts");
  }
  const auto header = DecodeBase64Url(token.substr(0, first));
  const auto claims = DecodeBase64Url(token.substr(first + 1, second - first - 1));
  const auto signature = DecodeBase64Url(token.substr(second + 1));
  if (!header || !claims || !signature) {
    return Invalid("the parts of a token are base64url");
  }
  Parts parts;
  parts.header = TRY(Json::Parse(*header));
  parts.claims = TRY(Json::Parse(*claims));
  parts.signature = *signature;
  parts.signed_text = token.substr(0, second);
  if (!parts.header.Is<JsonObject>() || !parts.claims.Is<JsonObject>()) {
    return Invalid("the parts of a token are JSON objects");
  }
  return parts;
}

Result<void> CheckSignature(const Parts& parts, const KeySet& keys) {
  const std::optional<SignatureAlgorithm> algorithm = AlgorithmOf(parts.header);
  if (!algorithm) {
    return Fail(ErrorCode::kInvalidSignature, "tokens are signed with RS256 or ES256");
  }
  if (parts.header.Find("crit") != nullptr) {
    return Fail(ErrorCode::kInvalidSignature, "the token needs extensions that are not known");
  }
  const std::string id = parts.header.TextOf("kid").value_or("");
  bool is_known = false;
  for (const NamedKey& named : keys) {
    if (named.key.algorithm() != *algorithm || (!id.empty() && named.id != id)) {
      continue;
    }
    is_known = true;
    if (named.key.Verify(parts.signed_text, parts.signature)) {
      return {};
    }
  }
  return is_known ? Fail(ErrorCode::kInvalidSignature, "the signature is wrong")
                  : Fail(ErrorCode::kNotFound, "the token was signed with an unknown key");
}

std::optional<TimePoint> TimeOf(const Json& claims, std::string_view name) {
  const Json* const claim = claims.Find(name);
  const std::optional<double> seconds = claim == nullptr ? std::nullopt : claim->ToDouble();
  if (!seconds || !(*seconds >= 0) || *seconds > 1e11) {
    return std::nullopt;
  }
  return TimePoint(
      std::chrono::duration_cast<TimePoint::duration>(std::chrono::duration<double>(*seconds)));
}

bool IsFor(const Json& claims, std::string_view audience) {
  const Json* const claim = claims.Find("aud");
  if (claim == nullptr) {
    return false;
  }
  if (const auto* const several = claim->If<JsonArray>()) {
    return std::ranges::find(*several, Json(audience)) != several->end();
  }
  return *claim == Json(audience);
}

void AppendScopes(std::string_view text, std::vector<std::string>& scopes) {
  while (!text.empty() && scopes.size() < kScopesMax) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) {
      scopes.emplace_back(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// "scope" is a text with spaces; some servers have a list "scp".
std::vector<std::string> ScopesOf(const Json& claims) {
  std::vector<std::string> scopes;
  AppendScopes(claims.TextOf("scope").value_or(""), scopes);
  const Json* const list = claims.Find("scp");
  const auto* const several = list == nullptr ? nullptr : list->If<JsonArray>();
  for (const Json& each : several == nullptr ? JsonArray() : *several) {
    AppendScopes(each.Is<std::string>() ? *each.If<std::string>() : "", scopes);
  }
  return scopes;
}

}  // namespace

Result<KeySet> ParseKeySet(std::string_view text) {
  const Json document = TRY(Json::Parse(text));
  const Json* const listed = document.Find("keys");
  const auto* const entries = listed == nullptr ? nullptr : listed->If<JsonArray>();
  if (entries == nullptr) {
    return Invalid("a set of keys is an object with a list \"keys\"");
  }
  KeySet keys;
  for (const Json& entry : *entries) {
    if (Result<PublicKey> key = KeyOf(entry); key && keys.size() < kKeysMax) {
      keys.push_back({.id = entry.TextOf("kid").value_or(""), .key = *std::move(key)});
    }
  }
  if (keys.empty()) {
    return Invalid("the set has no key for RS256 or ES256");
  }
  return keys;
}

Result<AccessToken> VerifyToken(std::string_view token, const KeySet& keys, const TokenRules& rules,
                                std::string_view audience, TimePoint now) {
  const Parts parts = TRY(Split(token));
  TRY_VOID(CheckSignature(parts, keys));
  const Json& claims = parts.claims;
  if (claims.TextOf("iss") != rules.issuer) {
    return Fail(ErrorCode::kAccessDenied, "the token is of another issuer");
  }
  if (!IsFor(claims, audience)) {
    return Fail(ErrorCode::kAccessDenied, "the token is for another audience");
  }
  const std::optional<TimePoint> expires = TimeOf(claims, "exp");
  if (!expires || *expires + rules.leeway <= now) {
    return Fail(ErrorCode::kExpiredToken, "the token has expired");
  }
  if (claims.Find("nbf") != nullptr) {
    const std::optional<TimePoint> begins = TimeOf(claims, "nbf");
    if (!begins || *begins - rules.leeway > now) {
      return Fail(ErrorCode::kAccessDenied, "the token is not valid yet");
    }
  }
  std::string owner = claims.TextOf(rules.owner_claim).value_or("");
  if (owner.empty() || owner.size() > kOwnerBytesMax) {
    return Fail(ErrorCode::kAccessDenied, "the token does not say whose it is");
  }
  return AccessToken{.owner = std::move(owner), .scopes = ScopesOf(claims), .expires = *expires};
}

}  // namespace stator::hosting
