// Addresses of Stator's own operations, for whoever has nothing but an HTTP client: each stands for a
// request to the operation, which is asked for, allowed, counted and answered like any other.
//
//   POST   /_stator/checkpoints/NAME            CreateCheckpoint; ?replace=true
//   POST   /_stator/checkpoints/NAME/restore    RestoreCheckpoint
//   DELETE /_stator/checkpoints/NAME            DeleteCheckpoint
//   GET    /_stator/checkpoints                 ListCheckpoints
//   POST   /_stator/tables/NAME/rewind?to=TIME  RewindTable

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::server {

struct Route {
  std::string_view target;
  std::string body;  // of the request that it stands for
};

// Whether a path is below one of them.
bool IsRoute(std::string_view path);

// kUnknownOperation when nothing is there, kValidation when the query says something unknown.
// REQUIRES: IsRoute(path).
Result<Route> FindRoute(std::string_view method, std::string_view path, std::string_view query);

// The status of an answer to one; those of DynamoDB's protocol are nearly all 400.
int StatusOfRoute(int status, std::string_view error);

}  // namespace stator::server
