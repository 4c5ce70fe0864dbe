// AWS Signature Version 4: what both ends share, and the signing end. Verification is
// sigv4_verify.h.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "wire/http_message.h"
#include "wire/sha256.h"
#include "wire/sigv4_canonical.h"

namespace stator::wire {

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";
inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

struct AccessKey {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token = {};  // empty for long-term keys
};

// What a signature is good for: one day, one region, one service.
struct SigningScope {
  std::string_view date;  // YYYYMMDD, of the signing time
  std::string_view region;
  std::string_view service;
};

Sha256Digest DeriveSigningKey(std::string_view secret_access_key, const SigningScope& scope);

// The signature of a canonical request: 64 hexadecimal digits. `timestamp` is in ISO 8601 basic
// format.
std::string Signature(const Sha256Digest& signing_key, std::string_view timestamp,
                      const SigningScope& scope, std::string_view canonical_request);

// Signs requests with one access key for one region and service. The derived key is kept for the
// day, so a signature costs two hashes of a short text and the hash of the body.
//
// THREADS: may be used from many threads.
class Signer {
 public:
  Signer(AccessKey key, std::string region, std::string service,
         PathRule rule = PathRule::kNormalized);

  using AddedFields = std::vector<std::pair<std::string, std::string>>;

  // Header fields to add to `message`: x-amz-date, x-amz-security-token when the key has one, and
  // authorization. All fields of `message` get signed (host must be among them), except those that
  // proxies and HTTP libraries are known to change.
  // `payload_hash` is Hex(base::Sha256Of(body)), or kUnsignedPayload where the service allows that.
  [[nodiscard]] AddedFields Sign(const HttpMessage& message, std::string_view payload_hash,
                                 TimePoint now) const;

  // A query for `message` that carries its signature and is good for `lifetime`; it replaces
  // message.query, which it contains.
  [[nodiscard]] std::string Presign(const HttpMessage& message, std::string_view payload_hash,
                                    TimePoint now, std::chrono::seconds lifetime) const;

 private:
  Sha256Digest KeyOfDay(std::string_view date) const;

  const AccessKey key_;
  const std::string region_;
  const std::string service_;
  const PathRule rule_;

  mutable Mutex mutex_;
  mutable std::string cached_date_ STATOR_GUARDED_BY(mutex_);
  mutable Sha256Digest cached_key_ STATOR_GUARDED_BY(mutex_){};
};

}  // namespace stator::wire
