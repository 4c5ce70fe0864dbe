#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/index_rows.h"
#include "stores/events/indexer.h"
#include "stores/events/log_items.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/seed_view.h"

namespace stator::events {
namespace {

constexpr std::size_t kProblemsShown = 100;
constexpr std::size_t kRowsPerBatch = 100;

// Walks the log from its beginning and computes everything else anew.
class Verification {
 public:
  explicit Verification(EventStore& store) : store_(&store), core_(&EventStoreCoreOf(store)) {}

  Result<VerifyReport> Run() {
    TRY_VOID(core_->log.Refresh(/*consistent=*/true));
    mark_ = TRY(ReadMark(*core_, MarkKind::kIndex));
    view_ = TRY(ReadMark(*core_, MarkKind::kView));
    walk_.Configure(core_->genesis.chunk);
    walk_.Reset({.place = {.id = core_->genesis.id}});
    TRY_VOID(Walk());
    TRY_VOID(CheckRows());
    TRY_VOID(CheckTags());
    return std::move(report_);
  }

 private:
  void Problem(std::string text) {
    ++report_.problem_count;
    if (report_.problems.size() < kProblemsShown) {
      report_.problems.push_back(std::move(text));
    }
  }

  Result<void> Walk() {
    constexpr std::uint64_t kSlotsAtOnce = 32;
    while (true) {
      std::vector<std::uint64_t> numbers;
      for (std::uint64_t index = 1; index <= kSlotsAtOnce; ++index) {
        numbers.push_back(walk_.settled().slot + index);
      }
      const std::vector<std::shared_ptr<Slot>> slots =
          TRY(ReadSlots(*core_, numbers, /*consistent=*/true, /*up_to_a_hole=*/true));
      for (const std::shared_ptr<Slot>& slot : slots) {
        TRY_VOID(CheckSlot(slot));
      }
      if (slots.size() < numbers.size()) {
        break;
      }
    }
    if (walk_.settled().slot < mark_.place.slot) {
      Problem("the log ends at slot " + std::to_string(walk_.settled().slot) +
              ", before the mark of its index");
    }
    return {};
  }

  Result<void> CheckSlot(const SlotPointer& slot) {
    const ChainPlace before = walk_.settled();
    const bool valid = slot->prev == before.id;
    walk_.Fold(slot);
    if (!valid) {
      ++report_.void_slots;
      return {};
    }
    if (slot->first_position != before.position + 1) {
      Problem("slot " + std::to_string(slot->number) + " has position " +
              std::to_string(slot->first_position) + " instead of " +
              std::to_string(before.position + 1));
    }
    SortableId last = before.hi;
    for (const Event& event : slot->events) {
      ++report_.events;
      if (event.sortable_id <= last) {
        Problem("event " + event.id + " does not sort behind the one before it");
      }
      last = event.sortable_id;
      CheckPayload(event);
      for (const std::string& tag : event.tags) {
        ++report_.tag_rows;
        Totals& totals = tags_[tag];
        if (totals.events++ == 0) {
          totals.first = event.sortable_id;
        }
        totals.last = event.sortable_id;
        totals.last_event_id = event.id;
        if (IsInView(*slot)) {
          tag_keys_.push_back(core_->keys.TagRow(tag, event.sortable_id.ToText(), event.id));
        }
      }
      if (IsInView(*slot)) {
        event_keys_.push_back(core_->keys.Event(event.id));
      }
    }
    if (tag_keys_.size() + event_keys_.size() >= kRowsPerBatch) {
      TRY_VOID(CheckRows());
    }
    return walk_.complete_chunks() > 0 ? CheckChunk() : Result<void>();
  }

  void CheckPayload(const Event& event) {
    const bool in_blob = !event.payload_key.empty();
    if ((!in_blob && event.subject.empty()) || (in_blob && core_->options.blobs == nullptr)) {
      return;
    }
    Event whole = event;
    if (const auto loaded = LoadPayload(*core_, whole); !loaded) {
      Problem("the payload of event " + event.id + " cannot be read: " + loaded.error().message);
    }
  }

  // Rows with a time to live may be gone.
  [[nodiscard]] bool IsInView(const Slot& slot) const {
    return slot.number <= view_.place.slot && !core_->options.view_ttl;
  }

