// Where requests go: from a location and the settings that every AWS SDK reads to two URLs and a
// region.
//
//   http://127.0.0.1:8000      both APIs at that URL
//   aws:eu-central-1           Amazon DynamoDB of that region
//   aws:                       of the region of the environment or the profile
//
// For "aws:" an endpoint of the environment takes the place of Amazon's own:
// AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_DYNAMODB_STREAMS, AWS_ENDPOINT_URL, unless
// AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is true.

#pragma once

#include <string>
#include <string_view>

#include "client/environment.h"
#include "stator/base/result.h"
#include "stator/client/options.h"

namespace stator::client {

struct Endpoints {
  std::string dynamodb_url;
  std::string streams_url;
  std::string region;
  bool on_this_machine = false;  // by a loopback address: nobody has to be identified
};

// What a profile says in their stead, when the environment says nothing.
struct ProfileEndpointSettings {
  std::string region = {};
  std::string endpoint_url = {};
};

// Fails with kValidation, and says what to do.
Result<Endpoints> ResolveEndpoints(std::string_view location, const ClientOptions& options,
                                   const Environment& environment,
                                   const ProfileEndpointSettings& profile);

// "https://dynamodb.eu-central-1.amazonaws.com" and the like.
std::string AmazonUrl(bool of_streams, std::string_view region, bool fips, bool dual_stack);

// "example.org:8000" of "http://example.org:8000/path"; empty when it is no URL.
std::string_view HostOf(std::string_view url);

// The path and what follows; "/" when there is none.
std::string_view PathOf(std::string_view url);

}  // namespace stator::client
