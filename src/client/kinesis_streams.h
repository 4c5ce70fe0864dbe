// Streams of Amazon Kinesis Data Streams, or of anything that speaks its protocol, as receivers of
// changes: PutRecords and DescribeStreamSummary, signed.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/change_receiver.h"
#include "client/service_access.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "transport/http.h"

namespace stator::client {

// THREADS: may be used from many threads.
class KinesisStreams final : public api::ChangeReceiver {
 public:
  // The clock must outlive it.
  KinesisStreams(ServiceAccess access, std::shared_ptr<transport::Transport> transport,
                 Clock& clock);

  Result<bool> IsActive(const std::string& stream_arn) override;
  Result<std::vector<bool>> Put(const std::string& stream_arn,
                                const std::vector<api::ChangeRecord>& records) override;

 private:
  // The body of a good answer.
  Result<std::string> Call(std::string_view operation, std::string_view body);
  transport::HttpRequest MakeRequest(std::string_view operation, std::string_view body,
                                     const wire::AccessKey& key) const;

  const ServiceAccess access_;
  const std::shared_ptr<transport::Transport> transport_;
  Clock& clock_;
  const std::string url_;
};

// `endpoint_url` empty: Amazon's own of `region`. Credentials are found as the client finds its own.
// Fails with kValidation when it is no URL.
Result<std::shared_ptr<api::ChangeReceiver>> OpenKinesisStreams(const std::string& endpoint_url,
                                                                const std::string& region);

}  // namespace stator::client
