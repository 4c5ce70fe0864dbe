#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/transfers.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kPageByDefault = 10;

ImportSummary SummaryOf(keyspace::ImportRow row) {
  ImportTableDescription& description = row.description;
  return {.import_arn = std::move(description.import_arn),
          .import_status = description.import_status,
          .table_arn = std::move(row.table.settings.arn),
          .s3_bucket_source = std::move(description.s3_bucket_source),
          .cloud_watch_log_group_arn = std::move(description.cloud_watch_log_group_arn),
          .input_format = description.input_format,
          .start_time = description.start_time,
          .end_time = description.end_time};
}

}  // namespace

Result<ListImportsOutput> ListImports(EngineCore& core, const ListImportsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  std::optional<TransferId> before;
  if (input.next_token) {
    before = TRY(ParseTransferPageToken(KeyKind::kImport, *input.next_token));
  }
  const auto page = static_cast<std::size_t>(input.page_size.value_or(kPageByDefault));
  ListImportsOutput output;
  TransferId last;
  const auto visit = [&](const TransferId& id, std::string_view bytes) -> Result<bool> {
    keyspace::ImportRow row = TRY(keyspace::DecodeImportRow(bytes));
    if (input.table_arn && row.table.settings.arn != *input.table_arn) {
      return true;
    }
    if (output.import_summary_list.size() == page) {
      output.next_token = TransferPageToken(KeyKind::kImport, last);
      return false;
    }
    last = id;
    MatchWithTable(core, row);
    output.import_summary_list.push_back(SummaryOf(std::move(row)));
    return true;
  };
  TRY_VOID(VisitTransfers(core, KeyKind::kImport, before, visit));
  return output;
}

}  // namespace stator::engine
