#include "blobs/s3_store.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "blobs/blob_key.h"
#include "blobs/s3_xml.h"
#include "transport/curl_transport.h"
#include "wire/http_date.h"

namespace stator {
namespace blobs {
namespace {

using transport::HttpResponse;

std::uint64_t NumberOf(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool IsName(const std::string& text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

std::unexpected<Error> Unexpected(const HttpResponse& response) {
  return Fail(ErrorCode::kInternal, "S3 answered " + std::to_string(response.status));
}

}  // namespace

Result<void> CheckS3Options(const S3BlobOptions& options) {
  constexpr std::size_t kPartBytesMin = std::size_t{5} << 20U;  // S3's limit
  if (!IsName(options.bucket, "-.") || !IsName(options.region, "-")) {
    return Invalid("the bucket or region of blobs is not the name of one");
  }
  if (!options.prefix.empty() && !IsBlobFolder(options.prefix)) {
    return Invalid("the prefix of blobs has parts of A-Z a-z 0-9 - _ . %, with slashes between");
  }
  if (!options.endpoint.empty() && !options.endpoint.starts_with("http://") &&
      !options.endpoint.starts_with("https://")) {
    return Invalid("the endpoint of blobs begins with http:// or https://");
  }
  if (!options.credentials) {
    return Invalid("blobs in S3 need credentials");
  }
  if (options.part_bytes < kPartBytesMin || options.parts_at_once < 1 || options.attempts_max < 1) {
    return Invalid("blobs in S3 are written in parts of 5 MiB at least, one at a time at least");
  }
  if (!options.encryption.empty() && options.encryption != "AES256" &&
      options.encryption != "aws:kms") {
    return Invalid("S3 encrypts with AES256 or aws:kms");
  }
  return {};
}

std::string S3Blobs::place() const {
  const S3BlobOptions& options = sender_.options();
  return options.endpoint + "|" + options.bucket + "|" + options.prefix;
}

transport::HeaderFields S3Blobs::EncryptionFields() const {
  const S3BlobOptions& options = sender_.options();
  transport::HeaderFields fields;
  if (!options.encryption.empty()) {
    fields.emplace_back("x-amz-server-side-encryption", options.encryption);
  }
  if (!options.kms_key_id.empty()) {
    fields.emplace_back("x-amz-server-side-encryption-aws-kms-key-id", options.kms_key_id);
  }
  return fields;
}

Result<void> S3Blobs::Write(const std::string& key, std::string_view bytes) {
  TRY_VOID(CheckNewBlob(key, bytes));
  const Written written = TRY(WriteOnce(key, bytes, Condition::kAbsent));
  if (written == Written::kWasThere && TRY(IsOld(key))) {
    TRY_VOID(WriteOnce(key, bytes, Condition::kNone));
  }
  return {};
}

Result<S3Blobs::Written> S3Blobs::WriteOnce(const std::string& key, std::string_view bytes,
                                            Condition condition) {
  return bytes.size() > sender_.options().part_bytes ? PutInParts(key, bytes, condition)
                                                     : Put(key, bytes, condition);
}

Result<S3Blobs::Written> S3Blobs::Put(const std::string& key, std::string_view bytes,
                                      Condition condition) {
  S3Request request{.method = "PUT",
                    .key = key,
                    .fields = EncryptionFields(),
                    .body = bytes,
                    .payload_hash = std::string(DigestOf(key))};
  request.fields.emplace_back("content-type", "application/octet-stream");
  if (condition == Condition::kAbsent) {
    request.fields.emplace_back("if-none-match", "*");
  }
  const HttpResponse response = TRY(sender_.Send(request));
  if (response.status == 412) {
    return Written::kWasThere;
  }
  // A server that does not know the condition; writing twice does no harm.
  if (response.status == 501 && condition == Condition::kAbsent) {
    return Put(key, bytes, Condition::kNone);
  }
  if (response.status != 200) {
    return Unexpected(response);
  }
  return Written::kNow;
}

Result<bool> S3Blobs::IsOld(const std::string& key) {
  const HttpResponse response = TRY(sender_.Send({.method = "HEAD", .key = key}));
  const std::optional<TimePoint> written = wire::ParseHttpDate(response.Field("last-modified"));
  const S3BlobOptions& options = sender_.options();
  return response.status == 404 || !written ||
         options.clock->Now() - *written >= options.refresh_age;
}

Result<std::string> S3Blobs::Read(const std::string& key) {
  TRY_VOID(CheckBlobKey(key));
  HttpResponse response = TRY(sender_.Send({.method = "GET", .key = key}));
  if (response.status == 404) {
    return Fail(ErrorCode::kResourceNotFound, "there is no blob " + key);
  }
  if (response.status != 200) {
    return Unexpected(response);
  }
  TRY_VOID(CheckDigest(key, response.body));
  return std::move(response.body);
}

Result<void> S3Blobs::Remove(const std::string& key) {
  TRY_VOID(CheckBlobKey(key));
  const HttpResponse response = TRY(sender_.Send({.method = "DELETE", .key = key}));
  if (response.status >= 300 && response.status != 404) {
    return Unexpected(response);
  }
  return {};
}

std::string S3Blobs::KeyOf(const std::string& name) const {
  const std::string& prefix = sender_.options().prefix;
  if (prefix.empty()) {
    return name;
  }
  return name.starts_with(prefix + "/") ? name.substr(prefix.size() + 1) : std::string();
}

Result<std::vector<BlobInfo>> S3Blobs::Describe(const std::string& folder) {
  TRY_VOID(CheckBlobFolder(folder));
  const std::string& prefix = sender_.options().prefix;
  std::vector<BlobInfo> blobs;
  std::string token;
  do {
    S3Request request{.method = "GET",
                      .query = {{"list-type", "2"},
                                {"prefix", (prefix.empty() ? "" : prefix + "/") + folder + "/"}}};
    if (!token.empty()) {
      request.query.emplace_back("continuation-token", token);
    }
    const HttpResponse response = TRY(sender_.Send(request));
    if (response.status != 200) {
      return Unexpected(response);
    }
    for (const std::string_view entry : FindElements(response.body, "Contents")) {
      BlobInfo blob{
          .key = KeyOf(FindText(entry, "Key")),
          .bytes = NumberOf(FindText(entry, "Size")),
          .written_at = ParseTime(FindText(entry, "LastModified")).value_or(TimePoint::max())};
      if (IsBlobKey(blob.key)) {
        blobs.push_back(std::move(blob));
      }
    }
    token = FindText(response.body, "IsTruncated") == "true"
                ? FindText(response.body, "NextContinuationToken")
                : std::string();
  } while (!token.empty());
  std::sort(blobs.begin(), blobs.end(),
            [](const BlobInfo& left, const BlobInfo& right) { return left.key < right.key; });
  return blobs;
}

}  // namespace blobs

Result<std::unique_ptr<BlobStore>> OpenS3Blobs(S3BlobOptions options) {
  TRY_VOID(blobs::CheckS3Options(options));
  auto transport = std::make_shared<transport::CurlTransport>(
      transport::CurlOptions{.ca_file = options.ca_file});
  return std::make_unique<blobs::S3Blobs>(std::move(options), std::move(transport));
}

}  // namespace stator
