#include <utility>

#include "base/try.h"
#include "engine/capacity.h"
#include "engine/contributors.h"
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
  const std::string item_key = ItemKeyOf(*table, input.key);
  if (input.as_of) {
    const MomentReader reader = TRY(MomentReader::Open(core, {table}, *input.as_of));
    output.as_of = reader.moment();
    output.item = TRY(reader.Fetch(item_key));
  } else {
    output.item = TRY(FetchItem(core, item_key, MomentOf(*table)));
  }
  if (input.return_consumed_capacity != ReturnConsumedCapacity::kNone || table->contributors) {
    const double units =
        ReadUnits(output.item ? value::SizeOfItem(*output.item) : 0, input.consistent_read);
    Usage usage(input.table_name, Usage::Kind::kRead);
    usage.AddTable(units);
    output.consumed_capacity = usage.Report(input.return_consumed_capacity);
    if (table->contributors) {
      table->contributors->CountItem(item_key, units);
    }
  }
  if (projection && output.item) {
    output.item = projection->Apply(*output.item);
  }
  return output;
}

}  // namespace stator::engine
