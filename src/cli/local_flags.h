// The flags that people type from habit with Amazon's DynamoDB Local, put into ours:
//
//   -inMemory -sharedDb -dbPath DIR -port N -cors LIST -optimizeDbBeforeStartup
//   -delayTransientStatuses -disableTelemetry
//
// -inMemory and -sharedDb also mean --like-dynamodb-local, -inMemory and -dbPath without -sharedDb
// also --separate-tables. They have one dash, so none of them can be mistaken for one of ours.

#pragma once

#include <string>
#include <vector>

namespace stator::cli {

// Arguments after the program's name. When a flag of DynamoDB Local stands first, "serve" is what
// is meant.
std::vector<std::string> TranslateLocalFlags(std::vector<std::string> arguments);

}  // namespace stator::cli
