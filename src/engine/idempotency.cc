#include "engine/idempotency.h"

#include <utility>

#include "base/check.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/job_calls.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/token_row.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kValiditySeconds =
    std::chrono::duration_cast<std::chrono::seconds>(limits::kClientRequestTokenValidity).count();

AttributeValue Text(const std::optional<std::string>& text) {
  return text ? AttributeValue(*text) : AttributeValue(Null{});
}

// The parts that all actions have. Built as values, because values have one encoding.
template <class Action>
Map Common(const char* kind, const Action& action) {
  Map names;
  if (action.expression_attribute_names) {
    for (const auto& [placeholder, name] : *action.expression_attribute_names) {
      names.Set(placeholder, name);
    }
  }
  return Map{{"kind", kind},
             {"table", action.table_name},
             {"names", std::move(names)},
             {"values", action.expression_attribute_values.value_or(Map())},
             {"on_failure", static_cast<int>(action.return_values_on_condition_check_failure)}};
}

Map Describe(const TransactConditionCheck& check) {
  Map map = Common("check", check);
  map.Set("key", check.key);
  map.Set("condition", check.condition_expression);
  return map;
}

Map Describe(const TransactPut& put) {
  Map map = Common("put", put);
  map.Set("item", put.item);
  map.Set("condition", Text(put.condition_expression));
  return map;
}

Map Describe(const TransactDelete& deletion) {
  Map map = Common("delete", deletion);
  map.Set("key", deletion.key);
  map.Set("condition", Text(deletion.condition_expression));
  return map;
}

Map Describe(const TransactUpdate& update) {
  Map map = Common("update", update);
  map.Set("key", update.key);
  map.Set("update", update.update_expression);
  map.Set("condition", Text(update.condition_expression));
  return map;
}

// Forgets one entry of the queue, and its token unless that was used again after its time: then its
// row is good for longer.
Result<void> ForgetToken(const std::string& queue_key, const keyspace::TokenExpiryKey& entry,
                         WriterView& view, PendingWrite& write) {
  write.batch.Delete(queue_key);
  std::string token_key;
  keyspace::AppendTokenKey(entry.token, token_key);
  WriterView::Value value;
  if (TRY(view.Read(token_key, value))) {
    if (TRY(keyspace::DecodeTokenRow(value.view())).until == entry.seconds) {
      write.DeleteRow(token_key);
    }
  }
  return {};
}

}  // namespace

std::uint64_t TokenLock(const std::string& token) {
  CHECK_THAT(!token.empty(), "all requests without a token would be one");
  std::string key;
  keyspace::AppendTokenKey(token, key);
  return KeyTable::HashOf(key);
}

std::string RequestDigest(const TransactWriteItemsInput& input) {
  std::string bytes;
  for (const TransactWriteItem& action : input.transact_items) {
    value::AppendItem(std::visit([](const auto& each) { return Describe(each); }, action), bytes);
  }
  return base::Sha256(bytes);
}

Result<TokenState> LookUpToken(const EngineCore& core, const std::string& token,
                               const std::string& digest, WriterView& view) {
  CHECK(digest.size() == keyspace::kTokenDigestBytes);
  std::string key;
  keyspace::AppendTokenKey(token, key);
  WriterView::Value value;
  if (!TRY(view.Read(key, value))) {
    return TokenState::kNew;
  }
  const keyspace::TokenRow row = TRY(keyspace::DecodeTokenRow(value.view()));
  if (row.until < EpochSeconds(core.clock.Now())) {
    return TokenState::kNew;
  }
  if (row.digest != digest) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "The request uses the same client token as a previous, but non-identical request. "
                "Do not reuse a client token with different requests, unless the requests are "
                "identical");
  }
  return TokenState::kFinished;
}

void RememberToken(const EngineCore& core, const std::string& token, const std::string& digest,
                   PendingWrite& write) {
  CHECK(!token.empty() && digest.size() == keyspace::kTokenDigestBytes);
  const std::int64_t until = EpochSeconds(core.clock.Now()) + kValiditySeconds;
  std::string key;
  keyspace::AppendTokenKey(token, key);
  std::string row;
  keyspace::AppendTokenRow({.until = until, .digest = digest}, row);
  write.PutRow(key, row);
  key.clear();
  keyspace::AppendTokenExpiryKey(until, token, key);
  write.batch.Put(key, "");
}

Result<std::size_t> ForgetOldTokens(EngineCore& core, std::size_t limit) {
  std::string end;
  keyspace::AppendTokenExpiryPrefix(EpochSeconds(core.clock.Now()), end);
  const std::string begin = keyspace::KindPrefix(keyspace::KeyKind::kTokenExpiry);
  std::vector<std::string> queue_keys;
  {
    storage::Cursor cursor = core.store->NewCursor(nullptr, begin, end);
    for (cursor.SeekToFirst(); cursor.Valid() && queue_keys.size() < limit; cursor.Next()) {
      queue_keys.emplace_back(cursor.key());
    }
    TRY_VOID(cursor.status());
  }
  JobCalls calls(core);
  for (const std::string& queue_key : queue_keys) {
    keyspace::TokenExpiryKey entry = TRY(keyspace::DecodeTokenExpiryKey(queue_key));
    const std::uint64_t lock = TokenLock(entry.token);
    calls.Begin({lock},
                [&queue_key, entry = std::move(entry)](WriterView& view, PendingWrite& write) {
                  return ForgetToken(queue_key, entry, view, write);
                });
  }
  TRY_VOID(calls.Await());
  return queue_keys.size();
}

}  // namespace stator::engine
