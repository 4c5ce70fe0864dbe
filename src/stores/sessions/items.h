// The two ways in which a record keeps the items that are worked on, behind one interface.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stator/stores/sessions/record.h"
#include "stator/stores/sessions/session.h"
#include "stator/stores/sessions/session_error.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// One call of Session::CompleteItem.
struct ItemResult {
  std::string item;
  Map result;
  std::optional<std::string> worker;
};

// An element of the record's list: what the item was made with, overlaid by its result.
Map Overlay(const Map& input, const Map& result);

// Takes a record whose items are all done to its done state. Not finished: somebody else did.
Result<Completion> Finish(SessionState& state, const KindSpec& kind, const Record& record);

// Why a result was not taken, for a record without the item among its pending ones.
Error ExplainResult(const SessionStoreCore& core, const KindSpec& kind, const Record& current,
                    const ItemResult& result);

// children.cc: items of the table.
Result<Record> CreateWithChildren(SessionState& state, const KindSpec& kind, const std::string& id,
                                  Item value, const std::vector<NewItem>& items);
Result<Completion> CompleteChild(SessionState& state, const KindSpec& kind, std::string_view id,
                                 const ItemResult& result);
Result<std::vector<ItemState>> ReadChildren(const SessionState& state, const KindSpec& kind,
                                            const Record& record);

}  // namespace stator::sessions
