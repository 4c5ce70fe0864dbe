#include "blobs/s3_bucket.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "blobs/s3_store.h"
#include "blobs/s3_xml.h"
#include "client/service_access.h"
#include "transport/curl_transport.h"

namespace stator::blobs {
namespace {

using transport::HttpResponse;

constexpr int kNothingThere = 416;  // the range begins at the end, or behind it

std::unexpected<Error> Unexpected(const HttpResponse& response) {
  return Fail(ErrorCode::kInternal, "S3 answered " + std::to_string(response.status));
}

std::uint64_t NumberOf(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string Unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

}  // namespace

Result<HttpResponse> S3Bucket::Send(const S3Request& request) {
  Result<HttpResponse> response = sender_.Send(request);
  // A bucket that does not exist, or not there.
  if (!response && response.error().code == ErrorCode::kValidation) {
    return Fail(ErrorCode::kResourceNotFound, response.error().message);
  }
  return response;
}

Result<std::string> S3Bucket::Put(const std::string& key, std::string_view bytes) {
  S3Request request{.method = "PUT", .key = key, .body = bytes};
  if (!sender_.options().encryption.empty()) {
    request.fields.emplace_back("x-amz-server-side-encryption", sender_.options().encryption);
  }
  const HttpResponse response = TRY(Send(request));
  if (response.status != 200) {
    return Unexpected(response);
  }
  return Unquoted(response.Field("etag"));
}

Result<std::vector<bulk::Object>> S3Bucket::List(const std::string& prefix,
                                                 std::size_t objects_max) {
  std::vector<bulk::Object> objects;
  std::string token;
  do {
    S3Request request{.method = "GET", .query = {{"list-type", "2"}, {"prefix", prefix}}};
    if (!token.empty()) {
      request.query.emplace_back("continuation-token", token);
    }
    const HttpResponse response = TRY(Send(request));
    if (response.status != 200) {
      return Unexpected(response);
    }
    for (const std::string_view entry : FindElements(response.body, "Contents")) {
      if (objects.size() == objects_max) {
        return Fail(ErrorCode::kLimitExceeded, "there are more than " +
                                                   std::to_string(objects_max) +
                                                   " objects under \"" + prefix + "\"");
      }
      objects.push_back(
          {.key = FindText(entry, "Key"), .bytes = NumberOf(FindText(entry, "Size"))});
    }
    token = FindText(response.body, "IsTruncated") == "true"
                ? FindText(response.body, "NextContinuationToken")
                : std::string();
  } while (!token.empty());
  std::ranges::sort(objects, {}, &bulk::Object::key);
  return objects;
}

Result<std::string> S3Bucket::Read(const std::string& key, std::uint64_t offset,
                                   std::size_t bytes_max) {
  S3Request request{.method = "GET", .key = key};
  request.fields.emplace_back(
      "range", "bytes=" + std::to_string(offset) + "-" + std::to_string(offset + bytes_max - 1));
  HttpResponse response = TRY(Send(request));
  if (response.status == 404) {
    return Fail(ErrorCode::kResourceNotFound, "there is no object " + key);
  }
  if (response.status == kNothingThere) {
    return std::string();
  }
  if (response.status == 206) {
    return std::move(response.body);
  }
  // A server without ranges sends all.
  if (response.status != 200) {
    return Unexpected(response);
  }
  return response.body.substr(std::min<std::uint64_t>(offset, response.body.size()), bytes_max);
}

Result<bulk::BucketOpener> OpenS3Buckets(const std::string& endpoint, const ClientOptions& client) {
  S3BlobOptions options{.bucket = "any"};
  const Result<client::ServiceAccess> found =
      client::FindService("S3", endpoint, client, *options.clock, *options.random);
  if (!found) {
    return Invalid("buckets of S3 need a region (AWS_REGION), and an endpoint is a URL");
  }
  options.region = found->region.empty() ? options.region : found->region;
  options.endpoint = found->endpoint_url;
  options.ca_file = found->ca_file;
  options.credentials = [source = found->credentials]() -> Result<S3Credentials> {
    const std::shared_ptr<const client::Credentials> credentials = TRY(source->Get());
    return S3Credentials{.access_key_id = credentials->key.access_key_id,
                         .secret_access_key = credentials->key.secret_access_key,
                         .session_token = credentials->key.session_token};
  };
  auto transport = std::make_shared<transport::CurlTransport>(
      transport::CurlOptions{.ca_file = options.ca_file});
  return bulk::BucketOpener(
      [options, transport](const std::string& name) -> Result<std::unique_ptr<bulk::Bucket>> {
        S3BlobOptions of_bucket = options;
        of_bucket.bucket = name;
        TRY_VOID(CheckS3Options(of_bucket));
        return std::make_unique<S3Bucket>(std::move(of_bucket), transport);
      });
}

}  // namespace stator::blobs
