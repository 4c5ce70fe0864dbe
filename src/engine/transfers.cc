#include "engine/transfers.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/digest.h"
#include "base/hex.h"
#include "base/try.h"
#include "base/work.h"
#include "bulk/export_files.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/item_store.h"
#include "keyspace/key_range.h"

namespace stator::engine {
namespace {

constexpr std::string_view kArnBegin = "arn:aws:dynamodb:";
constexpr std::string_view kTablePart = ":table/";
constexpr std::size_t kTimeDigits = 14;
constexpr std::size_t kNumberDigits = 8;
// The service keeps the records so long.
constexpr std::chrono::days kRecordLife{90};
// Digits of a token; the service's have at least as many.
constexpr std::size_t kTokenDigits = 112;

template <class T>
std::optional<T> NumberFrom(std::string_view digits, int base) {
  T number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, number, base);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

// 01576616366715-b4e58d3a
std::optional<TransferId> IdFromText(std::string_view text) {
  if (text.size() != kTimeDigits + 1 + kNumberDigits || text[kTimeDigits] != '-') {
    return std::nullopt;
  }
  const auto created = NumberFrom<std::uint64_t>(text.substr(0, kTimeDigits), 10);
  const auto number = NumberFrom<std::uint32_t>(text.substr(kTimeDigits + 1), 16);
  if (!created || !number) {
    return std::nullopt;
  }
  return TransferId{.created_ms = *created, .number = *number};
}

std::uint64_t MillisecondsOf(TimePoint time) {
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return milliseconds < 0 ? 0 : static_cast<std::uint64_t>(milliseconds);
}

template <class Row>
Result<std::optional<Row>> FindRow(EngineCore& core, KeyKind kind, const TransferId& id,
                                   Result<Row> (*decode)(std::string_view)) {
  storage::PinnedValue value;
  if (!TRY(core.store->Get(keyspace::TransferKey(kind, id), value))) {
    return std::nullopt;
  }
  return TRY(decode(value.view()));
}

template <class Row>
Result<std::optional<Row>> FindRowByToken(EngineCore& core, KeyKind kind, const std::string& token,
                                          Result<Row> (*decode)(std::string_view)) {
  const std::uint64_t oldest = MillisecondsOf(core.clock.Now() - kTransferTokenLife);
  std::optional<Row> found;
  const auto visit = [&](const TransferId& id, std::string_view bytes) -> Result<bool> {
    if (id.created_ms < oldest) {
      return false;
    }
    Row row = TRY(decode(bytes));
    if (row.description.client_token == token) {
      found = std::move(row);
    }
    return !found.has_value();
  };
  TRY_VOID(VisitTransfers(core, kind, std::nullopt, visit));
  return found;
}

// The ids of rows that `choose` wants.
template <class Row>
Result<std::vector<TransferId>> Choose(EngineCore& core, KeyKind kind,
                                       Result<Row> (*decode)(std::string_view),
                                       const std::function<bool(const Row&)>& choose) {
  std::vector<TransferId> chosen;
  const auto visit = [&](const TransferId& id, std::string_view bytes) -> Result<bool> {
    const Row row = TRY(decode(bytes));
    if (choose(row)) {
      chosen.push_back(id);
    }
    return true;
  };
  TRY_VOID(VisitTransfers(core, kind, std::nullopt, visit));
  return chosen;
}

bool IsUnderWay(const keyspace::ExportRow& row) {
  return row.description.export_status == ExportStatus::kInProgress;
}

bool IsImportUnderWay(const keyspace::ImportRow& row) {
  return row.description.import_status == ImportStatus::kInProgress;
}

std::string SealOf(KeyKind kind, const TransferId& last) {
  return base::Sha256(std::string("stator page of ") + std::to_string(static_cast<unsigned>(kind)) +
                      bulk::IdText(last.created_ms, last.number));
}

}  // namespace

Result<TimedArn> ParseTimedArn(const Account& account, std::string_view arn, std::string_view part,
                               const std::string& not_one, const std::string& not_valid) {
  const std::size_t table = arn.find(kTablePart);
  const std::size_t id_at = arn.find(part);
  if (!arn.starts_with("arn:") || table == std::string_view::npos ||
      id_at == std::string_view::npos || id_at < table) {
    return Invalid(not_one);
  }
  const std::optional<TransferId> id = IdFromText(arn.substr(id_at + part.size()));
  if (!id) {
    return Invalid(not_one);
  }
  // The region is not looked at.
  const std::size_t account_at = arn.rfind(':', table - 1) + 1;
  if (!arn.starts_with(kArnBegin) || account_at <= kArnBegin.size()) {
    return Invalid(not_valid);
  }
  if (arn.substr(account_at, table - account_at) != account.id) {
    return Fail(ErrorCode::kAccessDenied, "Access is denied");
  }
  const std::size_t name = table + kTablePart.size();
  return TimedArn{.table_name = arn.substr(name, id_at - name), .id = *id};
}

Result<void> VisitTransfers(EngineCore& core, KeyKind kind, const std::optional<TransferId>& before,
                            const TransferVisitor& visit) {
  const keyspace::KeyRange range = keyspace::RangeOfPrefix(keyspace::KindPrefix(kind));
  storage::Cursor cursor = core.store->NewCursor(
      nullptr, range.begin, before ? keyspace::TransferKey(kind, *before) : range.end);
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) {
    TRY_VOID(base::SpendWork(WorkOfRow(cursor.value().size())));
    const TransferId id = TRY(keyspace::TransferOfKey(kind, cursor.key()));
    if (!TRY(visit(id, cursor.value()))) {
      return {};
    }
  }
  return cursor.status();
}

