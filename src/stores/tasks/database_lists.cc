// Listing and counting in the table: over the indexes, or over all records of the owner when the
// table has none.

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/stream_tail.h"
#include "stator/stores/tasks/database_backend.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

std::string Text(std::string_view text) {
  return std::string(text);
}

bool IsYounger(const VersionedHead& left, const VersionedHead& right) {
  return std::tie(left.created_at, left.key.task) > std::tie(right.created_at, right.key.task);
}

// Whether an item of the table counts, also one that the crate wrote.
bool IsActive(const Item& item, std::int64_t now_seconds) {
  const std::optional<std::int64_t> expires_at = NumberAttribute(item, kExpiresAt);
  if (expires_at && *expires_at <= now_seconds) {
    return false;
  }
  if (item.contains(kHead)) {
    return item.contains(kActiveKey);
  }
  const Result<TaskRecord> record = DecodeRecord(TextAttribute(item, kData).value_or(""));
  return record && !IsTerminal(record->task.status);
}

}  // namespace

Result<std::vector<Item>> DatabaseBackend::ReadAllItems(std::string_view owner) {
  QueryInput input{
      .table_name = options_.table,
      .key_condition_expression = "#p = :p AND begins_with(#s, :s)",
      .expression_attribute_names =
          AttributeNames{{"#p", Text(kPartitionKey)}, {"#s", Text(kSortKey)}},
      .expression_attribute_values = Map{{":p", PartitionKeyOf(owner)}, {":s", SortKeyOf("")}},
      .consistent_read = true};
  std::vector<Item> items;
  do {
    Result<QueryOutput> page = database_.Query(input);
    if (!page) {
      return std::unexpected(Failed(page.error()));
    }
    if (page->items) {
      std::ranges::move(*page->items, std::back_inserter(items));
    }
    input.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (input.exclusive_start_key);
  return items;
}

Result<HeadPage> DatabaseBackend::ListOwner(std::string_view owner,
                                            const std::optional<ListPosition>& after,
                                            std::size_t limit) {
  TRY_VOID(CheckKey({.owner = Text(owner), .task = {}}));
  HeadPage page;
  if (!TRY(HasIndexes())) {
    for (const Item& item : TRY(ReadAllItems(owner))) {
      std::optional<VersionedHead> head = HeadOf(item);
      if (head && (!after || std::tie(head->created_at, head->key.task) <
                                 std::tie(after->created_at, after->task))) {
        page.heads.push_back(*std::move(head));
      }
    }
    std::ranges::sort(page.heads, IsYounger);
    page.more = page.heads.size() > limit;
    page.heads.resize(std::min(page.heads.size(), limit));
    return page;
  }
  QueryInput input{.table_name = options_.table,
                   .index_name = Text(kByCreated),
                   .key_condition_expression = after ? "#p = :p AND #c < :c" : "#p = :p",
                   .expression_attribute_names = AttributeNames{{"#p", Text(kPartitionKey)}},
                   .expression_attribute_values = Map{{":p", PartitionKeyOf(owner)}},
                   .scan_index_forward = false,
                   .consistent_read = true};
  if (after) {
    (*input.expression_attribute_names)["#c"] = Text(kCreatedKey);
    input.expression_attribute_values->Set(":c", CreatedKeyOf(after->created_at, after->task));
  }
  do {
    input.limit = static_cast<std::int32_t>(limit - page.heads.size());
    Result<QueryOutput> output = database_.Query(input);
    if (!output) {
      return std::unexpected(Failed(output.error()));
    }
    for (const Item& item : output->items.value_or(std::vector<Item>())) {
      if (std::optional<VersionedHead> head = HeadOf(item)) {
        page.heads.push_back(*std::move(head));
      }
    }
    input.exclusive_start_key = std::move(output->last_evaluated_key);
    page.more = input.exclusive_start_key.has_value();
  } while (page.more && page.heads.size() < limit);
  return page;
}

Result<std::size_t> DatabaseBackend::CountActive(std::string_view owner, std::int64_t now_seconds,
                                                 std::size_t enough) {
  TRY_VOID(CheckKey({.owner = Text(owner), .task = {}}));
  if (!TRY(HasIndexes())) {
    const std::vector<Item> items = TRY(ReadAllItems(owner));
    const auto count =
        std::ranges::count_if(items, [&](const Item& item) { return IsActive(item, now_seconds); });
    return std::min(static_cast<std::size_t>(count), enough);
  }
  QueryInput input{
      .table_name = options_.table,
      .index_name = Text(kByActive),
      .key_condition_expression = "#p = :p",
      .filter_expression = "attribute_not_exists(#e) OR #e > :now",
      .expression_attribute_names =
          AttributeNames{{"#p", Text(kPartitionKey)}, {"#e", Text(kExpiresAt)}},
      .expression_attribute_values = Map{{":p", PartitionKeyOf(owner)}, {":now", now_seconds}},
      .consistent_read = true,
      .select = Select::kCount};
  std::size_t count = 0;
  do {
    Result<QueryOutput> page = database_.Query(input);
    if (!page) {
      return std::unexpected(Failed(page.error()));
    }
    count += static_cast<std::size_t>(page->count);
    input.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (input.exclusive_start_key && count < enough);
  return std::min(count, enough);
}

namespace {

class StreamFeed final : public ChangeFeed {
 public:
  explicit StreamFeed(std::unique_ptr<patterns::StreamTail> tail) : tail_(std::move(tail)) {}

  Result<Changes> Poll() override {
    Changes changes;
    changes.missed = TRY(tail_->Poll([&](const StreamRecord& record) {
      if (std::optional<RecordKey> key = RecordKeyOf(record.keys)) {
        changes.records.push_back(*std::move(key));
      }
    }));
    return changes;
  }

 private:
  const std::unique_ptr<patterns::StreamTail> tail_;
};

}  // namespace

Result<std::unique_ptr<ChangeFeed>> DatabaseBackend::Follow() {
  Result<std::unique_ptr<patterns::StreamTail>> tail =
      patterns::StreamTail::Open(database_, options_.table, options_.retry, environment_);
  if (!tail) {
    return std::unexpected(Failed(tail.error()));
  }
  if (!*tail) {
    return nullptr;
  }
  return std::make_unique<StreamFeed>(*std::move(tail));
}

}  // namespace stator::tasks
