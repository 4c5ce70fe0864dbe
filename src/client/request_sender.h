// One call of the api as HTTP requests: signs, sends, reads the answer, and repeats what failed
// for a passing reason as long as that is safe and there is time (client/repetition.h,
// transport/retry.h). DynamoDB's messages are somebody else's; this sees bytes.
//
// THREADS: may be used from many threads at once.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/operations.h"
#include "client/credentials.h"
#include "client/endpoints.h"
#include "client/repetition.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/client/options.h"
#include "transport/http.h"
#include "transport/retry.h"
#include "wire/sigv4.h"

namespace stator::client {

struct Call {
  const api::Operation* operation;
  std::string_view body;
  Repetition repetition = Repetition::kReads;
  // The moment to be read, and where the one that was read goes; an answer that does not say it is
  // that of an endpoint which has read what is.
  std::optional<TimePoint> as_of = std::nullopt;
  std::optional<TimePoint>* read_as_of = nullptr;
};

class RequestSender {
 public:
  struct Parts {
    Endpoints endpoints;
    ClientOptions options;
    std::shared_ptr<transport::Transport> transport;
    std::unique_ptr<CredentialsProvider> credentials = nullptr;
    Clock* clock = &SystemClock();
    Random* random = &SystemRandom();
  };

  explicit RequestSender(Parts parts);

  // Reads a successful answer. May be called more than once; an answer that it refuses counts as
  // damaged on its way.
  using TakeAnswer = std::function<Result<void>(std::string& body)>;

  Result<void> Send(const Call& call, const TakeAnswer& take_answer);

 private:
  // How an attempt ended that did not end well.
  struct FailedAttempt {
    Error error;
    bool may_have_been_done = false;  // the endpoint may have carried the request out
    bool is_passing = false;          // the same request may succeed later
    bool is_answer = false;           // the endpoint itself said so
    transport::Failure kind = transport::Failure::kTransient;
    std::optional<Duration> asked_for = std::nullopt;
  };
  // What the attempts of a call share.
  struct Progress {
    std::string invocation_id;
    Duration deadline = {};
    int attempts = 0;
    bool may_have_been_done = false;
    std::optional<int> tokens = std::nullopt;
    std::string request_id = {};
  };

  Result<void> Repeat(const Call& call, const TakeAnswer& take_answer, Progress& progress);
  // Nothing on success.
  std::optional<FailedAttempt> Attempt(const Call& call, const TakeAnswer& take_answer,
                                       Progress& progress);
  std::optional<FailedAttempt> ReadResponse(const Call& call, const TakeAnswer& take_answer,
                                            transport::HttpResponse& response);
  FailedAttempt ClassifyError(const Call& call, transport::HttpResponse& response);
  // Whether the failure is one to try again after, and when it is: waits.
  bool WaitForAnother(const Call& call, const FailedAttempt& failed, Progress& progress);
  [[nodiscard]] Error FinalError(const Call& call, FailedAttempt failed,
                                 const Progress& progress) const;

  Result<transport::HttpRequest> MakeRequest(const Call& call, const Progress& progress,
                                             std::string_view body, bool is_compressed);
  Result<std::shared_ptr<const wire::Signer>> CurrentSigner();
  // The moment to sign with: the clock, corrected by what the endpoint said of its own.
  [[nodiscard]] TimePoint SigningTime() const;
  bool CorrectClockSkew(const transport::HttpResponse& response);

  const Endpoints endpoints_;
  const ClientOptions options_;
  const std::shared_ptr<transport::Transport> transport_;
  Clock& clock_;
  Random& random_;
  CredentialsCache credentials_;
  transport::RetryQuota quota_;
  std::atomic<Duration> clock_skew_ = Duration::zero();

  Mutex mutex_;
  std::shared_ptr<const Credentials> signing_credentials_ STATOR_GUARDED_BY(mutex_);
  std::shared_ptr<const wire::Signer> signer_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::client
