// A cache of blobs on the local disk, in front of another store of blobs. What is in it is checked
// when it is read, as everywhere; a damaged file is dropped and fetched again.
//
//   auto blobs = OpenCachedBlobs(*OpenS3Blobs(...), {.directory = "/var/cache/app"});
//
// LAYOUT: directory/DIGEST/KEY, where DIGEST is that of the provider and place of the other store,
// so several stores may share a directory and none is given the blobs of another.
// BOUND: when the files have more bytes than they may, those that were not used for the longest
// time go. Processes that share a directory all count; between two counts each may add a tenth.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"

namespace stator {

struct BlobCacheOptions {
  std::string directory;
  std::uint64_t bytes_max = std::uint64_t{1} << 30U;
};

// Blobs go to the other store first; trouble with the cache is no failure.
Result<std::unique_ptr<BlobStore>> OpenCachedBlobs(std::unique_ptr<BlobStore> blobs,
                                                   const BlobCacheOptions& options);

}  // namespace stator
