// Answers DynamoDB's requests from any Database: the part of the protocol between HTTP and the
// operations.

#pragma once

#include "stator/api/database.h"
#include "wire/exchange.h"

namespace stator::wire {

// THREADS: as Handler says. Item writes are answered on a thread of the database's choosing.
class DatabaseHandler final : public Handler {
 public:
  // The database must outlive the handler and every request that was given to it.
  explicit DatabaseHandler(Database& database) : database_(database) {}

  void Handle(const Request& request, Done done) override;
  [[nodiscard]] std::optional<Answer> FindFault(const Request& request) const override;

 private:
  void Dispatch(const Request& request, Done done);

  Database& database_;
};

}  // namespace stator::wire
