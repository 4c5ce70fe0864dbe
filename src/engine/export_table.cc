// ExportTableToPointInTime: what it checks, in the order of the service, and how an export begins.
// export_job.cc carries it out.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "bulk/export_files.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/operations.h"
#include "engine/transfers.h"

namespace stator::engine {
namespace {

constexpr std::size_t kExportsMax = 300;
constexpr std::chrono::minutes kPeriodMin{15};
constexpr std::chrono::hours kPeriodMax{24};
constexpr Duration kMicrosecond{1};

std::unexpected<Error> InvalidTime(const std::string& message) {
  return Fail(ErrorCode::kInvalidRestoreTime, message);
}

bool IsIncremental(const ExportTableToPointInTimeInput& input) {
  return input.export_type == ExportType::kIncremental;
}

// What can be told without looking at the table.
Result<void> CheckRequest(const ExportTableToPointInTimeInput& input) {
  if (input.export_format == ExportFormat::kIon) {
    return Invalid(
        "Invalid Request: ExportFormat ION is not supported by Stator, which writes "
        "DYNAMODB_JSON");
  }
  if (input.s3_sse_kms_key_id && input.s3_sse_algorithm != S3SseAlgorithm::kKms) {
    return Invalid("Invalid Request: KMS Key Id is not supported for this encryption type");
  }
  const auto& period = input.incremental_export_specification;
  if (period && !input.export_type) {
    return Invalid(
        "Invalid Request: Export Type expected to be Incremental Export when incremental export "
        "specification is provided");
  }
  if (period && !IsIncremental(input)) {
    return Invalid(
        "Invalid Request: When Export Type is Full Export , Incremental Export Specification "
        "should not be provided");
  }
  if (!period && IsIncremental(input)) {
    return Invalid(
        "Invalid Request: Incremental Export Specification expected when export type is set as "
        "Incremental Export");
  }
  if (period && !period->export_from_time) {
    return Invalid(
        "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification");
  }
  if (period && input.export_time) {
    return Invalid(
        "Invalid Request: Export Time should not be provided when Export Type is Incremental "
        "Export");
  }
  return {};
}

Result<TablePtr> FindExported(EngineCore& core, const std::string& arn) {
  const std::optional<std::string_view> name = TableNameFrom(arn);
  if (!arn.starts_with("arn:") || !arn.contains(":table/")) {
    return Invalid("One or more parameter values were invalid: tableArn is not a valid ARN");
  }
  if (!name) {
    return Invalid("Invalid Request: Table ARN is invalid.");
  }
  if (!arn.ends_with(":" + core.account.id + ":table/" + std::string(*name))) {
    return Fail(ErrorCode::kAccessDenied, "Access is denied");
  }
  Result<TablePtr> table = core.catalog.Find(arn);
  if (!table && table.error().code != ErrorCode::kTableNotFound) {
    return table;
  }
  if (!table || (*table)->arn != arn) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + arn);
  }
  if (!(*table)->recovery) {
    return Fail(ErrorCode::kRecoveryUnavailable,
                "Point in time recovery is not enabled for table '" + (*table)->name + "'");
  }
  return table;
}

std::string TextOf(TimePoint time) {
  return bulk::MillisecondText(time);
}

Result<void> CheckPeriod(EngineCore& core, const Table& table, TimePoint from,
                         std::optional<TimePoint> given_to) {
  const TimePoint now = core.clock.Now();
  const TimePoint to = given_to.value_or(now);
  if (from < std::chrono::floor<std::chrono::seconds>(table.created_at)) {
    return InvalidTime(
        "Incremental export period from time cannot be less than the table creation time : " +
        TextOf(from));
  }
  if (to > now) {
    return InvalidTime(
        "Incremental export period to time cannot be greater than the current time : " +
        TextOf(to));
  }
  if (from > to) {
    return InvalidTime("Incremental export period from time cannot be greater than the to time : " +
                       TextOf(from));
  }
  if (to - from < kPeriodMin) {
    return InvalidTime(
        "Difference between export period from time and export period to time is less than 15 "
        "minutes");
  }
  if (to - from > kPeriodMax) {
    return InvalidTime(
        "Difference between export period from time and export period to time is greater than 24 "
        "hours");
  }
  const TimePoint earliest = TimeOfCommit(EarliestTime(core, table));
  if (from < std::chrono::floor<std::chrono::seconds>(earliest)) {
    return InvalidTime(
        "Incremental export period from time cannot be less than the earliest restorable time : " +
        TextOf(from));
  }
  return {};
}

