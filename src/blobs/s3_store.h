// The store of blobs over a sender of requests, so that tests bring their own transport.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/s3_sender.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/blobs/s3_blobs.h"
#include "transport/http.h"

namespace stator::blobs {

class S3Blobs final : public BlobStore {
 public:
  S3Blobs(S3BlobOptions options, std::shared_ptr<transport::Transport> transport)
      : sender_(std::move(options), std::move(transport)) {}

  [[nodiscard]] std::string_view provider() const override { return "s3"; }
  [[nodiscard]] std::string place() const override;

  Result<void> Write(const std::string& key, std::string_view bytes) override;
  Result<std::string> Read(const std::string& key) override;
  Result<void> Remove(const std::string& key) override;
  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override;
  Result<std::size_t> RemoveUnfinished(TimePoint before) override;

 private:
  enum class Condition : bool { kNone, kAbsent };
  enum class Written : bool { kNow, kWasThere };

  Result<Written> WriteOnce(const std::string& key, std::string_view bytes, Condition condition);
  Result<Written> Put(const std::string& key, std::string_view bytes, Condition condition);
  Result<Written> PutInParts(const std::string& key, std::string_view bytes, Condition condition);
  Result<std::string> BeginUpload(const std::string& key);
  Result<std::vector<std::string>> SendParts(const std::string& key, const std::string& upload,
                                             std::string_view bytes);
  Result<std::string> SendPart(const std::string& key, const std::string& upload,
                               std::size_t number, std::string_view bytes);
  Result<Written> FinishUpload(const std::string& key, const std::string& upload,
                               const std::vector<std::string>& tags, Condition condition);
  Result<void> AbortUpload(const std::string& key, const std::string& upload);
  // Whether the blob is so old that it may be swept away.
  Result<bool> IsOld(const std::string& key);
  [[nodiscard]] transport::HeaderFields EncryptionFields() const;
  // The key without the prefix; empty for a name that is not below it.
  [[nodiscard]] std::string KeyOf(const std::string& name) const;

  S3Sender sender_;
};

// Fails with kValidation for options that make no sense.
Result<void> CheckS3Options(const S3BlobOptions& options);

}  // namespace stator::blobs
