#include "server/access.h"

#include <utility>

#include "base/try.h"

namespace stator::server {
namespace {

std::unexpected<Error> UnknownKey() {
  return Fail(ErrorCode::kUnrecognizedClient,
              "The security token included in the request is invalid.");
}

}  // namespace

Result<Admission> AccessControl::Admit(const wire::HttpMessage& message, std::string_view payload) {
  if (credentials_ == nullptr) {
    return AdmitAnybody(message);
  }
  const wire::SignatureRules rules = {.now = clock_.Now()};
  wire::PresentedSignature presented = TRY(wire::ReadSignature(message, &rules));
  const Principal* const principal = credentials_->Find(presented.access_key_id);
  if (principal == nullptr) {
    return UnknownKey();
  }
  if (!verifier_.IsGenuine(message, presented, payload, principal->key().secret_access_key)) {
    return Fail(ErrorCode::kInvalidSignature,
                "The request signature we calculated does not match the signature you provided. "
                "Check your AWS Secret Access Key and signing method. Consult the service "
                "documentation for details.");
  }
  if (!wire::EqualInConstantTime(presented.security_token, principal->key().session_token)) {
    return UnknownKey();
  }
  return Admission{.caller = {.access_key_id = principal->key().access_key_id,
                              .region = region_,
                              .authorizer = principal},
                   .credentials = credentials_,
                   .decoded_query = std::move(presented.decoded_query)};
}

Result<Admission> AccessControl::AdmitAnybody(const wire::HttpMessage& message) const {
  if (!wire::IsSigned(message)) {
    return Admission{.caller = {.access_key_id = "", .region = region_}};
  }
  wire::PresentedSignature presented = TRY(wire::ReadSignature(message, nullptr));
  return Admission{.caller = {.access_key_id = presented.access_key_id, .region = presented.region},
                   .decoded_query = std::move(presented.decoded_query)};
}

}  // namespace stator::server
