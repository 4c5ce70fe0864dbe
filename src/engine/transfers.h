// What exports and imports have in common: how they are named, found again, listed, and forgotten. Each
// is a row (keyspace/export_row.h, import_row.h), and those rows are the only list of them that there is.
// They are carried out by jobs on a thread of their own (BackgroundWork::EnqueueTransfer), which begin
// again where a crash cut them off.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "keyspace/export_row.h"
#include "keyspace/import_row.h"
#include "keyspace/keys.h"
#include "stator/api/exports.h"
#include "stator/api/imports.h"
#include "stator/base/result.h"

namespace stator::engine {

using keyspace::KeyKind;
using keyspace::TransferId;

// ARN of a table, and of what hangs below it: .../table/NAME/export/01768385930622-efd1a093
struct TimedArn {
  std::string_view table_name;  // of the text that was parsed
  TransferId id;
};
// Fails in the words of the service when it is none of that part ("/export/"), or of another account.
Result<TimedArn> ParseTimedArn(const Account& account, std::string_view arn, std::string_view part,
                               const std::string& not_one, const std::string& not_valid);

// When it began, more or less.
inline TimePoint BeginOf(const TransferId& id) {
  return TimePoint(std::chrono::milliseconds(id.created_ms));
}

// How long the token of a request is remembered.
inline constexpr std::chrono::hours kTransferTokenLife{8};

// Calls `visit` with rows of the kind, the newest first, from below `before` on, until it says false.
using TransferVisitor = std::function<Result<bool>(const TransferId& id, std::string_view row)>;
Result<void> VisitTransfers(EngineCore& core, KeyKind kind, const std::optional<TransferId>& before,
                            const TransferVisitor& visit);

// An id that none of the kind has. REQUIRES: ChangeLock is held until it is used.
Result<TransferId> TakeTransferId(EngineCore& core, KeyKind kind);

// Where the next page of a list begins, as text of hexadecimal digits; fails in the words of the service.
std::string TransferPageToken(KeyKind kind, const TransferId& last);
Result<TransferId> ParseTransferPageToken(KeyKind kind, const std::string& token);

// Requests are the same when this is.
class RequestText {
 public:
  RequestText& Add(std::string_view text) {
    text_.append(std::to_string(text.size())).append(":").append(text);
    return *this;
  }
  RequestText& Add(std::int64_t number) { return Add(std::string_view(std::to_string(number))); }
  template <class T>
  RequestText& Add(const std::optional<T>& value) {
    text_ += value ? '+' : '-';
    return value ? AddValue(*value) : *this;
  }
  template <class T>
  RequestText& AddValue(const T& value) {
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      return Add(std::string_view(value));
    } else if constexpr (std::is_same_v<T, TimePoint>) {
      return Add(static_cast<std::int64_t>(value.time_since_epoch().count()));
    } else {
      return Add(static_cast<std::int64_t>(value));
    }
  }
  [[nodiscard]] std::string Finish() const;

 private:
  std::string text_;
};

// What DescribeExport and DescribeImport call a failure of a bucket.
std::string FailureCodeOf(const Error& error);

Result<std::optional<keyspace::ExportRow>> FindExport(EngineCore& core, const TransferId& id);
Result<std::optional<keyspace::ImportRow>> FindImport(EngineCore& core, const TransferId& id);

// One of the last hours that was asked for with this token.
Result<std::optional<keyspace::ExportRow>> FindExportByToken(EngineCore& core,
                                                             const std::string& token);
Result<std::optional<keyspace::ImportRow>> FindImportByToken(EngineCore& core,
                                                             const std::string& token);

// What the service calls the log of imports; ours is EngineOptions::log.
std::string ImportLogArn(const Account& account);

// The row says how an import ended a moment before its table can be used. Until then it goes on, for all
// who ask.
void MatchWithTable(const EngineCore& core, keyspace::ImportRow& row);

// What is told of an import: its row, and what its table was made with.
ImportTableDescription DescribeImport(const keyspace::ImportRow& row);

// The jobs: do a part, and enqueue the rest.
Result<void> ContinueExport(EngineCore& core, const TransferId& id);
Result<void> ContinueImport(EngineCore& core, const TransferId& id);

// At the start of the engine: the moments that exports under way need stay (history.h).
Result<void> PinExports(EngineCore& core);
// Enqueues what an earlier run of the program did not finish.
Result<void> ResumeTransfers(EngineCore& core);
// Housekeeping: the records of those that ended 90 days ago.
Result<void> ForgetOldTransfers(EngineCore& core);

}  // namespace stator::engine
