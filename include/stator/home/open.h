// Opening a database: one string says where the data live.
//
//   memory:                      in this process, gone when it is closed
//   PATH, file:PATH              in this process, in that directory, durable
//   http://HOST, https://HOST    behind that endpoint: stator serve, Alternator, DynamoDB Local
//   aws:REGION                   in Amazon DynamoDB; "aws:" takes the region of the environment
//
//   Result<std::unique_ptr<Database>> database = stator::Open("memory:");
//   if (!database) { return Report(database.error()); }
//
// For calling operations include stator/api/database.h, or stator/stator.h; a store's header has what
// the store needs.
//
// COST: milliseconds; the directory belongs to the opened database until it is destroyed. Of a
// remote endpoint nothing is asked before the first call.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/client/options.h"

namespace stator {

// When a write to a directory is acknowledged.
enum class Durability : std::uint8_t {
  kDurable,  // after it was synced: it survives a killed process and a power cut
  kRelaxed,  // before: it survives a killed process, a power cut loses the last moments
};

struct OpenOptions {
  // Of databases in this process.
  //
  // Whether a directory that is missing or empty becomes a database. Programs that only look into
  // one say no, so that a mistyped path is an error and not a new database.
  bool create_if_missing = true;
  Durability durability = Durability::kDurable;
  // Of the names that the database makes up for its tables.
  std::string region = "us-east-1";
  std::string account_id = "000000000000";
  // How often expired items and the like are looked for; zero for never.
  std::chrono::milliseconds housekeeping_interval{1000};
  // Memory for data that was read, an upper bound.
  std::size_t cache_bytes = 64 << 20;
  // Where the buckets of exports and imports are directories. Empty: PATH/buckets; of a database in
  // memory a temporary folder, which goes with it.
  std::string buckets = {};

  // Of remote endpoints.
  ClientOptions client = {};

  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
};

// Fails with kValidation for a location that means nothing, with kIo or kCorruption for a directory
// that is in use, not ours, too new, damaged, or missing where it may not be made.
Result<std::unique_ptr<Database>> Open(std::string_view location, const OpenOptions& options = {});

}  // namespace stator
