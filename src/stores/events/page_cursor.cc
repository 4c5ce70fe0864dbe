#include "stores/events/page_cursor.h"

#include <algorithm>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stores/events/event_store_core.h"
#include "stores/events/read_retry.h"

namespace stator::events {
namespace {

using patterns::Attribute;
using patterns::Condition;

Condition InBounds(const std::string& attribute, const Bounds& bounds) {
  if (bounds.lower && bounds.upper) {
    return Attribute(attribute).Between(*bounds.lower, *bounds.upper);
  }
  if (bounds.lower) {
    return Attribute(attribute) >= *bounds.lower;
  }
  if (bounds.upper) {
    return Attribute(attribute) <= *bounds.upper;
  }
  return {};
}

}  // namespace

QueryInput MakeQuery(const PartitionRead& read) {
  patterns::Placeholders placeholders;
  QueryInput query{.table_name = read.table_name, .index_name = read.index_name};
  query.key_condition_expression =
      placeholders.Compile(Attribute(read.partition_attribute) == read.partition &&
                           InBounds(read.sort_attribute, read.bounds));
  placeholders.Fill(query);
  query.scan_index_forward = !read.backwards;
  query.consistent_read = read.consistent && !read.index_name;
  return query;
}

PageCursor::PageCursor(EventStoreCore& core, const PartitionRead& read)
    : core_(&core),
      query_(MakeQuery(read)),
      wanted_(read.wanted),
      page_max_(read.begins_small ? 1 : static_cast<std::uint64_t>(core.options.query_page_size)),
      done_(read.bounds.empty()) {
  if (core.options.on_read_progress) {
    query_.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  }
}

Result<void> PageCursor::Fill() {
  // A page can be empty and yet not be the last.
  while (next_ == page_.size() && !done_) {
    constexpr std::uint64_t kGrowth = 8;
    const auto size =
        std::min(page_max_, static_cast<std::uint64_t>(core_->options.query_page_size));
    page_max_ = size * kGrowth;
    // What was read is not wanted again; but what is asked for nevertheless is not read one by one.
    const std::uint64_t wanted =
        wanted_ && *wanted_ > items_read_ ? *wanted_ - items_read_ : wanted_.value_or(size);
    query_.limit = static_cast<std::int32_t>(std::max<std::uint64_t>(std::min(size, wanted), 1));
    QueryOutput output = TRY(RetryRead(*core_, [&] { return core_->database->Query(query_); }));
    page_ = std::move(output.items).value_or(std::vector<Item>());
    next_ = 0;
    items_read_ += page_.size();
    ++pages_read_;
    capacity_units_ += output.consumed_capacity ? output.consumed_capacity->capacity_units : 0;
    done_ = !output.last_evaluated_key.has_value();
    query_.exclusive_start_key = std::move(output.last_evaluated_key);
  }
  return {};
}

Result<const Item*> PageCursor::Peek() {
  TRY_VOID(Fill());
  return next_ == page_.size() ? nullptr : &page_[next_];
}

}  // namespace stator::events
