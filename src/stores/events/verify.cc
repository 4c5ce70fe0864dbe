#include <map>
#include <set>
#include <utility>

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/heads.h"
#include "stores/events/keys.h"

namespace stator::events {
namespace {

constexpr std::size_t kProblemsShown = 100;
constexpr std::size_t kRowsPerBatch = 100;

class Verification {
 public:
  explicit Verification(EventStore& store) : store_(&store), keys_(store.options().service_id) {}

  Result<VerifyReport> Run() {
    TRY_VOID(ReadEvents());
    TRY_VOID(CheckRows());
    TRY_VOID(CheckTagHeads());
    TRY_VOID(CheckOtherHeads());
    return std::move(report_);
  }

 private:
  // What the events say that a head must be.
  struct Expected {
    std::uint64_t events = 0;
    SortableId first;
    SortableId last;
  };

  void Problem(std::string text) {
    ++report_.problem_count;
    if (report_.problems.size() < kProblemsShown) {
      report_.problems.push_back(std::move(text));
    }
  }

  void Count(const HeadKey& key, const Event& event) {
    Expected& expected = expected_[key];
    if (expected.events++ == 0) {
      expected.first = event.sortable_id;
    }
    expected.last = event.sortable_id;
  }

  Result<void> ReadEvents() {
    EventStream stream = TRY(store_->Read());
    SortableId last;
    while (const std::optional<Event> event = TRY(stream.Next())) {
      ++report_.events;
      if (event->sortable_id <= last) {
        Problem("event " + event->id + " does not sort behind the one before it");
      }
      last = event->sortable_id;
      if (store_->recorded().global_head && event->position != report_.events) {
        Problem("event " + event->id + " has position " + std::to_string(event->position) +
                " instead of " + std::to_string(report_.events));
      }
      Count(HeadKey::All(), *event);
      Count(HeadKey::OfType(event->type), *event);
      for (const std::string& tag : event->tags) {
        Count(HeadKey::OfTag(tag), *event);
        rows_.push_back({{"pk", keys_.TagPartition(tag)},
                         {"sk", event->sortable_id.ToText() + "#" + event->id}});
      }
      if (rows_.size() >= kRowsPerBatch) {
        TRY_VOID(CheckRows());
      }
    }
    return {};
  }

  // Every tag of an event has its row.
  Result<void> CheckRows() {
    if (rows_.empty()) {
      return {};
    }
    const patterns::TableLayout table{.table_name = store_->options().tags_table_name,
                                      .key_attributes = {"pk", "sk"}};
    const patterns::BatchReadOutcome outcome =
        patterns::BatchReader(store_->database(), {}, store_->environment())
            .Read(table, rows_, {.attributes = {"pk", "sk"}});
    if (!outcome.complete()) {
      return std::unexpected(outcome.error.value_or(
          Error{.code = ErrorCode::kUnavailable, .message = "rows could not be read"}));
    }
    for (std::size_t index = 0; index < rows_.size(); ++index) {
      if (!outcome.items[index]) {
        Problem("there is no row " + *rows_[index].at("pk").If<std::string>() + " " +
                *rows_[index].at("sk").If<std::string>());
      }
    }
    rows_.clear();
    return {};
  }

  void Compare(const std::string& what, const Expected& expected, std::uint64_t events,
               SortableId first, SortableId last) {
    if (expected.events != events || expected.first != first || expected.last != last) {
      Problem("the head of " + what + " says " + std::to_string(events) + " events from " +
              first.ToText() + " to " + last.ToText() + "; there are " +
              std::to_string(expected.events) + " from " + expected.first.ToText() + " to " +
              expected.last.ToText());
    }
  }

  Result<void> CheckTagHeads() {
    std::set<std::string> listed;
    const std::vector<TagInfo> tags = TRY(store_->ListTags());
    for (const TagInfo& tag : tags) {
      listed.insert(tag.tag);
      ++report_.tags;
      const auto expected = expected_.find(HeadKey::OfTag(tag.tag));
      Compare("tag " + tag.tag, expected == expected_.end() ? Expected{} : expected->second,
              tag.events, tag.first, tag.last);
      const std::size_t rows = TRY(store_->ListTagRows(tag.tag)).size();
      report_.tag_rows += rows;
      if (expected != expected_.end() && rows != expected->second.events) {
        Problem("tag " + tag.tag + " has " + std::to_string(rows) + " rows for " +
                std::to_string(expected->second.events) + " events");
      }
    }
    for (const auto& [key, expected] : expected_) {
      if (key.kind == HeadKey::Kind::kTag && !listed.contains(key.name)) {
        Problem("tag " + key.name + " is not listed or has no head");
      }
    }
    return {};
  }

  Result<void> CheckOtherHeads() {
    for (const auto& [key, expected] : expected_) {
      const bool wanted = key.kind == HeadKey::Kind::kAll    ? store_->recorded().global_head
                          : key.kind == HeadKey::Kind::kType ? store_->recorded().type_heads
                                                             : false;
      if (!wanted) {
        continue;
      }
      const GetItemOutput output =
          TRY(store_->database().GetItem({.table_name = store_->options().tags_table_name,
                                          .key = keys_.Head(key),
                                          .consistent_read = true}));
      const std::string what = key.kind == HeadKey::Kind::kAll ? "everything" : "type " + key.name;
      if (!output.item) {
        Problem("there is no head of " + what);
        continue;
      }
      const Head head = TRY(DecodeHead(*output.item));
      Compare(what, expected, head.events, head.first, head.last);
    }
    return {};
  }

  EventStore* store_;
  Keys keys_;
  VerifyReport report_;
  std::map<HeadKey, Expected> expected_;
  std::vector<Item> rows_;  // keys to be looked for
};

}  // namespace

Result<VerifyReport> VerifyEvents(EventStore& store) {
  return Verification(store).Run();
}

}  // namespace stator::events
