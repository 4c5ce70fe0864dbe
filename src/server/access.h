// Who asks: from a request's signature to a caller. Without credentials everybody may ask for
// everything, and a signature only names a region; with credentials every request must prove that
// it was made with one of them.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/credentials.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "wire/exchange.h"
#include "wire/http_message.h"
#include "wire/sigv4_verify.h"

namespace stator::server {

// A caller, and what some of its views may point into.
struct Admission {
  wire::Caller caller;
  std::unique_ptr<const std::string> decoded_query = nullptr;
};

// THREADS: one thread at a time; each has its own.
class AccessControl {
 public:
  // `credentials` may be null: then everybody is admitted. What is passed must outlive it.
  AccessControl(const Credentials* credentials, std::string_view region, const Clock& clock)
      : credentials_(credentials), region_(region), clock_(clock) {}

  // `payload` is the body as it was sent, before any content coding is undone.
  Result<Admission> Admit(const wire::HttpMessage& message, std::string_view payload);

 private:
  [[nodiscard]] Result<Admission> AdmitAnybody(const wire::HttpMessage& message) const;

  const Credentials* const credentials_;
  const std::string_view region_;
  const Clock& clock_;
  wire::SignatureVerifier verifier_;
};

}  // namespace stator::server
