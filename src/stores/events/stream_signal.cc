#include "stores/events/stream_signal.h"

#include "base/try.h"
#include "stores/events/item_fields.h"

namespace stator::events {

Result<std::unique_ptr<StreamSignal>> StreamSignal::Open(EventStoreCore& core) {
  auto tail = TRY(patterns::StreamTail::Open(*core.database, core.options.events_table_name,
                                             core.options.retry, core.environment));
  if (!tail) {
    return nullptr;
  }
  return std::unique_ptr<StreamSignal>(new StreamSignal(core, std::move(tail)));
}

bool StreamSignal::IsOurs(const StreamRecord& record) const {
  const std::string pk = TextOr(record.keys, "pk");
  return core_->keys.IsSlot(pk);
}

// Whatever was missed, the log has it.
Result<bool> StreamSignal::Poll() {
  bool seen = false;
  const bool missed =
      TRY(tail_->Poll([&](const StreamRecord& record) { seen = seen || IsOurs(record); }));
  return seen || missed;
}

}  // namespace stator::events
