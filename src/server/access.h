// Who asks: from a request's signature to a caller. Without credentials everybody may ask for
// everything, and a signature only says who; with credentials every request must prove that it was
// made with one of them. Signatures for any region are taken, because clients must name one; it
// changes nothing: what there is is in the server's own.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

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
  std::shared_ptr<const Credentials> credentials = nullptr;
  std::unique_ptr<const std::string> decoded_query = nullptr;
};

// THREADS: one thread at a time; each has its own.
class AccessControl {
 public:
  // `credentials` may be null: then everybody is admitted. What is passed must outlive it.
  AccessControl(std::shared_ptr<const Credentials> credentials, std::string_view region,
                const Clock& clock)
      : credentials_(std::move(credentials)), region_(region), clock_(clock) {}

  // From the next request on. Those under way keep what they were admitted with.
  void SetCredentials(std::shared_ptr<const Credentials> credentials) {
    credentials_ = std::move(credentials);
    verifier_ = {};  // It knows keys by their ids, which may mean others now.
  }

  [[nodiscard]] bool demands_signatures() const { return credentials_ != nullptr; }

  // `payload` is the body as it was sent, before any content coding is undone.
  Result<Admission> Admit(const wire::HttpMessage& message, std::string_view payload);

 private:
  [[nodiscard]] Result<Admission> AdmitAnybody(const wire::HttpMessage& message) const;

  std::shared_ptr<const Credentials> credentials_;
  const std::string_view region_;
  const Clock& clock_;
  wire::SignatureVerifier verifier_;
};

}  // namespace stator::server