// The moments that an export needs, leased until they are pinned.
struct Moments {
  HistoryKeeper::Lease at;
  std::optional<HistoryKeeper::Lease> before;
};

Result<Moments> LeaseMoments(EngineCore& core, const Table& table,
                             const ExportTableToPointInTimeInput& input) {
  if (!IsIncremental(input)) {
    if (input.export_time) {
      const TimePoint earliest = TimeOfCommit(EarliestTime(core, table));
      if (*input.export_time > core.clock.Now() ||
          *input.export_time < std::chrono::floor<std::chrono::seconds>(earliest)) {
        return InvalidTime("Export Time is invalid");
      }
      if (core.restorable_after.count() > 0 &&
          CommitTimeOf(*input.export_time) > RestorableTime(core, table)) {
        return InvalidTime("Point in Time Recovery is not available for specified export time");
      }
    }
    const TimePoint latest = core.restorable_after.count() == 0
                                 ? TimePoint::max()
                                 : TimeOfCommit(RestorableTime(core, table));
    return Moments{.at = TRY(LeaseMoment(core, table, input.export_time.value_or(latest))),
                   .before = std::nullopt};
  }
  const IncrementalExportSpecification& period = *input.incremental_export_specification;
  const TimePoint from = *period.export_from_time;
  TRY_VOID(CheckPeriod(core, table, from, period.export_to_time));
  // Changes from the one moment on, and before the other.
  const TimePoint earliest = TimeOfCommit(EarliestTime(core, table));
  HistoryKeeper::Lease before =
      TRY(LeaseMoment(core, table, std::max(from - kMicrosecond, earliest)));
  HistoryKeeper::Lease at = TRY(LeaseMoment(
      core, table,
      period.export_to_time ? *period.export_to_time - kMicrosecond : TimePoint::max()));
  return Moments{.at = std::move(at), .before = std::move(before)};
}

std::string DigestOf(const ExportTableToPointInTimeInput& input) {
  RequestText digest;
  digest.Add(input.table_arn)
      .Add(input.s3_bucket)
      .Add(input.export_time)
      .Add(input.s3_bucket_owner)
      .Add(input.s3_prefix)
      .Add(input.s3_sse_algorithm)
      .Add(input.s3_sse_kms_key_id)
      .Add(input.export_format)
      .Add(input.export_type);
  if (const auto& period = input.incremental_export_specification) {
    digest.Add(period->export_from_time).Add(period->export_to_time).Add(period->export_view_type);
  }
  return digest.Finish();
}

// The export that was made for this token, if there is one.
Result<std::optional<ExportDescription>> FindRepeated(EngineCore& core,
                                                      const ExportTableToPointInTimeInput& input,
                                                      const std::string& digest) {
  if (!input.client_token) {
    return std::nullopt;
  }
  const std::optional<keyspace::ExportRow> row = TRY(FindExportByToken(core, *input.client_token));
  if (!row) {
    return std::nullopt;
  }
  if (row->request != digest) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "Export conflict: Duplicate request detected with conflicting parameters");
  }
  return row->description;
}

Result<void> CheckLimit(EngineCore& core) {
  std::size_t under_way = 0;
  const auto visit = [&](const TransferId&, std::string_view bytes) -> Result<bool> {
    const keyspace::ExportRow row = TRY(keyspace::DecodeExportRow(bytes));
    under_way += row.description.export_status == ExportStatus::kInProgress ? 1 : 0;
    return under_way < kExportsMax;
  };
  TRY_VOID(VisitTransfers(core, KeyKind::kExport, std::nullopt, visit));
  if (under_way >= kExportsMax) {
    return Fail(ErrorCode::kLimitExceeded, "Only 300 export operations can be active at a time");
  }
  return {};
}

