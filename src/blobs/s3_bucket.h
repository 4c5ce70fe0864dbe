// Buckets of S3, or of anything that speaks its protocol, for exports and imports (bulk/bucket.h).

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/s3_sender.h"
#include "bulk/bucket.h"
#include "stator/base/result.h"
#include "stator/client/options.h"
#include "transport/http.h"

namespace stator::blobs {

class S3Bucket final : public bulk::Bucket {
 public:
  // The prefix of the options is not used.
  S3Bucket(S3BlobOptions options, std::shared_ptr<transport::Transport> transport)
      : sender_(std::move(options), std::move(transport)) {}

  Result<std::string> Put(const std::string& key, std::string_view bytes) override;
  Result<std::vector<bulk::Object>> List(const std::string& prefix,
                                         std::size_t objects_max) override;
  Result<std::string> Read(const std::string& key, std::uint64_t offset,
                           std::size_t bytes_max) override;

 private:
  // What the sender says, in the words of Bucket.
  Result<transport::HttpResponse> Send(const S3Request& request);

  S3Sender sender_;
};

// Buckets at an endpoint ("https://host:port"; empty: what the environment and the profile say, else
// Amazon's), with credentials of the usual chain. Fails when there is no region; nothing is sent yet.
Result<bulk::BucketOpener> OpenS3Buckets(const std::string& endpoint,
                                         const ClientOptions& options = {});

}  // namespace stator::blobs
