// How a program talks to a remote DynamoDB endpoint: stator::Open("https://...") and
// stator::Open("aws:REGION") take these as OpenOptions::client.
//
//   stator::OpenOptions options;
//   options.client.credentials = {.access_key_id = "key", .secret_access_key = secret};
//   options.client.call_timeout = std::chrono::seconds(5);
//   auto database = stator::Open("https://dynamodb.example.org", options);
//
// What is not set comes from where every AWS SDK takes it: AWS_REGION, AWS_PROFILE,
// AWS_ACCESS_KEY_ID, ~/.aws/config, ... (docs/moving-to-aws.md).

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator {

struct ClientCredentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token = {};  // empty for long-term keys
};

// What a client reports when a call of the api is over. The texts are good during the report only.
struct ClientCall {
  std::string_view operation;                     // "PutItem"
  int attempts = 0;                               // requests that were sent or tried
  Duration duration = {};                         // with all attempts and waits
  std::optional<ErrorCode> error = std::nullopt;  // absent on success
  std::string_view request_id = {};               // of the last answer; for AWS's support
};

struct ClientOptions {
  std::string region = {};   // empty: of the location, else of the environment or the profile
  std::string profile = {};  // empty: AWS_PROFILE, else "default"
  std::optional<ClientCredentials> credentials = std::nullopt;  // absent: the chain of providers
  bool use_dual_stack = false;  // of the endpoints of "aws:", those for IPv4 and IPv6
  bool use_fips = false;        // and those with validated cryptography

  // A call is given up with kTimeout when it takes longer, whatever it is doing, and an attempt
  // within it is cut off and perhaps repeated.
  Duration call_timeout = std::chrono::seconds(60);
  Duration attempt_timeout = std::chrono::seconds(20);
  Duration connect_timeout = std::chrono::seconds(5);
  int attempts_max = 4;  // of one call, the first among them; 1 for no repetitions

  // A write whose answer was lost is repeated only where that cannot do harm, and is otherwise
  // reported as kAmbiguous. With true it is repeated always, as the AWS SDKs do: a counter may then
  // count twice, and a condition may fail because of the call's own first attempt.
  bool repeats_ambiguous_writes = false;

  // Bodies of this size and more are sent with gzip; absent: never. The endpoint must take them, as
  // stator serve does.
  std::optional<std::size_t> gzip_bytes_min = std::nullopt;

  std::string ca_file = {};  // PEM; empty: AWS_CA_BUNDLE, else what the system trusts

  // Called on the thread of the call, after it; may be called from many threads at once.
  std::function<void(const ClientCall&)> on_call = nullptr;

  // Environment variables; nothing when there is none of that name. Null: those of the process.
  std::function<std::optional<std::string>(const std::string&)> environment = nullptr;
};

}  // namespace stator
