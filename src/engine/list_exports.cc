#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/transfers.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kResultsByDefault = 10;

}  // namespace

Result<ListExportsOutput> ListExports(EngineCore& core, const ListExportsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  ListExportsOutput output;
  std::optional<std::string> table_id;
  if (input.table_arn) {
    const Result<TablePtr> table = core.catalog.FindAny(*input.table_arn);
    if (!table) {
      return output;  // those of an earlier table of the name are not told
    }
    table_id = (*table)->uuid;
  }
  std::optional<TransferId> before;
  if (input.next_token) {
    before = TRY(ParseTransferPageToken(KeyKind::kExport, *input.next_token));
  }
  const auto results = static_cast<std::size_t>(input.max_results.value_or(kResultsByDefault));
  TransferId last;
  const auto visit = [&](const TransferId& id, std::string_view bytes) -> Result<bool> {
    keyspace::ExportRow row = TRY(keyspace::DecodeExportRow(bytes));
    ExportDescription& description = row.description;
    if (table_id && description.table_id != *table_id) {
      return true;
    }
    if (output.export_summaries.size() == results) {
      output.next_token = TransferPageToken(KeyKind::kExport, last);
      return false;
    }
    last = id;
    output.export_summaries.push_back(
        {.export_arn = std::move(description.export_arn),
         .export_status = description.export_status,
         .export_type = description.export_type.value_or(ExportType::kFull)});
    return true;
  };
  TRY_VOID(VisitTransfers(core, KeyKind::kExport, before, visit));
  return output;
}

}  // namespace stator::engine
