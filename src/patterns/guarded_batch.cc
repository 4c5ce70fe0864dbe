#include "stator/patterns/guarded_batch.h"

#include <utility>

#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

namespace {

constexpr char kToken[] = "guard_token";
constexpr char kState[] = "guard_state";
constexpr char kWriting[] = "writing";
constexpr char kDone[] = "done";

std::string TextOf(const Item* item, std::string_view name) {
  const AttributeValue* value = item == nullptr ? nullptr : item->Find(name);
  const std::string* text = value == nullptr ? nullptr : value->If<std::string>();
  return text == nullptr ? "" : *text;
}

}  // namespace

GuardedBatchOutcome WriteGuarded(Database& database, GuardedBatchInput input,
                                 const Environment& environment) {
  const TableLayout& table = input.guard_table;
  if (!table.expiry_attribute) {
    return {.state = GuardedBatchState::kFailed,
            .remaining = std::move(input.writes),
            .error = Error{ErrorCode::kValidation,
                           "a guard must expire, or a writer that vanished would block for ever"}};
  }
  const Clock& clock = *environment.clock;
  Item guard = input.guard_key;
  guard.Set(kToken, input.token);
  guard.Set(kState, kWriting);
  guard.Set(*table.expiry_attribute, Expiry::After(clock, input.lease).ToValue());
  const Condition free = Absent(table, clock.Now()) ||
                         (Attribute(kToken) == input.token && Attribute(kState) == kWriting);
  const PutItemInput take = MakePut(table.table_name, guard, free);
  const Result<PutItemOutput> taken =
      RetryTransient(input.batch.retry, environment, [&] { return database.PutItem(take); });
  if (!taken && taken.error().code != ErrorCode::kConditionFailed) {
    return {.state = GuardedBatchState::kFailed,
            .remaining = std::move(input.writes),
            .error = taken.error()};
  }
  if (!taken) {
    const Item* other = FindItem(taken.error());
    const bool mine = TextOf(other, kToken) == input.token;
    return {.state = mine ? GuardedBatchState::kAlreadyDone : GuardedBatchState::kTaken,
            .other_token = mine ? "" : TextOf(other, kToken),
            .other_done = !mine && TextOf(other, kState) == kDone};
  }
  BatchWriteOutcome written =
      BatchWriter(database, input.batch, environment).Write(std::move(input.writes));
  if (!written.complete()) {
    return {.state = GuardedBatchState::kIncomplete,
            .remaining = std::move(written.remaining),
            .error = std::move(written.error)};
  }
  const UpdateItemInput mark =
      MakeUpdate(table.table_name, input.guard_key,
                 Update()
                     .Set(kState, kDone)
                     .Set(*table.expiry_attribute, Expiry::After(clock, input.keep_done).ToValue()),
                 Attribute(kToken) == input.token);
  const Result<UpdateItemOutput> marked =
      RetryTransient(input.batch.retry, environment, [&] { return database.UpdateItem(mark); });
  if (marked) {
    return {.state = GuardedBatchState::kDone};
  }
  if (marked.error().code == ErrorCode::kConditionFailed) {
    return {.state = GuardedBatchState::kOvertaken,
            .other_token = TextOf(FindItem(marked.error()), kToken)};
  }
  // Everything is written; only the mark is missing, and the next call with this token sets it.
  return {.state = GuardedBatchState::kIncomplete, .error = marked.error()};
}

}  // namespace stator::patterns
