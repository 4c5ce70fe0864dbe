// Large blobs: an upload is begun, its parts are sent in any order, and one request makes them the
// blob. Until then nobody sees anything of it; an upload that is never finished is removed by
// RemoveUnfinished, or by a rule of the bucket.

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/try.h"
#include "blobs/blob_key.h"
#include "blobs/s3_store.h"
#include "blobs/s3_xml.h"

namespace stator::blobs {
namespace {

using transport::HttpResponse;

std::unexpected<Error> UploadFailed(const char* what, const HttpResponse& response) {
  return Fail(ErrorCode::kInternal,
              "S3 answered " + std::to_string(response.status) + " to " + what + " of an upload");
}

}  // namespace

Result<S3Blobs::Written> S3Blobs::PutInParts(const std::string& key, std::string_view bytes,
                                             Condition condition) {
  // Many bytes would be sent before the condition is looked at.
  if (condition == Condition::kAbsent) {
    if (TRY(sender_.Send({.method = "HEAD", .key = key})).status == 200) {
      return Written::kWasThere;
    }
  }
  const std::string upload = TRY(BeginUpload(key));
  const Result<std::vector<std::string>> tags = SendParts(key, upload, bytes);
  Result<Written> written = tags ? FinishUpload(key, upload, *tags, condition)
                                 : Result<Written>(std::unexpected(tags.error()));
  if (!written || *written == Written::kWasThere) {
    static_cast<void>(AbortUpload(key, upload));
  }
  return written;
}

Result<std::string> S3Blobs::BeginUpload(const std::string& key) {
  S3Request request{
      .method = "POST", .key = key, .query = {{"uploads", ""}}, .fields = EncryptionFields()};
  request.fields.emplace_back("content-type", "application/octet-stream");
  const HttpResponse response = TRY(sender_.Send(request));
  std::string upload = FindText(response.body, "UploadId");
  if (response.status != 200 || upload.empty()) {
    return UploadFailed("the beginning", response);
  }
  return upload;
}

Result<std::vector<std::string>> S3Blobs::SendParts(const std::string& key,
                                                    const std::string& upload,
                                                    std::string_view bytes) {
  const std::size_t part_bytes = sender_.options().part_bytes;
  const std::size_t count = (bytes.size() + part_bytes - 1) / part_bytes;
  std::vector<Result<std::string>> parts(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    for (std::size_t index = next++; index < count && !failed; index = next++) {
      parts[index] = SendPart(key, upload, index + 1, bytes.substr(index * part_bytes, part_bytes));
      failed = failed || !parts[index];
    }
  };
  {
    const std::size_t threads =
        std::min(count, static_cast<std::size_t>(sender_.options().parts_at_once));
    std::vector<std::jthread> others;
    for (std::size_t index = 1; index < threads; ++index) {
      others.emplace_back(work);
    }
    work();
  }
  std::vector<std::string> tags;
  tags.reserve(parts.size());
  for (Result<std::string>& part : parts) {
    tags.push_back(TRY(std::move(part)));
  }
  return tags;
}

Result<std::string> S3Blobs::SendPart(const std::string& key, const std::string& upload,
                                      std::size_t number, std::string_view bytes) {
  const HttpResponse response =
      TRY(sender_.Send({.method = "PUT",
                        .key = key,
                        .query = {{"partNumber", std::to_string(number)}, {"uploadId", upload}},
                        .fields = {{"content-type", "application/octet-stream"}},
                        .body = bytes}));
  if (response.status != 200 || response.Field("etag").empty()) {
    return UploadFailed("a part", response);
  }
  return std::string(response.Field("etag"));
}

Result<S3Blobs::Written> S3Blobs::FinishUpload(const std::string& key, const std::string& upload,
                                               const std::vector<std::string>& tags,
                                               Condition condition) {
  std::string body = "<CompleteMultipartUpload>";
  for (std::size_t index = 0; index < tags.size(); ++index) {
    body += "<Part><PartNumber>" + std::to_string(index + 1) + "</PartNumber><ETag>" +
            EscapeXml(tags[index]) + "</ETag></Part>";
  }
  body += "</CompleteMultipartUpload>";
  S3Request request{.method = "POST",
                    .key = key,
                    .query = {{"uploadId", upload}},
                    .fields = {{"content-type", "application/xml"}},
                    .body = body};
  if (condition == Condition::kAbsent) {
    request.fields.emplace_back("if-none-match", "*");
  }
  const Result<HttpResponse> response = sender_.Send(request);
  if (response && response->status == 200) {
    return Written::kNow;
  }
  if (response && response->status == 412) {
    return Written::kWasThere;
  }
  if (response && response->status == 501 && condition == Condition::kAbsent) {
    return FinishUpload(key, upload, tags, Condition::kNone);
  }
  // The upload is gone when a first attempt finished it and its answer was lost.
  const bool is_gone =
      response ? response->status == 404 : response.error().code == ErrorCode::kResourceNotFound;
  if (is_gone && TRY(sender_.Send({.method = "HEAD", .key = key})).status == 200) {
    return Written::kNow;
  }
  if (!response) {
    return std::unexpected(response.error());
  }
  return UploadFailed("the end", *response);
}

Result<void> S3Blobs::AbortUpload(const std::string& key, const std::string& upload) {
  TRY_VOID(sender_.Send({.method = "DELETE", .key = key, .query = {{"uploadId", upload}}}));
  return {};
}

Result<std::size_t> S3Blobs::RemoveUnfinished(TimePoint before) {
  const std::string& prefix = sender_.options().prefix;
  std::size_t removed = 0;
  std::string key_marker;
  std::string upload_marker;
  bool more = true;
  while (more) {
    S3Request request{.method = "GET", .query = {{"uploads", ""}}};
    if (!prefix.empty()) {
      request.query.emplace_back("prefix", prefix + "/");
    }
    if (!key_marker.empty()) {
      request.query.emplace_back("key-marker", key_marker);
      request.query.emplace_back("upload-id-marker", upload_marker);
    }
    const HttpResponse response = TRY(sender_.Send(request));
    if (response.status != 200) {
      return UploadFailed("the list", response);
    }
    for (const std::string_view entry : FindElements(response.body, "Upload")) {
      const std::string key = KeyOf(FindText(entry, "Key"));
      const std::optional<TimePoint> begun = ParseTime(FindText(entry, "Initiated"));
      if (IsBlobKey(key) && begun && *begun < before) {
        TRY_VOID(AbortUpload(key, FindText(entry, "UploadId")));
        ++removed;
      }
    }
    key_marker = FindText(response.body, "NextKeyMarker");
    upload_marker = FindText(response.body, "NextUploadIdMarker");
    more = FindText(response.body, "IsTruncated") == "true" && !key_marker.empty();
  }
  return removed;
}

}  // namespace stator::blobs
