#include "stator/blobs/open_blobs.h"

#include <string>
#include <utility>

#include "base/try.h"
#include "client/service_access.h"
#include "stator/blobs/s3_blobs.h"
#include "wire/uri_text.h"

namespace stator {
namespace {

constexpr std::string_view kS3 = "s3://";
constexpr std::string_view kFile = "file:";

// The parts of s3://BUCKET/PREFIX?NAME=VALUE&...
struct S3Location {
  S3BlobOptions options = {};
  std::string region = {};  // as it stands there
};

Result<void> TakeParameter(std::string_view name, std::string value, S3Location& location) {
  S3BlobOptions& options = location.options;
  if (name == "region") {
    location.region = std::move(value);
  } else if (name == "endpoint") {
    options.endpoint = std::move(value);
  } else if (name == "path-style" && (value == "true" || value == "false")) {
    options.path_style = value == "true";
  } else if (name == "encryption") {
    options.encryption = value == "none" ? "" : std::move(value);
  } else if (name == "kms-key") {
    options.kms_key_id = std::move(value);
  } else {
    return Invalid("the location of blobs has no '" + std::string(name) + "=" + value +
                   "'; there are region, endpoint, path-style=true|false, encryption, kms-key");
  }
  return {};
}

Result<S3Location> ReadLocation(std::string_view text) {
  S3Location location;
  std::string_view place = text.substr(kS3.size());
  const std::size_t question = place.find('?');
  std::string_view parameters =
      question == std::string_view::npos ? std::string_view() : place.substr(question + 1);
  place = place.substr(0, question);
  location.options.bucket = place.substr(0, place.find('/'));
  if (const std::size_t slash = place.find('/'); slash != std::string_view::npos) {
    std::string_view prefix = place.substr(slash + 1);
    while (prefix.ends_with('/')) {
      prefix.remove_suffix(1);
    }
    location.options.prefix = prefix;
  }
  while (!parameters.empty()) {
    const std::string_view one = parameters.substr(0, parameters.find('&'));
    parameters.remove_prefix(std::min(one.size() + 1, parameters.size()));
    const std::size_t equals = one.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1);
    TRY_VOID(TakeParameter(one.substr(0, equals), wire::PercentDecoded(value), location));
  }
  return location;
}

Result<std::unique_ptr<BlobStore>> OpenS3(std::string_view text, ClientOptions client) {
  S3Location location = TRY(ReadLocation(text));
  S3BlobOptions& options = location.options;
  if (!location.region.empty()) {
    client.region = location.region;
  }
  Result<client::ServiceAccess> found =
      client::FindService("S3", options.endpoint, client, *options.clock, *options.random);
  if (!found) {
    return Invalid("cannot open " + std::string(text) +
                   ": name its region (?region=eu-central-1) or set AWS_REGION; and an endpoint "
                   "is a URL");
  }
  options.region = found->region;
  options.endpoint = found->endpoint_url;
  options.ca_file = found->ca_file;
  options.credentials = [source = found->credentials]() -> Result<S3Credentials> {
    const std::shared_ptr<const client::Credentials> credentials = TRY(source->Get());
    return S3Credentials{.access_key_id = credentials->key.access_key_id,
                         .secret_access_key = credentials->key.secret_access_key,
                         .session_token = credentials->key.session_token};
  };
  return OpenS3Blobs(std::move(options));
}

}  // namespace

Result<std::unique_ptr<BlobStore>> OpenBlobs(std::string_view location,
                                             const ClientOptions& options) {
  if (location.starts_with(kS3)) {
    return OpenS3(location, options);
  }
  const std::string_view path =
      location.starts_with(kFile) ? location.substr(kFile.size()) : location;
  if (path.empty() || path.contains("://")) {
    return Invalid("cannot open blobs at '" + std::string(location) +
                   "': give a path or s3://BUCKET/PREFIX");
  }
  return OpenFileBlobs(std::string(path));
}

}  // namespace stator
