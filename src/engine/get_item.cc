#include <utility>

#include "base/try.h"
#include "engine/capacity.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/key_paths.h"
#include "engine/moment_reader.h"
#include "engine/operations.h"
#include "request/checks.h"
#include "value/size.h"

namespace stator::engine {
Result<GetItemOutput> GetItem(EngineCore& core, const GetItemInput& input) {
  const std::optional<expression::Projection> projection =
      TRY(request::Check(input, core.expressions)).projection;
  const TablePtr table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckKey(*table, input.key));
  if (projection) {
    TRY_VOID(CheckKeyPaths(*table, *projection));
  }

  GetItemOutput output;
  if (input.as_of) {
    const MomentReader reader = TRY(MomentReader::Open(core, {table}, *input.as_of));
    output.as_of = reader.moment();
    output.item = TRY(reader.Fetch(ItemKeyOf(*table, input.key)));
  } else {
    output.item = TRY(FetchItem(core, ItemKeyOf(*table, input.key)));
  }
  if (input.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    Usage usage(input.table_name, Usage::Kind::kRead);
    usage.AddTable(
        ReadUnits(output.item ? value::SizeOfItem(*output.item) : 0, input.consistent_read));
    output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  }
  if (projection && output.item) {
    output.item = projection->Apply(*output.item);
  }
  return output;
}

}  // namespace stator::engine
