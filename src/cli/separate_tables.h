// Tables of their own for each access key and region that requests are signed with, as DynamoDB
// Local has them without -sharedDb (--separate-tables). Each has an engine, which is opened with the
// first request and stays open; what is not signed has one, too.
//
// THREADS: as wire::Handler says.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "cli/like_dynamodb_local.h"
#include "engine/engine.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "wire/exchange.h"
#include "wire/handler.h"

namespace stator::cli {

// An engine takes threads, files and memory.
inline constexpr std::size_t kSeparateCallersMax = 32;

class SeparateTables final : public wire::Handler {
 public:
  // Opens the engine of that name, which is of letters, digits, '-' and '_'.
  using Opener = std::function<Result<std::unique_ptr<engine::Engine>>(const std::string& name)>;

  // `unsigned_requests` answers what is not signed, and must outlive this object.
  SeparateTables(Opener open, bool like_dynamodb_local, wire::Handler& unsigned_requests)
      : open_(std::move(open)),
        like_dynamodb_local_(like_dynamodb_local),
        unsigned_requests_(unsigned_requests) {}

  void Handle(const wire::Request& request, Done done) override;
  [[nodiscard]] std::optional<wire::Answer> FindFault(const wire::Request& request) const override {
    return unsigned_requests_.FindFault(request);
  }

  // Once nobody asks any more.
  Result<void> Close();

 private:
  struct Tables {
    Tables(std::unique_ptr<engine::Engine> opened, bool like_dynamodb_local)
        : engine(std::move(opened)),
          like_local(*engine),
          handler(like_dynamodb_local ? static_cast<Database&>(like_local) : *engine) {}

    std::unique_ptr<engine::Engine> engine;
    LikeDynamoDbLocal like_local;
    wire::DatabaseHandler handler;
  };

  Result<wire::Handler*> Find(const wire::Caller& caller);
  // Null when it was not opened yet.
  wire::Handler* FindOpen(const std::string& name);

  const Opener open_;
  const bool like_dynamodb_local_;
  wire::Handler& unsigned_requests_;
  Mutex opening_;  // held by the one who opens; taken before mutex_
  std::size_t opened_ STATOR_GUARDED_BY(opening_) = 0;
  Mutex mutex_;
  std::map<std::string, std::unique_ptr<Tables>> tables_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::cli
