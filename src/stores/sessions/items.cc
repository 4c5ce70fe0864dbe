#include "stores/sessions/items.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"
#include "stores/sessions/creation.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/patching.h"
#include "stores/sessions/reading.h"
#include "stores/sessions/record_codec.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;
using patterns::Condition;
using patterns::Update;

bool HasChildren(const Record& record) {
  return record.stored.item.contains(kChildren);
}

// The element of the record's list that is about the item; null when there is none.
const Map* FindElement(const KindSpec& kind, const Item& record, std::string_view item) {
  const List* list = FindAs<List>(record, kind.items.list);
  if (list == nullptr) {
    return nullptr;
  }
  for (const AttributeValue& element : *list) {
    const Map* map = element.If<Map>();
    if (map != nullptr && TextOf(*map, kind.items.id_attribute) == item) {
      return map;
    }
  }
  return nullptr;
}

// Without results the record has ended before, and all of its items with it; unless an older system
// made it, which has nothing but the phases in the list.
bool IsDone(const KindSpec& kind, const Record& record, std::string_view item) {
  const Map* results = FindMap(record.stored.item, kResults);
  if (results != nullptr) {
    return results->contains(item);
  }
  const Map* element = FindElement(kind, record.stored.item, item);
  if (element == nullptr || record.revision() > 0) {
    return element != nullptr;
  }
  const std::string phase = TextOf(*element, kind.items.phase_attribute);
  return phase == kind.machine.done || phase == kind.items.failed_phase;
}

// Whether results are still being taken, as opposed to a record that was taken up again later.
bool IsOpen(const Record& record) {
  const Item& stored = record.stored.item;
  return stored.contains(kResults) || TextOf(stored, kChildren) == kChildrenOpen;
}

// The list of the record with the results in their places.
List ListWithResults(const KindSpec& kind, const Item& record) {
  List list;
  if (const List* before = FindAs<List>(record, kind.items.list); before != nullptr) {
    list = *before;
  }
  const Map* results = FindMap(record, kResults);
  if (results == nullptr) {
    return list;
  }
  std::set<std::string> placed;
  for (AttributeValue& element : list) {
    const Map* map = element.If<Map>();
    const std::string id = map == nullptr ? "" : TextOf(*map, kind.items.id_attribute);
    if (const Map* result = FindMap(*results, id); result != nullptr && placed.insert(id).second) {
      element = Overlay(*map, *result);
    }
  }
  for (const auto& [id, result] : *results) {
    if (!placed.contains(id) && result.Is<Map>()) {
      list.emplace_back(Overlay({{kind.items.id_attribute, id}}, *result.If<Map>()));
    }
  }
  return list;
}

Result<void> CheckItems(const KindSpec& kind, const std::vector<NewItem>& items) {
  if (kind.items.list.empty()) {
    return Invalid("records of kind " + kind.name + " have no items");
  }
  std::set<std::string_view> ids;
  for (const NewItem& item : items) {
    if (item.id.empty() || item.id.size() > 400 || !ids.insert(item.id).second) {
      return Fail(ErrorCode::kValidation,
                  "ids of items are distinct and have 1 to 400 bytes: '" + item.id + "'");
    }
  }
  return {};
}

Result<Record> CreateWithMap(SessionState& state, const KindSpec& kind, const std::string& id,
                             Item value, const std::vector<NewItem>& items) {
  List list;
  std::vector<std::string> ids;
  for (const NewItem& item : items) {
    ids.push_back(item.id);
    list.emplace_back(Overlay({{kind.items.id_attribute, item.id}}, item.input));
  }
  if (!value.contains(kind.items.list) && !list.empty()) {
    value.Set(kind.items.list, std::move(list));
  }
  Item extra{{kResults, Map()}};
  if (!ids.empty()) {
    extra.Set(kPending, StringSet(std::move(ids)));
  }
  return CreateRecord(state, kind, id, std::move(value), extra);
}

