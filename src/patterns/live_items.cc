#include "stator/patterns/live_items.h"

#include <iterator>
#include <utility>

#include "patterns/projection.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

namespace {

QueryInput MakeQuery(const AccessPattern& pattern, const LiveQuery& query, TimePoint now) {
  Placeholders placeholders;
  QueryInput input{.table_name = pattern.table.table_name, .index_name = pattern.index_name};
  input.key_condition_expression =
      placeholders.Compile(Attribute(pattern.partition_key) == query.partition && query.sort);
  const Condition live = query.include_expired ? Condition() : NotExpired(pattern.table, now);
  input.filter_expression = placeholders.Compile(live && query.filter);
  input.projection_expression = placeholders.Compile(ProjectionOf(pattern.table, query.attributes));
  placeholders.Fill(input);
  input.scan_index_forward = query.forward;
  input.exclusive_start_key = query.start_after;
  input.consistent_read = query.consistent_read && (!pattern.index_name || pattern.local_index);
  return input;
}

}  // namespace

LiveItems::LiveItems(Database& database, LiveOptions options, Environment environment)
    : database_(&database), options_(options), environment_(environment) {}

Result<std::optional<Item>> LiveItems::Get(const TableLayout& table, const Item& key,
                                           const GetOptions& options) const {
  Result<GetItemOutput> output = RetryTransient(options_.retry, environment_, [&] {
    return database_->GetItem(
        {.table_name = table.table_name, .key = key, .consistent_read = options.consistent_read});
  });
  if (!output) {
    return std::unexpected(std::move(output).error());
  }
  std::optional<Item> item = std::move(output->item);
  if (item && !options.include_expired && IsExpired(*item, table, environment_.clock->Now())) {
    return std::nullopt;
  }
  return item;
}

Result<std::vector<std::optional<Item>>> LiveItems::GetTogether(const TableLayout& table,
                                                                const std::vector<Item>& keys,
                                                                const GetOptions& options) const {
  TransactGetItemsInput input{.transact_items = {}};
  for (const Item& key : keys) {
    input.transact_items.push_back({.table_name = table.table_name, .key = key});
  }
  // A canceled read was in the way of a write; reading again is always safe.
  Result<TransactGetItemsOutput> output = RetryWhile(
      options_.retry, environment_, [&] { return database_->TransactGetItems(input); },
      [](const Error& error) {
        return IsTransient(error.code) || error.code == ErrorCode::kTransactionCanceled;
      });
  if (!output) {
    return std::unexpected(std::move(output).error());
  }
  const TimePoint now = environment_.clock->Now();
  for (std::optional<Item>& item : output->responses) {
    if (item && !options.include_expired && IsExpired(*item, table, now)) {
      item.reset();
    }
  }
  return std::move(output->responses);
}

Result<LivePage> LiveItems::QueryOnce(const AccessPattern& pattern, const LiveQuery& query) const {
  const TimePoint now = environment_.clock->Now();
  QueryInput input = MakeQuery(pattern, query, now);
  if (query.limit) {
    input.limit = static_cast<std::int32_t>(std::min<std::size_t>(*query.limit, 1'000'000));
  }
  Result<QueryOutput> output =
      RetryTransient(options_.retry, environment_, [&] { return database_->Query(input); });
  if (!output) {
    return std::unexpected(std::move(output).error());
  }
  LivePage page{.next = std::move(output->last_evaluated_key)};
  std::vector<Item> found = std::move(output->items).value_or(std::vector<Item>());
  for (Item& item : found) {
    if (query.include_expired || !IsExpired(item, pattern.table, now)) {
      page.items.push_back(std::move(item));
    }
  }
  return page;
}

Result<LivePage> LiveItems::Query(const AccessPattern& pattern, const LiveQuery& query) const {
  LivePage page;
  const TimePoint now = environment_.clock->Now();
  QueryInput input = MakeQuery(pattern, query, now);
  do {
    if (query.limit) {
      if (page.items.size() >= *query.limit) {
        page.next = std::move(input.exclusive_start_key);
        return page;
      }
      // Enough of those that are looked at; expired ones among them make another call.
      input.limit = static_cast<std::int32_t>(
          std::min<std::size_t>(*query.limit - page.items.size(), 1'000'000));
    }
    Result<QueryOutput> output =
        RetryTransient(options_.retry, environment_, [&] { return database_->Query(input); });
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    std::vector<Item> found = std::move(output->items).value_or(std::vector<Item>());
    for (Item& item : found) {
      if (query.include_expired || !IsExpired(item, pattern.table, now)) {
        page.items.push_back(std::move(item));
      }
    }
    input.exclusive_start_key = std::move(output->last_evaluated_key);
  } while (input.exclusive_start_key);
  return page;
}

Result<void> LiveItems::ForEach(const AccessPattern& pattern, const LiveQuery& query,
                                const std::function<bool(Item)>& take) const {
  const TimePoint now = environment_.clock->Now();
  QueryInput input = MakeQuery(pattern, query, now);
  std::size_t left = query.limit.value_or(static_cast<std::size_t>(-1));
  do {
    Result<QueryOutput> output =
        RetryTransient(options_.retry, environment_, [&] { return database_->Query(input); });
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    std::vector<Item> found = std::move(output->items).value_or(std::vector<Item>());
    for (Item& item : found) {
      if (!query.include_expired && IsExpired(item, pattern.table, now)) {
        continue;
      }
      if (left-- == 0 || !take(std::move(item))) {
        return {};
      }
    }
    input.exclusive_start_key = std::move(output->last_evaluated_key);
  } while (input.exclusive_start_key && left > 0);
  return {};
}

Result<std::size_t> LiveItems::Count(const AccessPattern& pattern, LiveQuery query) const {
  std::size_t count = 0;
  query.attributes = pattern.table.key_attributes;
  Result<void> done = ForEach(pattern, query, [&](const Item&) {
    ++count;
    return true;
  });
  if (!done) {
    return std::unexpected(std::move(done).error());
  }
  return count;
}

}  // namespace stator::patterns
