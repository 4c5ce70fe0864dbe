#include <map>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/stores/sessions/session.h"
#include "stores/sessions/failures.h"
#include "stores/sessions/item_fields.h"
#include "stores/sessions/reading.h"
#include "stores/sessions/record_codec.h"
#include "stores/sessions/session_store_core.h"
#include "stores/sessions/spill.h"

namespace stator::sessions {
namespace {

using patterns::Attribute;

Result<std::vector<std::optional<Item>>> ReadItems(const SessionStoreCore& core,
                                                   const std::vector<Item>& keys) {
  patterns::BatchReadOutcome outcome =
      core.reader.Read(core.layout, keys, {.include_expired = true});
  if (!outcome.complete()) {
    return std::unexpected(
        FromRead(core, outcome.error.value_or(Error{.code = ErrorCode::kUnavailable,
                                                    .message = "some items could not be read"})));
  }
  return std::move(outcome.items);
}

// Reads the parts of a record and puts its lists back.
Result<void> FetchParts(const SessionStoreCore& core, Record& record) {
  std::vector<Item> parts;
  for (std::optional<Item>& part : TRY(ReadItems(core, PartKeysOf(record.stored.item)))) {
    if (part) {
      parts.push_back(*std::move(part));
    }
  }
  Item whole = record.stored.item;
  TRY_VOID(JoinParts(std::move(parts), whole));
  record.value = ValueOf(whole);
  return {};
}

Result<std::optional<Record>> FindRecordOnce(const SessionState& state, const KindSpec& kind,
                                             std::string_view id, bool whole) {
  const SessionStoreCore& core = *state.core;
  std::vector<std::optional<Item>> found =
      TRY(ReadItems(core, {core.MetaKey(state.id), core.MakeKey(state.id, SortKeyOf(kind, id))}));
  if (!found[0]) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  const Meta meta = ParseMeta(*found[0]);
  TRY_VOID(CheckMeta(state, meta));
  if (!found[1] || !IsVisible(core, kind, meta, *found[1])) {
    return std::nullopt;
  }
  Record record = DecodeRecord(kind, id, core.items.versioning().Read(*std::move(found[1])));
  if (whole && HasParts(record.stored.item)) {
    TRY_VOID(FetchParts(core, record));
  }
  return record;
}

// The parts of a partition by the spill id that their key names.
using PartsById = std::map<std::string, std::vector<Item>, std::less<>>;

std::string SpillIdOf(const RecordKey& key) {
  return key.rest.substr(0, key.rest.find('#'));
}

// Decodes what a query found, hiding what readers may not see.
class Gathering {
 public:
  Gathering(const SessionState& state, const Meta& meta) : state_(&state), meta_(&meta) {}

  void Take(Item item) {
    const std::string sort_key = TextOf(item, kSortKey);
    const KindSpec* kind = state_->core->workflow.FindKindOfKey(sort_key);
    if (kind == nullptr) {
      unknown_.push_back(std::move(item));
      return;
    }
    const RecordKey key = ParseSortKey(*kind, sort_key);
    if (key.role == KeyRole::kPart) {
      parts_[SpillIdOf(key)].push_back(std::move(item));
    } else if (!IsVisible(*state_->core, *kind, *meta_, item)) {
      ++hidden_;
    } else if (key.role == KeyRole::kRecord) {
      records_.push_back(
          DecodeRecord(*kind, key.id, state_->core->items.versioning().Read(std::move(item))));
    }
  }

  Result<std::vector<Record>> Records() {
    for (Record& record : records_) {
      if (!HasParts(record.stored.item)) {
        continue;
      }
      Item whole = record.stored.item;
      const auto parts = parts_.extract(TextOf(whole, kSpillId));
      // A query of several pages may have met the parts of another moment.
      if (parts.empty() || !JoinParts(parts.mapped(), whole)) {
        const KindSpec& kind = *state_->core->workflow.FindKind(record.kind);
        record = TRY(ReadRecord(*state_, kind, record.id));
      } else {
        record.value = ValueOf(whole);
      }
    }
    return std::move(records_);
  }

  std::vector<Item> TakeUnknown() { return std::move(unknown_); }
  [[nodiscard]] std::size_t hidden() const { return hidden_ + parts_.size(); }

