#include "stores/events/settings.h"

#include <algorithm>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/tables.h"
#include "stores/events/item_fields.h"
#include "stores/events/log_items.h"
#include "stores/events/page_cursor.h"
#include "stores/events/read_retry.h"

namespace stator::events {
namespace {

constexpr const char* kLayout = "layout";
constexpr std::uint64_t kLayoutOfLogs = 2;
constexpr const char* kShardCounts = "seedShardCounts";
constexpr const char* kShardCount = "seedShardCount";
constexpr const char* kSeedRows = "seedRows";

Result<Recorded> DecodeSettings(const Item& item) {
  if (TRY(CountField(item, kLayout)) != kLayoutOfLogs) {
    return Invalid(
        "the events were written in another layout; export them with the program that wrote them "
        "and import them into new tables");
  }
  const AttributeValue* rows = item.Find(kSeedRows);
  const bool* seed_rows = rows == nullptr ? nullptr : rows->If<bool>();
  Recorded recorded{.shard_count = static_cast<int>(TRY(CountField(item, kShardCount))),
                    .seed_rows = seed_rows == nullptr || *seed_rows};
  const AttributeValue* counts = item.Find(kShardCounts);
  const auto* set = counts == nullptr ? nullptr : counts->If<NumberSet>();
  if (set == nullptr) {
    return Fail(ErrorCode::kCorruption, "the settings of the event store have no shard counts");
  }
  for (const Number& count : *set) {
    recorded.shard_counts.push_back(static_cast<int>(TRY(count.ToInt64())));
  }
  return recorded;
}

Result<std::optional<Item>> ReadItem(EventStoreCore& core) {
  return TRY(RetryRead(core,
                       [&] {
                         return core.database->GetItem(
                             {.table_name = core.options.events_table_name,
                              .key = core.keys.Settings(),
                              .consistent_read = true});
                       }))
      .item;
}

Result<bool> HasEvents(EventStoreCore& core, int shard) {
  PageCursor cursor(core, {.table_name = core.options.events_table_name,
                           .index_name = kIndexName,
                           .partition_attribute = "gsi1pk",
                           .partition = core.keys.LogPartition(shard),
                           .sort_attribute = "sortableUniqueId",
                           .wanted = 1});
  return TRY(cursor.Peek()) != nullptr;
}

// Events without settings were written by another system, which has no log: conditions would not
// see them.
Result<void> RefuseForeignEvents(EventStoreCore& core) {
  constexpr int kShardsLookedAt = 10;
  for (int shard = kUnsharded; shard < kShardsLookedAt; ++shard) {
    // Whoever began at the same moment has recorded settings before the first event.
    if (TRY(HasEvents(core, shard)) && !TRY(ReadItem(core))) {
      return Invalid("the tables have events of service " + core.options.service_id +
                     " that another system wrote; open them for reading only, export them "
                     "and import them into new tables");
    }
  }
  return {};
}

// As far as can be told without settings.
Result<Recorded> FindForeignSettings(EventStoreCore& core) {
  Recorded recorded{.shard_counts = {1}};
  if (core.options.write_shard_count) {
    recorded.shard_counts.push_back(*core.options.write_shard_count);
    return recorded;
  }
  constexpr int kShardsLookedAt = 64;
  for (int shard = kShardsLookedAt - 1; shard >= 0; --shard) {
    if (TRY(HasEvents(core, shard))) {
      recorded.shard_counts.push_back(std::max(shard + 1, 2));
      break;
    }
  }
  return recorded;
}

Result<void> RecordSettings(EventStoreCore& core) {
  TRY_VOID(RefuseForeignEvents(core));
  // First, so that whoever has settings is listed.
  TRY_VOID(RetryRead(core, [&] {
    return core.database->PutItem(
        {.table_name = core.options.events_table_name, .item = core.keys.ServiceEntry()});
  }));
  const int shards = core.options.write_shard_count.value_or(1);
  Item item = core.keys.Settings();
  item.Set(kLayout, kLayoutOfLogs);
  item.Set(kShardCounts, NumberSet{Number(shards)});
  item.Set(kShardCount, shards);
  item.Set(kSeedRows, core.options.seed_rows.value_or(true));
  const auto put = RetryRead(core, [&] {
    return core.database->PutItem(patterns::MakePut(core.options.events_table_name, item,
                                                    patterns::Attribute("pk").NotExists()));
  });
  // Somebody else, or a lost answer of our own: either way there are settings now.
  if (!put && put.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(put.error());
  }
  return {};
}

// What may be said anew at any time.
Result<void> ChangeSettings(EventStoreCore& core, const Recorded& now) {
  patterns::Update update;
  update.Add(kShardCounts, NumberSet{Number(now.shard_count)})
      .Set(kShardCount, now.shard_count)
      .Set(kSeedRows, now.seed_rows);
  TRY_VOID(RetryRead(core, [&] {
    return core.database->UpdateItem(patterns::MakeUpdate(core.options.events_table_name,
                                                          core.keys.Settings(), update,
                                                          patterns::Attribute("pk").Exists()));
  }));
  return {};
}

}  // namespace

Result<std::optional<Recorded>> ReadSettings(EventStoreCore& core) {
  const std::optional<Item> item = TRY(ReadItem(core));
  if (!item) {
    return std::nullopt;
  }
  return TRY(DecodeSettings(*item));
}

Result<void> LoadSettings(EventStoreCore& core) {
  std::optional<Item> item = TRY(ReadItem(core));
  if (!item && core.options.read_only) {
    core.recorded = TRY(FindForeignSettings(core));
    core.is_foreign = true;
    return {};
  }
  if (!item) {
    TRY_VOID(RecordSettings(core));
    item = TRY(ReadItem(core));
    if (!item) {
      return Fail(ErrorCode::kCorruption, "the settings of the event store vanished");
    }
  }
  core.recorded = TRY(DecodeSettings(*item));
  Recorded wanted = core.recorded;
  wanted.shard_count = core.options.write_shard_count.value_or(wanted.shard_count);
  wanted.seed_rows = core.options.seed_rows.value_or(wanted.seed_rows);
  if (!core.options.read_only && wanted != core.recorded) {
    TRY_VOID(ChangeSettings(core, wanted));
    core.recorded = TRY(ReadSettings(core)).value_or(core.recorded);
  }
  const std::optional<Genesis> genesis = TRY(LoadGenesis(core, !core.options.read_only));
  if (!genesis) {
    return Fail(ErrorCode::kNotReady, "the log of the event store has not begun yet");
  }
  core.genesis = *genesis;
  return {};
}

}  // namespace stator::events
