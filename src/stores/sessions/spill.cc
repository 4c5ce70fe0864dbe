#include "stores/sessions/spill.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/session_store_core.h"
#include "stores/sessions/size_guard.h"
#include "value/size.h"

namespace stator::sessions {
namespace {

// For rev, write_id and recent_writes, which come on top.
constexpr std::size_t kBookkeepingBytes = 256;
// A part is an item of its own; this leaves room for its key and the rest.
constexpr std::size_t kPartBytesMax = limits::kItemBytesMax - 8 * 1024;

std::string NumberText(std::size_t number) {
  const std::string text = std::to_string(number);
  return std::string(5 - std::min<std::size_t>(text.size(), 5), '0') + text;
}

std::string PartKey(const Item& header, const std::string& spill_id, std::size_t number) {
  return TextOf(header, kSortKey) + kPartMark + spill_id + "#" + NumberText(number);
}

Item MakePart(const Item& header, const std::string& list, const std::string& spill_id,
              std::size_t number, List elements) {
  Item part{{kPartitionKey, header.at(kPartitionKey)},
            {kSortKey, PartKey(header, spill_id, number)},
            {kType, "part"},
            {kSchema, kSchemaVersion},
            {kPartList, list},
            {kPartElements, std::move(elements)}};
  for (const char* name : {kEpoch, kExpiry}) {
    if (const AttributeValue* value = header.Find(name); value != nullptr) {
      part.Set(name, *value);
    }
  }
  return part;
}

// Moves one list from the header to parts.
void MoveOut(const std::string& name, const std::string& spill_id, Spilled& spilled) {
  List list = *FindAs<List>(spilled.header, name);
  spilled.header.Erase(name);
  const std::size_t first = spilled.parts.size();
  List elements;
  std::size_t bytes = 0;
  const auto finish = [&] {
    if (!elements.empty()) {
      spilled.parts.push_back(
          MakePart(spilled.header, name, spill_id, spilled.parts.size(), std::move(elements)));
      elements.clear();
      bytes = 0;
    }
  };
  for (AttributeValue& element : list) {
    const std::size_t size = value::SizeOf(element) + 1;
    if (bytes + size > kPartBytesMax) {
      finish();
    }
    bytes += size;
    elements.push_back(std::move(element));
  }
  finish();
  AttributeValue& lists = spilled.header[kSpilled];
  if (!lists.Is<Map>()) {
    lists = Map();
  }
  lists.If<Map>()->Set(name, spilled.parts.size() - first);
}

// The largest list that may be moved; empty when there is none.
std::string LargestList(const KindSpec& kind, const Item& item) {
  std::string largest;
  std::size_t bytes = 0;
  for (const std::string& name : kind.spill_lists) {
    const List* list = FindAs<List>(item, name);
    if (list != nullptr && !list->empty() && value::SizeOf(item.at(name)) > bytes) {
      largest = name;
      bytes = value::SizeOf(item.at(name));
    }
  }
  return largest;
}

}  // namespace

Result<Spilled> Spill(const SessionStoreCore& core, const KindSpec& kind, Item item) {
  item.Erase(kSpilled);
  item.Erase(kSpillId);
  const std::size_t bytes = value::SizeOfItem(item) + kBookkeepingBytes;
  if (bytes > core.options.large_bytes && core.options.on_large) {
    core.options.on_large(TextOf(item, kSortKey), bytes);
  }
  Spilled spilled{.header = std::move(item)};
  std::string spill_id;
  while (value::SizeOfItem(spilled.header) + kBookkeepingBytes > core.options.large_bytes) {
    const std::string list = LargestList(kind, spilled.header);
    if (list.empty()) {
      break;
    }
    if (spill_id.empty()) {
      spill_id = patterns::MakeWriteId(*core.environment.random);
      spilled.header.Set(kSpillId, spill_id);
    }
    MoveOut(list, spill_id, spilled);
  }
  for (const Item& part : spilled.parts) {
    TRY_VOID(CheckSize(part, 0));
  }
  TRY_VOID(CheckSize(spilled.header, kBookkeepingBytes));
  return spilled;
}

Result<void> PutAll(const SessionStoreCore& core, const std::vector<Item>& items) {
  if (items.empty()) {
    return {};
  }
  std::vector<WriteRequest> writes;
  writes.reserve(items.size());
  for (const Item& item : items) {
    writes.emplace_back(PutRequest{item});
  }
  const patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core.database, {.parallelism = 1, .allow_versioned = true},
                            core.environment)
          .Write({{.table = core.layout, .writes = std::move(writes)}});
  if (!outcome.complete()) {
    return std::unexpected(FromWrite(core, patterns::ToWriteError(outcome.error.value_or(Error{
                                               .code = ErrorCode::kUnavailable,
                                               .message = "some items could not be written"}))));
  }
  return {};
}

bool HasParts(const Item& header) {
  return FindMap(header, kSpilled) != nullptr;
}

std::vector<Item> PartKeysOf(const Item& header) {
  std::size_t count = 0;
  if (const Map* lists = FindMap(header, kSpilled); lists != nullptr) {
    for (const auto& [name, parts] : *lists) {
      count += static_cast<std::size_t>(CountOf(*lists, name));
    }
  }
  std::vector<Item> keys;
  keys.reserve(count);
  for (std::size_t number = 0; number < count; ++number) {
    keys.push_back({{kPartitionKey, header.at(kPartitionKey)},
                    {kSortKey, PartKey(header, TextOf(header, kSpillId), number)}});
  }
  return keys;
}

Result<void> JoinParts(std::vector<Item> parts, Item& header) {
  const Map lists = *FindMap(header, kSpilled);
  // Keys end with numbers of equal length.
  std::sort(parts.begin(), parts.end(), [](const Item& left, const Item& right) {
    return TextOf(left, kSortKey) < TextOf(right, kSortKey);
  });
  std::map<std::string, std::pair<List, std::int64_t>> joined;
  for (Item& part : parts) {
    auto& [list, count] = joined[TextOf(part, kPartList)];
    ++count;
    if (AttributeValue* elements = part.Find(kPartElements); elements != nullptr) {
      if (List* more = elements->If<List>(); more != nullptr) {
        std::move(more->begin(), more->end(), std::back_inserter(list));
      }
    }
  }
  for (const auto& [name, count] : lists) {
    if (joined[name].second != CountOf(lists, name)) {
      return Fail(ErrorCode::kConflict, "parts of the list " + name + " are missing");
    }
    header.Set(name, std::move(joined[name].first));
  }
  return {};
}

void RemoveParts(const SessionStoreCore& core, const std::vector<Item>& keys) {
  if (keys.empty()) {
    return;
  }
  std::vector<WriteRequest> writes;
  writes.reserve(keys.size());
  for (const Item& key : keys) {
    writes.emplace_back(DeleteRequest{key});
  }
  // What is left expires, and the next sweep of the session finds it.
  static_cast<void>(patterns::BatchWriter(*core.database,
                                          {.parallelism = 1, .allow_versioned = true},
                                          core.environment)
                        .Write({{.table = core.layout, .writes = std::move(writes)}})
                        .complete());
}

}  // namespace stator::sessions
