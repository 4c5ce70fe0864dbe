#include "stator/patterns/transaction.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "base/limits.h"
#include "patterns/expiry_check.h"
#include "patterns/transaction_content.h"
#include "patterns/transaction_reasons.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "value/size.h"

namespace stator::patterns {

namespace {

// The database remembers a token for ten minutes; the last one is for clocks and slow requests.
constexpr Duration kTokenUse = limits::kClientRequestTokenValidity - std::chrono::minutes(1);

template <class Write>
Write Conditional(Write write, Placeholders placeholders, const Condition& condition) {
  if (std::optional<std::string> text = placeholders.Compile(condition)) {
    write.condition_expression = *std::move(text);
    write.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  }
  std::move(placeholders).Fill(write);
  return write;
}

template <class Input, class Write>
void CopyCondition(const Write& write, Input& input) {
  input.condition_expression = write.condition_expression;
  input.expression_attribute_names = write.expression_attribute_names;
  input.expression_attribute_values = write.expression_attribute_values;
  input.return_values_on_condition_check_failure = write.return_values_on_condition_check_failure;
}

template <class Write>
std::size_t BytesOf(const Item& item, const Write& write) {
  return value::SizeOfItem(item) + (write.expression_attribute_values
                                        ? value::SizeOfItem(*write.expression_attribute_values)
                                        : 0);
}

template <class T>
Result<void> WithoutOutput(const Result<T>& result) {
  if (!result) {
    return std::unexpected(result.error());
  }
  return {};
}

}  // namespace

struct Transaction::Action {
  TransactWriteItem write;
  std::string key_text;  // with the table's name
  std::size_t bytes;
  std::string label;
  std::string table_name;
  Item key;
  std::string content = {};  // without what a clock said; empty: that of `write`
  std::function<bool(const Item&)> is_done = {};
  std::function<std::optional<UpdateAction>(const Item&)> otherwise = {};
};

Transaction::Transaction(Database& database, Idempotency idempotency, Options options,
                         Environment environment)
    : database_(&database),
      idempotency_(std::move(idempotency)),
      options_(std::move(options)),
      environment_(environment) {}

Transaction::Transaction(Transaction&&) noexcept = default;
Transaction& Transaction::operator=(Transaction&&) noexcept = default;
Transaction::~Transaction() = default;

std::size_t Transaction::size() const {
  return actions_.size();
}

Transaction& Transaction::Refuse(Error error) {
  if (!refusal_) {
    refusal_ = std::move(error);
  }
  return *this;
}

Transaction& Transaction::AddPut(PutAction action, const TimedCondition& condition) {
  Result<Item> key = KeyOf(action.table, action.item);
  if (!key) {
    return Refuse(std::move(key).error());
  }
  if (Result<void> expires = CheckExpiry(action.table, action.item); !expires) {
    return Refuse(std::move(expires).error());
  }
  const std::size_t bytes = value::SizeOfItem(action.item);
  const auto write = [&](TimePoint now) {
    return Conditional<TransactPut>({.table_name = action.table.table_name, .item = action.item},
                                    Placeholders(), condition(now));
  };
  Action added{.write = write(environment_.clock->Now()),
               .key_text = action.table.table_name + KeyText(*key),
               .bytes = bytes,
               .label = std::move(action.label),
               .table_name = action.table.table_name,
               .key = *std::move(key)};
  if (idempotency_.kind() == Idempotency::Kind::kFromContent) {
    AppendContent(write(TimePoint()), added.content);
  }
  actions_.push_back(std::move(added));
  return *this;
}

Result<Transaction::Action> Transaction::MakeUpdateAction(UpdateAction action,
                                                          const Condition& condition) {
  Placeholders placeholders;
  std::optional<std::string> text = placeholders.Compile(action.update);
  if (!text) {
    return Invalid("an update that changes nothing; check instead");
  }
  TransactUpdate write = Conditional<TransactUpdate>(
      {.table_name = action.table.table_name, .key = action.key, .update_expression = *text},
      std::move(placeholders), condition);
  const std::size_t bytes = BytesOf(action.key, write);
  return Action{.write = std::move(write),
                .key_text = action.table.table_name + KeyText(action.key),
                .bytes = bytes,
                .label = std::move(action.label),
                .table_name = action.table.table_name,
                .key = action.key};
}

Transaction& Transaction::AddUpdate(UpdateAction action, const Condition& condition) {
  Result<Action> added = MakeUpdateAction(std::move(action), condition);
  if (!added) {
    return Refuse(std::move(added).error());
  }
  actions_.push_back(*std::move(added));
  return *this;
}

Transaction& Transaction::AddCheck(KeyAction action, const TimedCondition& condition) {
  if (condition(TimePoint()).always()) {
    return Refuse({ErrorCode::kValidation, "a check without a condition checks nothing"});
  }
  const auto write = [&](TimePoint now) {
    return Conditional<TransactConditionCheck>(
        {.table_name = action.table.table_name, .key = action.key, .condition_expression = ""},
        Placeholders(), condition(now));
  };
  Action added{.write = write(environment_.clock->Now()),
               .key_text = action.table.table_name + KeyText(action.key),
               .bytes = value::SizeOfItem(action.key),
               .label = std::move(action.label),
               .table_name = action.table.table_name,
               .key = action.key};
  if (idempotency_.kind() == Idempotency::Kind::kFromContent) {
    AppendContent(write(TimePoint()), added.content);
  }
  actions_.push_back(std::move(added));
  return *this;
}

Transaction& Transaction::RecogniseBy(
    std::function<bool(const Item&)> is_done,
    std::function<std::optional<UpdateAction>(const Item&)> otherwise) {
  if (!actions_.empty() && !refusal_) {
    actions_.back().is_done = std::move(is_done);
    actions_.back().otherwise = std::move(otherwise);
  }
  return *this;
}

Transaction& Transaction::WasCommitted() {
  was_committed_ = true;
  return *this;
}

Transaction& Transaction::Insert(PutAction action) {
  depends_on_clock_ = depends_on_clock_ || action.table.expiry_attribute.has_value();
  const auto condition = [table = action.table, more = action.condition](TimePoint now) {
    return Absent(table, now) && more;
  };
  return AddPut(std::move(action), condition);
}

Transaction& Transaction::Replace(PutAction action) {
  const auto condition = [all = ItemExists(action.table) && action.condition](TimePoint /*now*/) {
    return all;
  };
  return AddPut(std::move(action), condition);
}

Transaction& Transaction::Upsert(PutAction action) {
  const auto condition = [all = action.condition](TimePoint /*now*/) { return all; };
  return AddPut(std::move(action), condition);
}

Transaction& Transaction::Patch(UpdateAction action) {
  const Condition condition = ItemExists(action.table) && action.condition;
  return AddUpdate(std::move(action), condition);
}

Transaction& Transaction::PatchOrInsert(UpdateAction action) {
  const Condition condition = action.condition;
  return AddUpdate(std::move(action), condition);
}

Transaction& Transaction::Remove(KeyAction action) {
  TransactDelete write = Conditional<TransactDelete>(
      {.table_name = action.table.table_name, .key = action.key}, Placeholders(), action.condition);
  const std::size_t bytes = BytesOf(action.key, write);
  actions_.push_back({.write = std::move(write),
                      .key_text = action.table.table_name + KeyText(action.key),
                      .bytes = bytes,
                      .label = std::move(action.label),
                      .table_name = action.table.table_name,
                      .key = action.key});
  return *this;
}

Transaction& Transaction::Expire(KeyAction action) {
  if (!action.table.expiry_attribute) {
    return Refuse(
        {ErrorCode::kValidation, "items of table " + action.table.table_name + " do not expire"});
  }
  depends_on_clock_ = true;
  const auto update_at = [&](const Expiry& expiry) -> UpdateAction {
    return {.table = action.table,
            .key = action.key,
            .update = Update().Set(*action.table.expiry_attribute, expiry.ToValue()),
            .condition = action.condition,
            .label = action.label};
  };
  Patch(update_at(Expiry::Now(*environment_.clock)));
  if (idempotency_.kind() == Idempotency::Kind::kFromContent && !refusal_) {
    const Condition condition = ItemExists(action.table) && action.condition;
    const ManualClock never{TimePoint()};
    if (const auto timeless = MakeUpdateAction(update_at(Expiry::Now(never)), condition)) {
      AppendContent(timeless->write, actions_.back().content);
    }
  }
  return *this;
}

Transaction& Transaction::Require(KeyAction action) {
  const auto condition = [all = action.condition](TimePoint /*now*/) { return all; };
  return AddCheck(std::move(action), condition);
}

Transaction& Transaction::RequireExists(KeyAction action) {
  depends_on_clock_ = depends_on_clock_ || action.table.expiry_attribute.has_value();
  const auto condition = [table = action.table, more = action.condition](TimePoint now) {
    return Present(table, now) && more;
  };
  return AddCheck(std::move(action), condition);
}

Transaction& Transaction::RequireAbsent(KeyAction action) {
  depends_on_clock_ = depends_on_clock_ || action.table.expiry_attribute.has_value();
  const auto condition = [table = action.table](TimePoint now) { return Absent(table, now); };
  return AddCheck(std::move(action), condition);
}

Transaction& Transaction::AfterCommit(std::function<void()> action) {
  after_commit_.push_back(std::move(action));
  return *this;
}

std::optional<Error> Transaction::WhyRefused() const {
  if (refusal_) {
    return refusal_;
  }
  const auto refuse = [](std::string why) { return Error{ErrorCode::kValidation, std::move(why)}; };
  if (actions_.empty()) {
    return refuse("a transaction without actions");
  }
  if (actions_.size() > limits::kTransactionActionsMax) {
    return refuse("a transaction of " + std::to_string(actions_.size()) + " actions; " +
                  std::to_string(limits::kTransactionActionsMax) +
                  " are allowed. For more, put a guard before a batch (patterns/guarded_batch.h)");
  }
  std::unordered_map<std::string_view, std::size_t> positions;
  std::size_t bytes = 0;
  for (std::size_t index = 0; index < actions_.size(); ++index) {
    const auto [known, added] = positions.emplace(actions_[index].key_text, index);
    if (!added) {
      return refuse("actions " + std::to_string(known->second) + " and " + std::to_string(index) +
                    " are on the same item");
    }
    bytes += actions_[index].bytes;
  }
  if (bytes > limits::kTransactionBytesMax) {
    return refuse("the items of the transaction have " + std::to_string(bytes) + " bytes; " +
                  std::to_string(limits::kTransactionBytesMax) + " are allowed");
  }
  return std::nullopt;
}

bool Transaction::GoesSingle() const {
  return actions_.size() == 1 && idempotency_.kind() == Idempotency::Kind::kNone &&
         !options_.force_transaction &&
         !std::holds_alternative<TransactConditionCheck>(actions_.front().write);
}

std::optional<std::string> Transaction::TokenFor() const {
  switch (idempotency_.kind()) {
    case Idempotency::Kind::kToken:
      return idempotency_.request_token();
    case Idempotency::Kind::kFromContent: {
      std::string content;
      for (const Action& action : actions_) {
        if (action.content.empty()) {
          AppendContent(action.write, content);
        } else {
          content += action.content;
        }
      }
      return MakeToken(content);
    }
    case Idempotency::Kind::kNone:
      break;
  }
  return std::nullopt;
}

Result<void> Transaction::SendSingle() const {
  const TransactWriteItem& write = actions_.front().write;
  if (const auto* put = std::get_if<TransactPut>(&write)) {
    PutItemInput input{.table_name = put->table_name, .item = put->item};
    CopyCondition(*put, input);
    return WithoutOutput(database_->PutItem(input));
  }
  if (const auto* update = std::get_if<TransactUpdate>(&write)) {
    UpdateItemInput input{.table_name = update->table_name,
                          .key = update->key,
                          .update_expression = update->update_expression};
    CopyCondition(*update, input);
    return WithoutOutput(database_->UpdateItem(input));
  }
  const auto& remove = std::get<TransactDelete>(write);
  DeleteItemInput input{.table_name = remove.table_name, .key = remove.key};
  CopyCondition(remove, input);
  return WithoutOutput(database_->DeleteItem(input));
}

bool Transaction::IsGuarded() const {
  return std::any_of(actions_.begin(), actions_.end(),
                     [](const Action& action) { return action.is_done != nullptr; });
}

bool Transaction::IsDone(const std::vector<Reason>& reasons) const {
  for (std::size_t index = 0; index < reasons.size(); ++index) {
    const auto* failed = std::get_if<ConditionFailed>(&reasons[index]);
    const auto& is_done = actions_[index].is_done;
    if (failed != nullptr && failed->item && is_done && is_done(*failed->item)) {
      return true;
    }
  }
  return false;
}

bool Transaction::Adapt(const std::vector<Reason>& reasons) {
  bool adapted = false;
  for (std::size_t index = 0; index < reasons.size(); ++index) {
    const auto* failed = std::get_if<ConditionFailed>(&reasons[index]);
    Action& action = actions_[index];
    std::optional<UpdateAction> instead = failed != nullptr && failed->item && action.otherwise
                                              ? action.otherwise(*failed->item)
                                              : std::nullopt;
    if (!instead) {
      continue;
    }
    const Condition condition = ItemExists(instead->table) && instead->condition;
    if (Result<Action> made = MakeUpdateAction(*std::move(instead), condition)) {
      action.write = std::move(made->write);
      adapted = true;
    }
  }
  return adapted;
}

// The database knows the token, and other parameters. Of a transaction whose items carry ids they
// tell whether it was this one; of another, that only the clock can have made the difference.
bool Transaction::WasSentOtherwise() const {
  if (!IsGuarded()) {
    return depends_on_clock_;
  }
  return std::any_of(actions_.begin(), actions_.end(), [&](const Action& action) {
    if (!action.is_done) {
      return false;
    }
    const GetItemInput input{
        .table_name = action.table_name, .key = action.key, .consistent_read = true};
    const auto output =
        RetryTransient(options_.retry, environment_, [&] { return database_->GetItem(input); });
    return output && output->item && action.is_done(*output->item);
  });
}

Error Transaction::Explain(const Error& error) const {
  std::vector<Reason> reasons = ReasonsOf(error, actions_.size());
  std::vector<ActionFailure> actions;
  actions.reserve(reasons.size());
  for (std::size_t index = 0; index < reasons.size(); ++index) {
    actions.push_back({actions_[index].label, std::move(reasons[index])});
  }
  return ToTransactionError(error, std::move(actions));
}

Result<Committed> Transaction::Send(const std::optional<std::string>& token,
                                    Duration first_attempt) {
  const bool single = GoesSingle();
  bool maybe_done = false;
  bool adapted = false;
  for (Retry retry(options_.retry, environment_, options_.stop);;) {
    TransactWriteItemsInput input{.transact_items = {}, .client_request_token = token};
    if (!single) {
      for (const Action& action : actions_) {
        input.transact_items.push_back(action.write);
      }
    }
    const Result<void> answer =
        single ? SendSingle() : WithoutOutput(database_->TransactWriteItems(input));
    if (answer) {
      return Committed{.attempts = retry.attempts(), .single_write = single};
    }
    const std::vector<Reason> reasons = ReasonsOf(answer.error(), actions_.size());
    if (IsDone(reasons) ||
        (answer.error().code == ErrorCode::kIdempotentParameterMismatch && WasSentOtherwise())) {
      return Committed{.attempts = retry.attempts(), .repeated = true, .single_write = single};
    }
    Error error = Explain(answer.error());
    const bool ambiguous = error.code == ErrorCode::kAmbiguous;
    // An answer that settles nothing does not take back that an earlier one was lost.
    maybe_done = ambiguous || (maybe_done && IsTransient(error.code));
    const bool may_try_again =
        ambiguous ? token && IsTransient(answer.error().code) : IsTransient(error.code);
    const bool adapts = !may_try_again && !ambiguous && Adapt(reasons);
    if (adapts && !adapted) {
      // What is known about the items now is worth one more request, whatever time there is.
      adapted = true;
      continue;
    }
    const bool out_of_time =
        token && !IsGuarded() && environment_.clock->Elapsed() - first_attempt > kTokenUse;
    if (out_of_time || !(may_try_again || adapts) || !retry.Wait()) {
      if (maybe_done && !ambiguous) {
        error.code = ErrorCode::kAmbiguous;
        error.message = "ambiguous: " + error.message;
      }
      return std::unexpected(std::move(error));
    }
  }
}

Result<Committed> Transaction::Commit() {
  if (std::optional<Error> why = was_committed_ && !refusal_ ? std::nullopt : WhyRefused()) {
    why->message = "refused: " + why->message;
    return std::unexpected(*std::move(why));
  }
  const std::optional<std::string> token = TokenFor();
  const Duration now = environment_.clock->Elapsed();
  const Duration first_attempt = first_attempt_.value_or(now);
  first_attempt_ = first_attempt;
  if (token && !was_committed_ && !IsGuarded() && now - first_attempt > kTokenUse) {
    return Fail(ErrorCode::kExpired,
                "the first attempt was too long ago for its token to prevent a second execution");
  }
  Result<Committed> outcome =
      was_committed_ ? Committed{.attempts = 0, .repeated = true} : Send(token, first_attempt);
  if (outcome) {
    for (const std::function<void()>& action : after_commit_) {
      action();
    }
  }
  return outcome;
}

}  // namespace stator::patterns