 private:
  const SessionState* state_;
  const Meta* meta_;
  std::vector<Record> records_;
  std::vector<Item> unknown_;
  PartsById parts_;
  std::size_t hidden_ = 0;
};

Result<std::vector<Item>> QueryPartition(const SessionState& state,
                                         const patterns::Condition& sort) {
  const SessionStoreCore& core = *state.core;
  Result<patterns::LivePage> page = core.live.Query(
      core.partition,
      {.partition = core.PartitionOf(state.id), .sort = sort, .include_expired = true});
  if (!page) {
    return std::unexpected(FromRead(core, std::move(page).error()));
  }
  return std::move(page->items);
}

}  // namespace

bool IsVisible(const SessionStoreCore& core, const KindSpec& kind, const Meta& meta,
               const Item& item) {
  return EpochOfItem(item) == meta.EpochOf(kind.step) && !item.contains(kBuilding) &&
         !patterns::IsExpired(item, core.layout, core.Now());
}

Result<std::optional<Record>> FindRecord(const SessionState& state, const KindSpec& kind,
                                         std::string_view id, bool whole) {
  TRY_VOID(CheckRecordId(id));  // it could be the key of an item or a part
  // A reader that met a writer between record and parts reads again.
  return patterns::RetryWhile(
      state.core->options.retry, state.core->environment,
      [&] { return FindRecordOnce(state, kind, id, whole); },
      [](const Error& error) { return error.code == ErrorCode::kConflict; });
}

Result<Record> ReadRecord(const SessionState& state, const KindSpec& kind, std::string_view id) {
  std::optional<Record> record = TRY(FindRecord(state, kind, id));
  if (!record) {
    return Fail(ErrorCode::kNotFound, "there is no such record");
  }
  return *std::move(record);
}

Result<Record> Session::Meta() const {
  const SessionStoreCore& core = *state_->core;
  const Result<std::optional<Item>> item = core.live.Get(core.layout, core.MetaKey(state_->id));
  if (!item) {
    return std::unexpected(FromRead(core, item.error()));
  }
  if (!*item) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  TRY_VOID(CheckMeta(*state_, ParseMeta(**item)));
  return DecodeMeta(core.workflow.spec().machine, state_->id, core.items.versioning().Read(**item));
}

Result<Record> Session::Get(std::string_view kind, std::string_view id) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  return ReadRecord(*state_, *spec, id);
}

Result<std::vector<Record>> Session::List(std::string_view kind) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  std::vector<Item> items =
      TRY(QueryPartition(*state_, Attribute(kSortKey).BeginsWith(spec->prefix)));
  const sessions::Meta meta = TRY(ReadMeta(*state_));
  Gathering gathering(*state_, meta);
  for (Item& item : items) {
    gathering.Take(std::move(item));
  }
  return gathering.Records();
}

Result<std::size_t> Session::Count(std::string_view kind) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const SessionStoreCore& core = *state_->core;
  const sessions::Meta meta = TRY(ReadMeta(*state_));
  std::size_t count = 0;
  const Result<void> done = core.live.ForEach(
      core.partition,
      {.partition = core.PartitionOf(state_->id),
       .sort = Attribute(kSortKey).BeginsWith(spec->prefix),
       .attributes = {kEpoch, kBuilding}},
      [&](const Item& item) {
        const RecordKey key = ParseSortKey(*spec, TextOf(item, kSortKey));
        count += key.role == KeyRole::kRecord && IsVisible(core, *spec, meta, item) ? 1 : 0;
        return true;
      });
  if (!done) {
    return std::unexpected(FromRead(core, done.error()));
  }
  return count;
}

Result<Record> Session::Latest(std::string_view kind) const {
  const KindSpec* spec = TRY(state_->core->Kind(kind));
  const Record meta = TRY(Meta());
  const Map* latest = FindMap(meta.stored.item, kLatest);
  const std::string id = latest == nullptr ? std::string() : TextOf(*latest, kind);
  if (id.empty()) {
    return Fail(ErrorCode::kNotFound, "there is no record of that kind");
  }
  return ReadRecord(*state_, *spec, id);
}

Result<Summary> Session::Load() const {
  const SessionStoreCore& core = *state_->core;
  std::vector<Item> items = TRY(QueryPartition(*state_, {}));
  const auto own = std::find_if(items.begin(), items.end(), [](const Item& item) {
    return TextOf(item, kSortKey) == kMetaKey;
  });
  if (own == items.end()) {
    return Fail(ErrorCode::kNotFound, "there is no such session");
  }
  const sessions::Meta meta = ParseMeta(*own);
  TRY_VOID(CheckMeta(*state_, meta));
  Summary summary{.session = DecodeMeta(core.workflow.spec().machine, state_->id,
                                        core.items.versioning().Read(std::move(*own)))};
  items.erase(own);
  Gathering gathering(*state_, meta);
  for (Item& item : items) {
    gathering.Take(std::move(item));
  }
  summary.records = TRY(gathering.Records());
  summary.unknown = gathering.TakeUnknown();
  summary.hidden = gathering.hidden();
  return summary;
}

}  // namespace stator::sessions
