#include "stator/stores/events/checkpoint_store.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/requests.h"
#include "stores/events/compression.h"
#include "stores/events/event_item.h"
#include "stores/events/item_fields.h"
#include "stores/events/keys.h"
#include "stores/events/note_projector.h"
#include "stores/events/page_cursor.h"
#include "stores/events/parked_rows.h"
#include "value/size.h"

namespace stator::events {
namespace {

using patterns::Attribute;
using patterns::Condition;

constexpr const char* kGeneration = "generation";
constexpr const char* kRevision = "revision";
constexpr const char* kLifecycle = "lifecycle";
constexpr const char* kWriteId = "writeId";
constexpr const char* kStateData = "stateData";
constexpr const char* kOffloadKey = "offloadKey";
constexpr int kTombstoned = 1;
// A late write may still arrive, so it is looked for a while.
constexpr patterns::RetryOptions kReadBack{.budget = std::chrono::milliseconds(500),
                                           .wait_first = std::chrono::milliseconds(100)};

CheckpointToken TokenOf(const Item& item) {
  return {.generation = CountOr(item, kGeneration),
          .revision = CountOr(item, kRevision),
          .tombstoned = CountOr(item, kLifecycle) == kTombstoned,
          .exists = true};
}

// A row without generations is of generation 0, so an absent number and 0 are the same.
Condition Is(const char* name, std::uint64_t number) {
  const Condition is = Attribute(name) == number;
  return number == 0 ? Attribute(name).NotExists() || is : is;
}

Condition IsStill(const CheckpointToken& token) {
  if (!token.exists) {
    return Attribute("pk").NotExists();
  }
  return Attribute("pk").Exists() && Is(kGeneration, token.generation) &&
         Is(kRevision, token.revision) && Is(kLifecycle, token.tombstoned ? kTombstoned : 0);
}

std::unexpected<Error> Rejected(const CheckpointToken& current) {
  auto detail = std::make_shared<CheckpointRejected>();
  detail->current = current;
  return std::unexpected(Error{.code = ErrorCode::kConditionFailed,
                               .message = "somebody else wrote the checkpoint",
                               .detail = std::move(detail)});
}

void SetToken(const CheckpointToken& token, Item& item) {
  item.Set(kGeneration, token.generation);
  item.Set(kRevision, token.revision);
  item.Set(kLifecycle, token.tombstoned ? kTombstoned : 0);
}

// As one part of a folder, so that the blobs of one projector are never below those of another.
std::string PartOf(const std::string& name) {
  std::string part;
  for (const char c : name) {
    part += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  }
  return part;
}

std::string FolderOf(const EventStore& store, const std::string& projector) {
  return store.options().service_id + "/" + PartOf(projector);
}

// Every write has a folder of its own: nobody else can ever name its blob, so whoever finds out
// that it is not needed may remove it.
std::string BlobFolderOf(const EventStore& store, const Checkpoint& checkpoint, const Item& item) {
  return FolderOf(store, checkpoint.projector) + "/" + PartOf(checkpoint.version) + "/" +
         TextOr(item, kWriteId);
}

Keys KeysOf(const EventStore& store) {
  return Keys(store.options().service_id);
}

// Each write is repeated while that cannot do harm: its condition names the step before it.
template <class Write>
auto Repeat(const EventStore& store, const Write& write) -> decltype(write()) {
  return patterns::RetryWhile(
      store.options().retry, store.environment(), write, [](const Error& error) {
        return patterns::IsTransient(error.code) && !patterns::MayHaveHappened(error.code);
      });
}

bool IsCheckpoint(const Item& item) {
  const std::string type = TextOr(item, "documentType");
  return (type.empty() || type == "projectionState") && TextOr(item, "sk").starts_with("VERSION#");
}

}  // namespace

Result<std::optional<Item>> CheckpointStore::ReadItem(const std::string& projector,
                                                      const std::string& version) {
  return TRY(Repeat(*store_,
                    [&] {
                      return store_->database().GetItem(
                          {.table_name = store_->options().projection_states_table_name,
                           .key = KeysOf(*store_).State(projector, version),
                           .consistent_read = true});
                    }))
      .item;
}

Result<std::optional<Checkpoint>> CheckpointStore::Find(const std::string& projector,
                                                        const std::string& version) {
  // A blob goes when its checkpoint is replaced, which may be between the two reads.
  for (patterns::Retry retry(store_->options().retry, store_->environment());;) {
    const std::optional<Item> item = TRY(ReadItem(projector, version));
    if (!item) {
      return std::nullopt;
    }
    Result<Checkpoint> checkpoint = Decode(projector, version, *item);
    if (checkpoint || checkpoint.error().code != ErrorCode::kResourceNotFound) {
      return checkpoint;
    }
    const std::optional<Item> now = TRY(ReadItem(projector, version));
    const bool same = now && TextOr(*now, kOffloadKey) == TextOr(*item, kOffloadKey);
    if (same || !retry.Wait()) {
      return checkpoint;
    }
  }
}

Result<Checkpoint> CheckpointStore::Decode(const std::string& projector, const std::string& version,
                                           const Item& item) {
  Checkpoint checkpoint{.projector = projector,
                        .version = version,
                        .cursor = {TRY(IdField(item, "lastSortableUniqueId")),
                                   TextOr(item, "lastEventId"), CountOr(item, "lastPosition")},
                        .events = CountOr(item, "eventsProcessed"),
                        .token = TokenOf(item)};
  std::string stored;
  if (FlagOr(item, "isOffloaded")) {
    if (blobs_ == nullptr) {
      return Invalid("the state of projector " + projector + " version " + version +
                     " is in a blob store, and none was given");
    }
    const std::string key = TRY(TextField(item, kOffloadKey));
    stored = TRY(blobs_->Read(key));
  } else {
    const AttributeValue* data = item.Find(kStateData);
    const auto* binary = data == nullptr ? nullptr : data->If<Binary>();
    if (binary == nullptr) {
      return Fail(ErrorCode::kCorruption,
                  "there is no state of projector " + projector + " version " + version);
    }
    stored = binary->bytes;
  }
  const std::uint64_t size = TRY(CountField(item, "originalSizeBytes"));
  checkpoint.state = TRY(Decompress(stored, size));
  return checkpoint;
}

Result<Item> CheckpointStore::Encode(const Checkpoint& checkpoint, const CheckpointToken& next) {
  const EventStoreOptions& options = store_->options();
  const std::string stored = Compress(checkpoint.state);
  Item item = KeysOf(*store_).State(checkpoint.projector, checkpoint.version);
  item.Set("documentType", "projectionState");
  item.Set("serviceId", options.service_id);
  item.Set("projectorName", checkpoint.projector);
  item.Set("projectorVersion", checkpoint.version);
  item.Set("lastSortableUniqueId", checkpoint.cursor.sortable_id.ToText());
  item.Set("lastEventId", checkpoint.cursor.event_id);
  item.Set("lastPosition", checkpoint.cursor.position);
  item.Set("safeWindowThreshold",
           (checkpoint.safe_up_to == SortableId() ? checkpoint.cursor.sortable_id
                                                  : checkpoint.safe_up_to)
               .ToText());
  item.Set("eventsProcessed", checkpoint.events);
  item.Set("originalSizeBytes", checkpoint.state.size());
  item.Set("compressedSizeBytes", stored.size());
  item.Set("updatedAt", FormatTime(store_->environment().clock->Now()));
  item.Set(kWriteId, store_->environment().random->Uuid());
  SetToken(next, item);
  item.Set("isOffloaded", false);
  item.Set(kStateData, Binary{stored});
  if (value::SizeOfItem(item) <= options.offload_threshold_bytes ||
      (blobs_ == nullptr && value::SizeOfItem(item) <= limits::kItemBytesMax)) {
    return item;
  }
  if (blobs_ == nullptr) {
    return Invalid("the state of projector " + checkpoint.projector + " has " +
                   std::to_string(stored.size()) +
                   " bytes compressed, too many for an item, and there is no blob store");
  }
  const std::string key = MakeBlobKey(BlobFolderOf(*store_, checkpoint, item), stored);
  TRY_VOID(blobs_->Write(key, stored));
  item.Erase(kStateData);
  item.Set("isOffloaded", true);
  item.Set(kOffloadKey, key);
  item.Set("offloadProvider", std::string(blobs_->provider()));
  return item;
}

// After a write without an answer: whether it is ours that is there.
Result<CheckpointToken> CheckpointStore::Settle(Error error, const Item& written,
                                                const CheckpointToken& next) {
  const std::string projector = TextOr(written, "projectorName");
  const std::string version = TextOr(written, "projectorVersion");
  patterns::Retry retry(kReadBack, store_->environment());
  do {
    const Result<GetItemOutput> read =
        store_->database().GetItem({.table_name = store_->options().projection_states_table_name,
                                    .key = KeysOf(*store_).State(projector, version),
                                    .consistent_read = true});
    const std::optional<Item> item = read ? read->item : std::nullopt;
    if (item && TextOr(*item, kWriteId) == TextOr(written, kWriteId)) {
      return next;
    }
    if (item && TokenOf(*item).revision >= next.revision) {
      return Rejected(TokenOf(*item));
    }
  } while (retry.Wait());
  error.code = ErrorCode::kAmbiguous;
  return std::unexpected(std::move(error));
}

Result<CheckpointToken> CheckpointStore::Write(const Checkpoint& checkpoint, Step step) {
  if (checkpoint.token.tombstoned != (step == Step::kCommitRebuilt)) {
    return Rejected(checkpoint.token);
  }
  const CheckpointToken next{
      .generation = checkpoint.token.generation + (step == Step::kReplace ? 1 : 0),
      .revision = checkpoint.token.revision + 1,
      .tombstoned = false,
      .exists = true};
  const Item item = TRY(Encode(checkpoint, next));
  const std::string key = TextOr(item, kOffloadKey);
  PutItemInput put = patterns::MakePut(store_->options().projection_states_table_name, item,
                                       IsStill(checkpoint.token));
  put.return_values = ReturnValues::kAllOld;
  const auto answer = Repeat(*store_, [&] { return store_->database().PutItem(put); });
  if (answer) {
    NoteProjector(*store_, checkpoint.projector);
    // The state before is nobody's any more.
    const std::string before =
        answer->attributes ? TextOr(*answer->attributes, kOffloadKey) : std::string();
    if (blobs_ != nullptr && !before.empty() && before != key) {
      static_cast<void>(blobs_->Remove(before));
    }
    return next;
  }
  if (answer.error().code == ErrorCode::kConditionFailed) {
    const Item* current = patterns::FindItem(answer.error());
    if (blobs_ != nullptr && !key.empty() &&
        (current == nullptr || TextOr(*current, kOffloadKey) != key)) {
      static_cast<void>(blobs_->Remove(key));
    }
    return Rejected(current == nullptr ? CheckpointToken{} : TokenOf(*current));
  }
  if (patterns::MayHaveHappened(answer.error().code)) {
    return Settle(answer.error(), item, next);
  }
  return std::unexpected(answer.error());
}

Result<CheckpointToken> CheckpointStore::Save(const Checkpoint& checkpoint) {
  return Write(checkpoint, Step::kSave);
}

Result<CheckpointToken> CheckpointStore::CommitRebuilt(const Checkpoint& checkpoint) {
  return Write(checkpoint, Step::kCommitRebuilt);
}

Result<CheckpointToken> CheckpointStore::Replace(const Checkpoint& checkpoint) {
  return Write(checkpoint, Step::kReplace);
}

Result<void> CheckpointStore::Park(const std::string& projector, const std::string& version,
                                   const ParkedEvent& event) {
  return WriteParked(*store_, KeysOf(*store_).LeftOut(projector, version, event.position), event);
}

Result<std::vector<ParkedEvent>> CheckpointStore::ListParked(const std::string& projector,
                                                             const std::string& version) {
  return ReadParked(*store_, KeysOf(*store_).ProjectorPartition(projector),
                    "PARKED#" + version + "#");
}

Result<void> CheckpointStore::DropParked(const std::string& projector, const std::string& version,
                                         std::uint64_t position) {
  return RemoveParked(*store_, KeysOf(*store_).LeftOut(projector, version, position), position);
}

Result<CheckpointToken> CheckpointStore::Invalidate(const std::string& projector,
                                                    const std::string& version,
                                                    const CheckpointToken& token) {
  if (!token.exists || token.tombstoned) {
    return Rejected(token);
  }
  const CheckpointToken next{.generation = token.generation + 1,
                             .revision = token.revision + 1,
                             .tombstoned = true,
                             .exists = true};
  const Item written{{"projectorName", projector},
                     {"projectorVersion", version},
                     {kWriteId, store_->environment().random->Uuid()}};
  patterns::Update update;
  update.Set(kGeneration, next.generation)
      .Set(kRevision, next.revision)
      .Set(kLifecycle, kTombstoned)
      .Set(kWriteId, written.at(kWriteId));
  const auto answer = Repeat(*store_, [&] {
    return store_->database().UpdateItem(
        patterns::MakeUpdate(store_->options().projection_states_table_name,
                             KeysOf(*store_).State(projector, version), update, IsStill(token)));
  });
  if (answer) {
    return next;
  }
  if (answer.error().code == ErrorCode::kConditionFailed) {
    const Item* current = patterns::FindItem(answer.error());
    return Rejected(current == nullptr ? CheckpointToken{} : TokenOf(*current));
  }
  if (patterns::MayHaveHappened(answer.error().code)) {
    return Settle(answer.error(), written, next);
  }
  return std::unexpected(answer.error());
}

Result<bool> CheckpointStore::Remove(const std::string& projector, const std::string& version) {
  DeleteItemInput remove = patterns::MakeDelete(store_->options().projection_states_table_name,
                                                KeysOf(*store_).State(projector, version));
  remove.return_values = ReturnValues::kAllOld;
  const DeleteItemOutput output =
      TRY(Repeat(*store_, [&] { return store_->database().DeleteItem(remove); }));
  const std::string key =
      output.attributes ? TextOr(*output.attributes, kOffloadKey) : std::string();
  if (blobs_ != nullptr && !key.empty()) {
    TRY_VOID(blobs_->Remove(key));
  }
  return output.attributes.has_value();
}

Result<std::vector<CheckpointInfo>> CheckpointStore::List(const std::string& projector) {
  QueryInput query = MakeQuery({.table_name = store_->options().projection_states_table_name,
                                .partition_attribute = "pk",
                                .partition = KeysOf(*store_).ProjectorPartition(projector),
                                .sort_attribute = "sk"});
  std::vector<CheckpointInfo> infos;
  do {
    QueryOutput output = TRY(store_->database().Query(query));
    for (const Item& item : output.items.value_or(std::vector<Item>())) {
      if (IsCheckpoint(item)) {
        infos.push_back({.projector = projector,
                         .version = TextOr(item, "sk").substr(std::string("VERSION#").size()),
                         .last = TRY(IdField(item, "lastSortableUniqueId")),
                         .events = CountOr(item, "eventsProcessed"),
                         .state_bytes = CountOr(item, "originalSizeBytes"),
                         .stored_bytes = CountOr(item, "compressedSizeBytes"),
                         .offloaded = FlagOr(item, "isOffloaded"),
                         .updated_at = TextOr(item, "updatedAt")});
      }
    }
    query.exclusive_start_key = std::move(output.last_evaluated_key);
  } while (query.exclusive_start_key);
  return infos;
}

Result<std::size_t> CheckpointStore::SweepBlobs(const std::string& projector, Duration age) {
  if (blobs_ == nullptr) {
    return 0;
  }
  const TimePoint before = store_->environment().clock->Now() - age;
  std::set<std::string> used;
  for (const CheckpointInfo& info : TRY(List(projector))) {
    if (const std::optional<Item> item = TRY(ReadItem(projector, info.version))) {
      used.insert(TextOr(*item, kOffloadKey));
    }
  }
  return RemoveUnusedBlobs(*blobs_, EncodeBlobFolder(FolderOf(*store_, projector)), used, before);
}

}  // namespace stator::events
