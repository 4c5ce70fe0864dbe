#include "wire/sigv4.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/digest.h"
#include "wire/http_date.h"
#include "wire/uri_text.h"

namespace stator::wire {
namespace {

constexpr std::size_t kDateLength = 8;  // YYYYMMDD, the front of a timestamp

// Fields that something between the signer and the service may add, drop or change.
constexpr std::array<std::string_view, 5> kNeverSigned = {
    "authorization", "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id"};

std::string ScopeText(const SigningScope& scope) {
  std::string text;
  text.reserve(64);
  text.append(scope.date).append("/").append(scope.region).append("/");
  text.append(scope.service).append("/").append(kScopeTerminator);
  return text;
}

// The names of the fields to sign, in the form that the canonical request wants.
std::string SignedHeaders(std::span<const HttpField> fields) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  std::size_t length = 0;
  for (const HttpField& field : fields) {
    length += field.name.size() + 1;
    std::string name = LowerCase(field.name);
    if (std::ranges::find(kNeverSigned, name) == kNeverSigned.end()) {
      names.push_back(std::move(name));
    }
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  std::string joined;
  joined.reserve(length);
  for (const std::string& name : names) {
    if (!joined.empty()) {
      joined.push_back(';');
    }
    joined.append(name);
  }
  return joined;
}

void AppendParameter(std::string_view name, std::string_view value, std::string& query) {
  if (!query.empty()) {
    query.push_back('&');
  }
  query.append(name).push_back('=');
  AppendPercentEncoded(value, "", query);
}

}  // namespace

Sha256Digest DeriveSigningKey(std::string_view secret_access_key, const SigningScope& scope) {
  const std::string secret = std::string("AWS4").append(secret_access_key);
  const Sha256Digest day = HmacSha256(secret, scope.date);
  const Sha256Digest region = HmacSha256(AsBytes(day), scope.region);
  const Sha256Digest service = HmacSha256(AsBytes(region), scope.service);
  return HmacSha256(AsBytes(service), kScopeTerminator);
}

std::string Signature(const Sha256Digest& signing_key, std::string_view timestamp,
                      const SigningScope& scope, std::string_view canonical_request) {
  std::string text;
  text.reserve(192);
  text.append(kSignatureAlgorithm).append("\n");
  text.append(timestamp).append("\n");
  text.append(ScopeText(scope)).append("\n");
  text.append(Hex(base::Sha256Of(canonical_request)));
  return Hex(HmacSha256(AsBytes(signing_key), text));
}

Signer::Signer(AccessKey key, std::string region, std::string service, PathRule rule)
    : key_(std::move(key)), region_(std::move(region)), service_(std::move(service)), rule_(rule) {}

Signer::AddedFields Signer::Sign(const HttpMessage& message, std::string_view payload_hash,
                                 TimePoint now) const {
  const std::string timestamp = FormatBasicDate(now);
  const SigningScope scope = {.date = std::string_view(timestamp).substr(0, kDateLength),
                              .region = region_,
                              .service = service_};
  AddedFields added;
  added.reserve(3);
  added.emplace_back("x-amz-date", timestamp);
  if (!key_.session_token.empty()) {
    added.emplace_back("x-amz-security-token", key_.session_token);
  }
  std::vector<HttpField> fields;
  fields.reserve(message.fields.size() + added.size());
  fields.assign(message.fields.begin(), message.fields.end());
  for (const auto& [name, value] : added) {
    fields.push_back({.name = name, .value = value});
  }
  HttpMessage complete = message;
  complete.fields = fields;
  const std::string signed_headers = SignedHeaders(fields);
  const std::string signature =
      Signature(KeyOfDay(scope.date), timestamp, scope,
                CanonicalRequest(complete, signed_headers, payload_hash, rule_));
  std::string authorization;
  authorization.reserve(256 + signed_headers.size());
  authorization.append(kSignatureAlgorithm);
  authorization.append(" Credential=").append(key_.access_key_id).append("/");
  authorization.append(ScopeText(scope)).append(", SignedHeaders=").append(signed_headers);
  authorization.append(", Signature=").append(signature);
  added.emplace_back("authorization", std::move(authorization));
  return added;
}

std::string Signer::Presign(const HttpMessage& message, std::string_view payload_hash,
                            TimePoint now, std::chrono::seconds lifetime) const {
  const std::string timestamp = FormatBasicDate(now);
  const SigningScope scope = {.date = std::string_view(timestamp).substr(0, kDateLength),
                              .region = region_,
                              .service = service_};
  const std::string signed_headers = SignedHeaders(message.fields);
  std::string query(message.query);
  AppendParameter("X-Amz-Algorithm", kSignatureAlgorithm, query);
  AppendParameter("X-Amz-Credential", key_.access_key_id + "/" + ScopeText(scope), query);
  AppendParameter("X-Amz-Date", timestamp, query);
  AppendParameter("X-Amz-Expires", std::to_string(lifetime.count()), query);
  AppendParameter("X-Amz-SignedHeaders", signed_headers, query);
  if (!key_.session_token.empty()) {
    AppendParameter("X-Amz-Security-Token", key_.session_token, query);
  }
  HttpMessage complete = message;
  complete.query = query;
  const std::string signature =
      Signature(KeyOfDay(scope.date), timestamp, scope,
                CanonicalRequest(complete, signed_headers, payload_hash, rule_));
  AppendParameter(kSignatureParameter, signature, query);
  return query;
}

Sha256Digest Signer::KeyOfDay(std::string_view date) const {
  const MutexLock lock(mutex_);
  if (cached_date_ != date) {
    cached_key_ = DeriveSigningKey(key_.secret_access_key,
                                   {.date = date, .region = region_, .service = service_});
    cached_date_ = date;
  }
  return cached_key_;
}

}  // namespace stator::wire
