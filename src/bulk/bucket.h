// A bucket: where the files of exports and imports are. Directories (file_bucket.h) are one kind, those
// of Amazon S3 another (blobs/s3_bucket.h); who writes and reads files does not know which.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::bulk {

struct Object {
  std::string key;
  std::uint64_t bytes = 0;

  friend bool operator==(const Object&, const Object&) = default;
};

// ERRORS: kResourceNotFound when there is no such bucket or object, kAccessDenied when it may not be
// used; anything else after the repetitions that may help.
class Bucket {
 public:
  Bucket() = default;
  Bucket(const Bucket&) = delete;
  Bucket& operator=(const Bucket&) = delete;
  virtual ~Bucket() = default;

  // Durable when it returns, in place of what was there. Returns the entity tag.
  virtual Result<std::string> Put(const std::string& key, std::string_view bytes) = 0;

  // The objects whose keys begin with the prefix, in the order of their keys. Fails with kLimitExceeded
  // when there are more.
  virtual Result<std::vector<Object>> List(const std::string& prefix, std::size_t objects_max) = 0;

  // At most so many bytes of an object from a place on; nothing at its end.
  virtual Result<std::string> Read(const std::string& key, std::uint64_t offset,
                                   std::size_t bytes_max) = 0;
};

// The bucket of a name. What is asked for that is not there is said by its methods.
using BucketOpener = std::function<Result<std::unique_ptr<Bucket>>(const std::string& name)>;

}  // namespace stator::bulk
