// Whether items of staged appends count: an append that is too large for one transaction writes its
// items first, marked with a stage, and then one item that publishes the stage. Until then, and for
// ever when it never comes, nobody sees them.

#pragma once

#include <optional>
#include <set>
#include <string>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"
#include "stores/events/core.h"
#include "stores/events/event_item.h"

namespace stator::events {

// An item of the events table that says that an append was committed.
struct AppendRecord {
  std::string append_id;
  std::string fingerprint;
  std::string seed;  // of the ids of its events; the stage's name if it was staged
  std::uint64_t events = 0;
  std::uint64_t first_position = 0;  // of a staged append with a global head
  bool staged = false;
};

Item EncodeAppendRecord(const Core& core, const AppendRecord& record);
Result<AppendRecord> DecodeAppendRecord(const Item& item);
Result<std::optional<AppendRecord>> FindAppendRecord(Core& core, const std::string& append_id);

// The id of the n-th event of an append, a UUID.
std::string MakeEventId(const std::string& seed, std::uint64_t index);

// Which staged appends one read sees: what was not published when the read first met it stays
// unseen to it, so that it never sees half of an append.
class StageView {
 public:
  explicit StageView(Core& core) : core_(&core) {}

  // Costs a read for the first item of a staged append, else nothing.
  Result<bool> IsVisible(const std::optional<StageMark>& mark);

  // Decodes a visible item, with its position; nothing for one that is not visible.
  Result<std::optional<Event>> Decode(const Item& item);

  // Whether an append that was not seen has been published meanwhile.
  Result<bool> HasChanged();

 private:
  Core* core_;
  std::set<std::string> unseen_;  // ids of appends
};

}  // namespace stator::events