Result<TransferId> TakeTransferId(EngineCore& core, KeyKind kind) {
  TransferId id{.created_ms = MillisecondsOf(core.clock.Now())};
  while (true) {
    id.number = static_cast<std::uint32_t>(core.random.Next());
    storage::PinnedValue value;
    if (!TRY(core.store->Get(keyspace::TransferKey(kind, id), value))) {
      return id;
    }
    ++id.created_ms;
  }
}

std::string TransferPageToken(KeyKind kind, const TransferId& last) {
  std::string bytes;
  base::AppendBigEndian(last.created_ms, bytes);
  base::AppendBigEndian(std::uint64_t{last.number}, bytes);
  bytes += SealOf(kind, last);
  bytes.resize(kTokenDigits / 2, '\0');
  return base::HexOf(bytes);
}

Result<TransferId> ParseTransferPageToken(KeyKind kind, const std::string& token) {
  const std::string_view text = token;
  if (text.size() == kTokenDigits) {
    const auto created = NumberFrom<std::uint64_t>(text.substr(0, 16), 16);
    const auto number = NumberFrom<std::uint32_t>(text.substr(16, 16), 16);
    if (created && number) {
      const TransferId id{.created_ms = *created, .number = *number};
      if (TransferPageToken(kind, id) == token) {
        return id;
      }
    }
  }
  return Invalid("Invalid Request: Provided nextToken is invalid: " + token);
}

std::string RequestText::Finish() const {
  return base::Sha256(text_);
}

std::string FailureCodeOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kResourceNotFound:
      return "S3NoSuchBucket";
    case ErrorCode::kAccessDenied:
    case ErrorCode::kUnrecognizedClient:
    case ErrorCode::kInvalidSignature:
    case ErrorCode::kExpiredToken:
      return "S3AccessDenied";
    case ErrorCode::kLimitExceeded:
      return "LimitExceeded";
    default:
      return "InternalFailure";
  }
}

Result<std::optional<keyspace::ExportRow>> FindExport(EngineCore& core, const TransferId& id) {
  return FindRow(core, KeyKind::kExport, id, keyspace::DecodeExportRow);
}

Result<std::optional<keyspace::ImportRow>> FindImport(EngineCore& core, const TransferId& id) {
  return FindRow(core, KeyKind::kImport, id, keyspace::DecodeImportRow);
}

void MatchWithTable(const EngineCore& core, keyspace::ImportRow& row) {
  const TablePtr table = core.catalog.FindId(row.table.settings.id);
  if (table != nullptr && table->importing) {
    ImportTableDescription& import = row.description;
    import.import_status = ImportStatus::kInProgress;
    import.end_time.reset();
    import.failure_code.reset();
    import.failure_message.reset();
  }
}

Result<std::optional<keyspace::ExportRow>> FindExportByToken(EngineCore& core,
                                                             const std::string& token) {
  return FindRowByToken(core, KeyKind::kExport, token, keyspace::DecodeExportRow);
}

Result<std::optional<keyspace::ImportRow>> FindImportByToken(EngineCore& core,
                                                             const std::string& token) {
  return FindRowByToken(core, KeyKind::kImport, token, keyspace::DecodeImportRow);
}

Result<void> PinExports(EngineCore& core) {
  return VisitTransfers(core, KeyKind::kExport, std::nullopt,
                        [&](const TransferId&, std::string_view bytes) -> Result<bool> {
                          const keyspace::ExportRow row = TRY(keyspace::DecodeExportRow(bytes));
                          if (IsUnderWay(row)) {
                            core.history->Pin(row.table, row.time);
                            if (row.before) {
                              core.history->Pin(row.table, *row.before);
                            }
                          }
                          return true;
                        });
}

Result<void> ResumeTransfers(EngineCore& core) {
  const std::vector<TransferId> exports = TRY(
      Choose<keyspace::ExportRow>(core, KeyKind::kExport, keyspace::DecodeExportRow, IsUnderWay));
  for (const TransferId& id : exports) {
    core.background->EnqueueTransfer([&core, id] { return ContinueExport(core, id); });
  }
  const std::vector<TransferId> imports = TRY(Choose<keyspace::ImportRow>(
      core, KeyKind::kImport, keyspace::DecodeImportRow, IsImportUnderWay));
  for (const TransferId& id : imports) {
    core.background->EnqueueTransfer([&core, id] { return ContinueImport(core, id); });
  }
  return {};
}

Result<void> ForgetOldTransfers(EngineCore& core) {
  const TimePoint oldest = core.clock.Now() - kRecordLife;
  storage::WriteBatch batch;
  const std::vector<TransferId> exports = TRY(Choose<keyspace::ExportRow>(
      core, KeyKind::kExport, keyspace::DecodeExportRow,
      [&](const auto& row) { return row.description.end_time.value_or(oldest) < oldest; }));
  for (const TransferId& id : exports) {
    batch.Delete(keyspace::TransferKey(KeyKind::kExport, id));
  }
  const std::vector<TransferId> imports = TRY(Choose<keyspace::ImportRow>(
      core, KeyKind::kImport, keyspace::DecodeImportRow,
      [&](const auto& row) { return row.description.end_time.value_or(oldest) < oldest; }));
  for (const TransferId& id : imports) {
    batch.Delete(keyspace::TransferKey(KeyKind::kImport, id));
  }
  return exports.empty() && imports.empty() ? Result<void>() : core.store->Write(std::move(batch));
}

}  // namespace stator::engine
