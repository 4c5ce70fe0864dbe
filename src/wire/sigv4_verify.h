// The receiving end of Signature Version 4: reads what a request claims about its signature, in
// header or in query form, and proves it. Errors come in AWS's order and with AWS's words.

#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "wire/http_message.h"
#include "wire/sha256.h"

namespace stator::wire {

// What a request claims. Views into the message, or into decoded_query.
struct PresentedSignature {
  std::string_view access_key_id;
  std::string_view date;  // of the credential scope
  std::string_view region;
  std::string_view service;
  std::string_view terminator;
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view timestamp;                   // as it was written
  TimePoint signed_at;                          // what it means
  std::string_view security_token;              // empty when there is none
  std::optional<std::chrono::seconds> expires;  // query form: how long it is good
  std::unique_ptr<const std::string> decoded_query;
};

// What a signature must be made for.
struct SignatureRules {
  std::string_view service = "dynamodb";
  TimePoint now;
  std::chrono::minutes skew = std::chrono::minutes(15);  // clocks may differ by so much
};

// Whether the request carries something that wants to be a signature of this kind.
bool IsSigned(const HttpMessage& message);

// Reads the claim and checks its form; with `rules` also its time, its scope and that host and the
// target are signed. Fails with kMissingAuthenticationToken, kIncompleteSignature and
// kInvalidSignature.
Result<PresentedSignature> ReadSignature(const HttpMessage& message, const SignatureRules* rules);

// Proves signatures. Keeps derived keys, because deriving one costs four times as much as using it.
//
// THREADS: one thread at a time.
class SignatureVerifier {
 public:
  // Whether `presented` is the signature of `message` and `payload` under that secret; takes the
  // same time wherever a wrong signature differs. The payload is always hashed here: a hash that
  // the client states proves nothing.
  // REQUIRES: one secret for each access key id, always the same.
  bool IsGenuine(const HttpMessage& message, const PresentedSignature& presented,
                 std::string_view payload, std::string_view secret_access_key);

 private:
  const Sha256Digest& KeyFor(const PresentedSignature& presented, std::string_view secret);

  // By access key, date, region. Emptied when full, since regions come from clients.
  std::map<std::tuple<std::string, std::string, std::string>, Sha256Digest, std::less<>> keys_;
};

// Compares without giving away by its duration where the first difference is.
bool EqualInConstantTime(std::string_view left, std::string_view right);

}  // namespace stator::wire
