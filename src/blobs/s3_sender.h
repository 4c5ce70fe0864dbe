// Sends requests to S3: puts them together, signs them, repeats them while that may help, and says
// what refusals mean.
//
// Every request may be repeated: what is written under a key is always the same.

#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/blobs/s3_blobs.h"
#include "transport/http.h"
#include "transport/retry.h"

namespace stator::blobs {

struct S3Request {
  std::string method;
  std::string key = {};                                         // empty: the bucket
  std::vector<std::pair<std::string, std::string>> query = {};  // not encoded
  transport::HeaderFields fields = {};
  std::string_view body = {};
  std::string payload_hash = {};  // hexadecimal SHA-256 of the body; empty: it is computed
};

// THREADS: may be used from many threads.
class S3Sender {
 public:
  S3Sender(S3BlobOptions options, std::shared_ptr<transport::Transport> transport);

  // An answer that the caller has to look at: 200 and its like, 404 for the key, 412, 416 and 501.
  // Everything else is an error, after repetitions where they may help.
  Result<transport::HttpResponse> Send(const S3Request& request);

  [[nodiscard]] const S3BlobOptions& options() const { return options_; }

 private:
  struct FailedAttempt {
    Error error;
    bool is_passing = false;
    transport::Failure kind = transport::Failure::kTransient;
  };
  using Attempted = std::expected<transport::HttpResponse, FailedAttempt>;

  Attempted Attempt(const S3Request& request);
  Result<transport::HttpRequest> MakeRequest(const S3Request& request);
  FailedAttempt ClassifyError(const transport::HttpResponse& response);
  bool CorrectClockSkew(const transport::HttpResponse& response);

  S3BlobOptions options_;
  std::shared_ptr<transport::Transport> transport_;
  std::string scheme_;  // "https://"
  std::string host_;    // with the port, and the bucket unless that is in the path
  std::string path_;    // in front of keys: "/", or "/bucket/"
  transport::RetryQuota quota_;
  std::atomic<Duration> clock_skew_ = Duration::zero();
};

}  // namespace stator::blobs
