#include "stator/patterns/best_effort.h"

#include "stator/api/database.h"
#include "stator/patterns/expiry.h"

namespace stator::patterns {

BestEffort::BestEffort(Database& database, BestEffortOptions options, Environment environment)
    : database_(&database), options_(std::move(options)), environment_(environment) {}

void BestEffort::Report(const std::string& purpose, Error error,
                        std::atomic<std::uint64_t>& counter) {
  ++counter;
  if (options_.on_failure) {
    options_.on_failure({purpose, std::move(error)});
  }
}

bool BestEffort::Put(const TableLayout& table, const Item& item, const std::string& purpose) {
  const std::optional<Expiry> expiry =
      table.expiry_attribute ? Expiry::Of(item, *table.expiry_attribute) : std::nullopt;
  if (!expiry || expiry->moment() <= environment_.clock->Now()) {
    Report(purpose,
           {ErrorCode::kValidation,
            "an item that is written without certainty must expire some time in the future"},
           refused_);
    return false;
  }
  const Result<PutItemOutput> written =
      database_->PutItem({.table_name = table.table_name, .item = item});
  if (!written) {
    Report(purpose, written.error(), failed_);
    return false;
  }
  ++written_;
  return true;
}

bool BestEffort::Write(const SelfHeals& because, const std::string& purpose,
                       const std::function<Result<void>()>& write) {
  if (because.how().empty()) {
    Report(purpose, {ErrorCode::kValidation, "nothing is said to repair a lost write"}, refused_);
    return false;
  }
  if (const Result<void> written = write(); !written) {
    Report(purpose, written.error(), failed_);
    return false;
  }
  ++written_;
  return true;
}

BestEffortCounts BestEffort::counts() const {
  return {.written = written_, .failed = failed_, .refused = refused_};
}

}  // namespace stator::patterns
