#include "stator/patterns/idempotency.h"

#include <algorithm>

#include "base/base64.h"
#include "base/digest.h"
#include "base/limits.h"

namespace stator::patterns {

std::string MakeToken(std::string_view bytes) {
  // 27 bytes are 36 characters, and too many to collide.
  std::string token = base::EncodeBase64(base::Sha256(bytes).substr(0, 27));
  static_assert(limits::kClientRequestTokenLengthMax == 36);
  std::replace(token.begin(), token.end(), '+', '-');
  std::replace(token.begin(), token.end(), '/', '_');
  return token;
}

Idempotency Idempotency::Token(std::string_view operation) {
  return {Kind::kToken, MakeToken(operation)};
}

Idempotency Idempotency::ForRequest(std::string_view item) const {
  Idempotency request = *this;
  if (kind_ == Kind::kToken) {
    request.request_token_ = MakeToken(token_ + "\n" + std::string(item));
  }
  return request;
}

}  // namespace stator::patterns