keyspace::ExportRow RowOf(const ExportTableToPointInTimeInput& input, const Table& table,
                          const TransferId& id, const Moments& moments, EngineCore& core) {
  keyspace::ExportRow row;
  ExportDescription& description = row.description;
  description.export_arn = table.arn + "/export/" + bulk::IdText(id.created_ms, id.number);
  description.start_time = TimePoint(std::chrono::milliseconds(id.created_ms));
  description.table_arn = table.arn;
  description.table_id = table.uuid;
  description.client_token = input.client_token;
  description.s3_bucket = input.s3_bucket;
  description.s3_bucket_owner = input.s3_bucket_owner;
  description.s3_prefix = input.s3_prefix;
  description.s3_sse_algorithm = input.s3_sse_algorithm.value_or(S3SseAlgorithm::kAes256);
  description.s3_sse_kms_key_id = input.s3_sse_kms_key_id;
  row.time = moments.at.time();
  const auto shown = std::chrono::floor<std::chrono::milliseconds>(TimeOfCommit(row.time));
  if (moments.before) {
    description.export_type = ExportType::kIncremental;
    description.incremental_export_specification = input.incremental_export_specification;
    auto& period = *description.incremental_export_specification;
    period.export_to_time = period.export_to_time.value_or(shown);
    period.export_view_type = period.export_view_type.value_or(ExportViewType::kNewAndOldImages);
    row.before = moments.before->time();
  } else {
    description.export_time = input.export_time.value_or(shown);
  }
  row.table = table.id;
  row.partition = table.partition.name;
  if (table.sort) {
    row.sort = table.sort->name;
  }
  row.name = bulk::NewDataName(core.random);
  return row;
}

void PinMoments(EngineCore& core, const keyspace::ExportRow& row) {
  core.history->Pin(row.table, row.time);
  if (row.before) {
    core.history->Pin(row.table, *row.before);
  }
}

void UnpinMoments(EngineCore& core, const keyspace::ExportRow& row) {
  core.history->Unpin(row.table, row.time);
  if (row.before) {
    core.history->Unpin(row.table, *row.before);
  }
}

}  // namespace

Result<ExportTableToPointInTimeOutput> ExportTableToPointInTime(
    EngineCore& core, const ExportTableToPointInTimeInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckRequest(input));
  const std::string digest = DigestOf(input);
  if (auto repeated = TRY(FindRepeated(core, input, digest))) {
    return ExportTableToPointInTimeOutput{.export_description = *std::move(repeated)};
  }
  TablePtr table = TRY(FindExported(core, input.table_arn));
  const std::uint32_t table_id = table->id;
  const Moments moments = TRY(LeaseMoments(core, *table, input));
  table.reset();  // whoever changes tables may wait for those who have it
  const auto lock = core.catalog.ChangeLock();
  // Somebody may have been faster.
  if (auto repeated = TRY(FindRepeated(core, input, digest))) {
    return ExportTableToPointInTimeOutput{.export_description = *std::move(repeated)};
  }
  const TablePtr current = core.catalog.FindId(table_id);
  if (current == nullptr || !current->recovery) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + input.table_arn);
  }
  TRY_VOID(CheckLimit(core));
  const TransferId id = TRY(TakeTransferId(core, KeyKind::kExport));
  keyspace::ExportRow row = RowOf(input, *current, id, moments, core);
  row.request = digest;
  PinMoments(core, row);
  storage::WriteBatch batch;
  RememberTime(batch);
  std::string bytes;
  keyspace::AppendExportRow(row, bytes);
  batch.Put(keyspace::TransferKey(KeyKind::kExport, id), bytes);
  if (const Result<void> written = core.store->Write(std::move(batch)); !written) {
    UnpinMoments(core, row);
    return std::unexpected(written.error());
  }
  ++core.transfers.exports_begun;
  core.background->EnqueueTransfer([&core, id] { return ContinueExport(core, id); });
  return ExportTableToPointInTimeOutput{.export_description = std::move(row.description)};
}

}  // namespace stator::engine