Result<Completion> CompleteInMap(SessionState& state, const KindSpec& kind, std::string_view id,
                                 const ItemResult& result) {
  const SessionStoreCore& core = *state.core;
  Update update;
  update.Set(Attribute(kResults)[result.item], result.result)
      .Delete(kPending, StringSet{result.item})
      .Add(kind.items.done_attribute, 1);
  Condition condition = Attribute(kind.machine.attribute) == kind.machine.working &&
                        Attribute(kPending).Contains(result.item);
  if (result.worker) {
    condition = std::move(condition) && HoldsLease(core, *result.worker);
  }
  Result<Record> written = PatchRecord(
      state, kind, id, std::move(update), condition, /*repeatable=*/true,
      [&](const Record& current) { return ExplainResult(core, kind, current, result); });
  Completion completion;
  if (!written) {
    const Error error = std::move(written).error();
    if (error.code != ErrorCode::kAlreadyExists || !FactsOf(error).current) {
      return std::unexpected(error);
    }
    completion.already_done = true;
    written = *FactsOf(error).current;
  }
  completion.progress = written->progress.value_or(Progress{});
  if (!written->stored.item.contains(kPending) && IsOpen(*written) &&
      written->state == kind.machine.working) {
    const Completion finish = TRY(Finish(state, kind, *written));
    completion.finished = finish.finished;
  }
  return completion;
}

std::vector<ItemState> ItemsInRecord(const KindSpec& kind, const Record& record) {
  std::vector<ItemState> states;
  const Item& stored = record.stored.item;
  const Map* results = FindMap(stored, kResults);
  const List* list = FindAs<List>(stored, kind.items.list);
  if (list == nullptr) {
    return states;
  }
  for (const AttributeValue& element : *list) {
    const Map* map = element.If<Map>();
    if (map == nullptr) {
      continue;
    }
    ItemState state{.id = TextOf(*map, kind.items.id_attribute), .input = *map};
    const Map* result = results == nullptr ? map : FindMap(*results, state.id);
    state.done = IsDone(kind, record, state.id);
    if (state.done && result != nullptr) {
      state.result = *result;
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace

Map Overlay(const Map& input, const Map& result) {
  Map both = input;
  for (const auto& [name, value] : result) {
    both.Set(name, value);
  }
  return both;
}

Error ExplainResult(const SessionStoreCore& core, const KindSpec& kind, const Record& current,
                    const ItemResult& result) {
  if (HasChildren(current)) {
    return MakeError(ErrorCode::kConflict, "the items of the record are items of the table",
                     {.current = current});
  }
  // The caller takes this for what it is: done already.
  if (IsDone(kind, current, result.item)) {
    return MakeError(ErrorCode::kAlreadyExists, "done already", {.current = current});
  }
  if (current.state != kind.machine.working) {
    return IllegalTransition(current, kind.machine.done);
  }
  if (result.worker && !IsLeaseHeldBy(core, current, *result.worker)) {
    return MakeError(ErrorCode::kLeaseLost, "the lease is another worker's",
                     {.lease = current.lease});
  }
  return {.code = ErrorCode::kValidation,
          .message = "the record has no item '" + result.item + "'"};
}

Result<Completion> Finish(SessionState& state, const KindSpec& kind, const Record& record) {
  StateUpdate change{.from = {kind.machine.working}, .to = kind.machine.done};
  if (HasChildren(record)) {
    change.condition =
        Attribute(kChildren) == kChildrenOpen &&
        Attribute(kind.items.done_attribute) >= Attribute(kind.items.total_attribute);
    change.update.Set(kChildren, kChildrenDone);
  } else {
    change.condition = Attribute(kPending).NotExists();
    if (List list = ListWithResults(kind, record.stored.item); !list.empty()) {
      change.update.Set(kind.items.list, std::move(list));
    }
    change.update.Remove(kResults);
  }
  const Result<Record> finished = ChangeState(state, kind, record.id, change);
  if (finished) {
    return Completion{.finished = true, .progress = finished->progress.value_or(Progress{})};
  }
  if (finished.error().code == ErrorCode::kIllegalTransition && FactsOf(finished.error()).current) {
    return Completion{.progress = FactsOf(finished.error()).current->progress.value_or(Progress{})};
  }
  return std::unexpected(finished.error());
}

Result<Record> Session::PutNewWithItems(std::string_view kind, std::string_view id, Item value,
                                        const std::vector<NewItem>& items,
                                        ItemsLayout layout) const {
  const SessionStoreCore& core = *state_->core;
  const KindSpec* spec = TRY(core.Kind(kind));
  TRY_VOID(CheckItems(*spec, items));
  value.Set(spec->items.total_attribute, items.size());
  value.Set(spec->items.done_attribute, 0);
  const std::string record = id.empty() ? NewRecordId(core, kind) : std::string(id);
  const bool children = layout == ItemsLayout::kChildren ||
                        (layout == ItemsLayout::kAuto && items.size() > core.options.map_items_max);
  return children ? CreateWithChildren(*state_, *spec, record, std::move(value), items)
                  : CreateWithMap(*state_, *spec, record, std::move(value), items);
}

Result<Completion> Session::CompleteItem(std::string_view kind, std::string_view id,
                                         std::string_view item, Map result,
                                         std::optional<std::string> worker) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  TRY_VOID(CheckItems(*spec, {{.id = std::string(item)}}));
  const ItemResult outcome{
      .item = std::string(item), .result = std::move(result), .worker = std::move(worker)};
  const std::string key = SortKeyOf(*spec, id);
  bool children = false;
  {
    const MutexLock lock(state_->mutex);
    children = state_->with_children.contains(key);
  }
  if (!children) {
    Result<Completion> completion = CompleteInMap(*state_, *spec, id, outcome);
    if (completion || completion.error().code != ErrorCode::kConflict ||
        !FactsOf(completion.error()).current) {
      return completion;
    }
    const MutexLock lock(state_->mutex);
    state_->with_children.insert(key);
  }
  return CompleteChild(*state_, *spec, id, outcome);
}

Result<Completion> Session::FailItem(std::string_view kind, std::string_view id,
                                     std::string_view item, std::string message) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  return CompleteItem(kind, id, item,
                      {{spec->items.phase_attribute, spec->items.failed_phase},
                       {spec->error_attribute, std::move(message)}});
}

Result<std::vector<ItemState>> Session::Items(std::string_view kind, std::string_view id) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const Record record = TRY(ReadRecord(*state_, *spec, id));
  return HasChildren(record) ? ReadChildren(*state_, *spec, record) : ItemsInRecord(*spec, record);
}

