// The policies that are attached to the tables and streams of a request.
//
// COST: a GetResourcePolicy for each table and stream that the request names; what policies mean is
// kept by their text, for all requests.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "policy/policy.h"
#include "stator/api/database.h"
#include "stator/base/result.h"

namespace stator::wire {

// THREADS: one thread; of one request.
class ResourcePolicies {
 public:
  explicit ResourcePolicies(Database& database) : database_(&database) {}

  // Of a table, also for an index of it, or of a stream, by its ARN; null when there is none, also
  // when there is no such resource, and a database that knows no such policies has none. It lives as
  // long as this.
  Result<const policy::Policy*> Find(std::string_view arn);

 private:
  using Pointer = std::shared_ptr<const policy::Policy>;

  [[nodiscard]] Result<Pointer> Read(const std::string& arn) const;

  Database* database_;
  std::map<std::string, Pointer, std::less<>> known_;  // by ARN
};

}  // namespace stator::wire
