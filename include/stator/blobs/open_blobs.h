// Opening a store of blobs: one string says where they are.
//
//   PATH, file:PATH                            in that directory, which is made if there is none
//   s3://BUCKET, s3://BUCKET/PREFIX?NAME=VALUE&...  in Amazon S3, or in what speaks its protocol
//
//   region         of the bucket; otherwise as for aws: (AWS_REGION, the profile)
//   endpoint       a URL; otherwise AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, Amazon's
//   path-style     true or false: the bucket in the path instead of the host's name
//   encryption     AES256, aws:kms or none, which leaves it to the bucket
//   kms-key        of aws:kms
//
//   auto blobs = stator::OpenBlobs("s3://school-states/production?region=eu-central-1");
//
// Credentials come from where the client takes them (stator/client/options.h).
// ERRORS: kValidation for a location that means nothing. Of S3 nothing is asked before the first
// blob.

#pragma once

#include <memory>
#include <string_view>

#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/client/options.h"

namespace stator {

Result<std::unique_ptr<BlobStore>> OpenBlobs(std::string_view location,
                                             const ClientOptions& options = {});

}  // namespace stator