Result<std::vector<std::string>> Session::Pending(std::string_view kind,
                                                  std::string_view id) const {
  std::vector<std::string> ids;
  for (ItemState& item : TRY(Items(kind, id))) {
    if (!item.done) {
      ids.push_back(std::move(item.id));
    }
  }
  return ids;
}

Result<Completion> Session::Heal(std::string_view kind, std::string_view id) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  Record record = TRY(ReadRecord(*state_, *spec, id));
  const std::vector<ItemState> items = TRY(Items(kind, id));
  const auto done = static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const ItemState& item) { return item.done; }));
  const Progress before = record.progress.value_or(Progress{});
  if (record.state != spec->machine.working || !IsOpen(record)) {
    return Completion{.progress = before};
  }
  if (before.done != done) {
    // Only if nothing was completed since it was counted.
    const Attribute count(spec->items.done_attribute);
    record = TRY(PatchRecord(*state_, *spec, id, Update().Set(count, done),
                             Attribute(spec->machine.attribute) == spec->machine.working &&
                                 (count == before.done || count.NotExists()),
                             /*repeatable=*/true, [](const Record& current) {
                               return MakeError(ErrorCode::kConflict,
                                                "items were completed at the same time",
                                                {.current = current});
                             }));
  }
  if (done < before.total) {
    return Completion{.progress = {.total = before.total, .done = done}};
  }
  return Finish(*state_, *spec, record);
}

}  // namespace stator::sessions
