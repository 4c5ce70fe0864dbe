// Blobs in Amazon S3, or in anything that speaks its protocol.
//
//   auto blobs = OpenS3Blobs({.bucket = "school-states", .prefix = "production",
//                             .region = "eu-central-1", .credentials = ...});
//
// A blob is written under the condition that there is none of its key, and in parts when it is
// large. Whatever is sent can be sent again: the same key always holds the same bytes.
//
// COST: a request per small blob; one per part and two more for a large one, several at a time.
// ERRORS: kAccessDenied, kUnrecognizedClient, kInvalidSignature and kExpiredToken as S3 says them,
// kValidation for a bucket that does not exist or is in another region, and what the network says
// when repetitions did not help.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"

namespace stator {

struct S3Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token = {};  // empty for long-term keys
};

struct S3BlobOptions {
  std::string bucket;
  std::string prefix = {};  // in front of every key, with a slash between
  std::string region = "us-east-1";
  std::string endpoint = {};  // "https://host:port"; empty: Amazon's of the region
  // Asked before every request, so it should keep what it found. Must be given.
  std::function<Result<S3Credentials>()> credentials = nullptr;
  // The bucket in the path instead of the host's name. Absent: with an endpoint of one's own.
  std::optional<bool> path_style = std::nullopt;

  // What S3 shall encrypt with: "AES256", "aws:kms", or empty for what the bucket says.
  std::string encryption = "AES256";
  std::string kms_key_id = {};  // of "aws:kms"; empty: the account's own

  // Blobs of more bytes are written in parts of so many. S3 admits 10,000 of 5 MiB or more.
  std::size_t part_bytes = std::size_t{8} << 20U;
  int parts_at_once = 4;
  std::size_t blob_bytes_max = std::size_t{1} << 30U;  // of one that is read
  // A blob that is there already is written again when it is this old; see BlobStore::Write.
  Duration refresh_age = std::chrono::minutes(30);

  int attempts_max = 5;
  Duration attempt_timeout = std::chrono::seconds(60);
  Duration connect_timeout = std::chrono::seconds(5);
  std::string ca_file = {};  // PEM; empty: what the system trusts
  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
};

// Checks the options; nothing is sent before the first blob.
Result<std::unique_ptr<BlobStore>> OpenS3Blobs(S3BlobOptions options);

}  // namespace stator