  Result<void> CheckChunk() {
    const std::optional<Chunk> chunk = walk_.FirstChunk();
    if (chunk->end.place.slot > mark_.place.slot) {
      return {};
    }
    IndexRows rows = TRY(MakeIndexRows(
        *core_, *chunk, [&](const BlockName& name) { return Result<Totals>(totals_[name]); }));
    for (auto& [name, totals] : rows.totals) {
      totals_[name] = std::move(totals);
    }
    for (const auto& [name, item] : rows.entries) {
      rows.tags_table.push_back(item);
    }
    TRY_VOID(Compare(core_->events_table, rows.events_table));
    TRY_VOID(Compare(core_->tags_table, rows.tags_table));
    static_cast<void>(walk_.Trim(chunk->end));
    return {};
  }

  static Item KeyOf(const Item& item) { return {{"pk", item.at("pk")}, {"sk", item.at("sk")}}; }
  static std::string NameOf(const Item& item) {
    return *item.at("pk").If<std::string>() + " " + *item.at("sk").If<std::string>();
  }

  Result<std::vector<std::optional<Item>>> ReadAll(const patterns::TableLayout& table,
                                                   const std::vector<Item>& keys) {
    patterns::BatchReadOutcome outcome =
        patterns::BatchReader(*core_->database, core_->MakeReadOptions(), core_->environment)
            .Read(table, keys);
    if (!outcome.complete()) {
      return std::unexpected(outcome.error.value_or(
          Error{.code = ErrorCode::kUnavailable, .message = "rows could not be read"}));
    }
    return std::move(outcome.items);
  }

  Result<void> Compare(const patterns::TableLayout& table, const std::vector<Item>& rows) {
    std::vector<Item> keys;
    keys.reserve(rows.size());
    for (const Item& row : rows) {
      keys.push_back(KeyOf(row));
    }
    const std::vector<std::optional<Item>> items = TRY(ReadAll(table, keys));
    for (std::size_t index = 0; index < rows.size(); ++index) {
      if (!items[index]) {
        Problem("the index lacks " + NameOf(rows[index]));
      } else if (*items[index] != rows[index]) {
        Problem("the index has something else at " + NameOf(rows[index]));
      }
    }
    return {};
  }

  Result<void> CheckRows() {
    for (const auto& [table, keys] : {std::pair{&core_->events_table, &event_keys_},
                                      std::pair{&core_->tags_table, &tag_keys_}}) {
      if (keys->empty()) {
        continue;
      }
      const std::vector<std::optional<Item>> items = TRY(ReadAll(*table, *keys));
      for (std::size_t index = 0; index < keys->size(); ++index) {
        if (!items[index]) {
          Problem("there is no row " + NameOf((*keys)[index]));
        }
      }
      keys->clear();
    }
    return {};
  }

  // What the store answers about its tags.
  Result<void> CheckTags() {
    std::set<std::string> listed;
    for (const TagInfo& tag : TRY(store_->ListTags())) {
      ++report_.tags;
      listed.insert(tag.tag);
      const Totals said{.events = tag.events,
                        .first = tag.first,
                        .last = tag.last,
                        .last_event_id = tag.last_event_id};
      const auto expected = tags_.find(tag.tag);
      if (expected == tags_.end() || expected->second != said) {
        Problem("tag " + tag.tag + " is said to have " + std::to_string(tag.events) +
                " events; there are " +
                std::to_string(expected == tags_.end() ? 0 : expected->second.events));
      }
    }
    for (const auto& [tag, totals] : tags_) {
      if (!listed.contains(tag)) {
        Problem("tag " + tag + " is not listed");
      }
    }
    return {};
  }

  EventStore* store_;
  EventStoreCore* core_;
  VerifyReport report_;
  Mark mark_;
  Mark view_;
  Tail walk_;
  std::map<BlockName, Totals> totals_;  // at the end of the last chunk that was checked
  std::map<std::string, Totals> tags_;  // of everything
  std::vector<Item> event_keys_;        // to be looked for
  std::vector<Item> tag_keys_;
};

}  // namespace

Result<VerifyReport> VerifyEvents(EventStore& store) {
  return Verification(store).Run();
}

}  // namespace stator::events
