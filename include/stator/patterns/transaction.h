// Up to 100 writes and checks on items of several tables, all of them or none.
//
//   Transaction transaction(database, Idempotency::Token(request_id));
//   transaction.Insert({.table = kUsers, .item = user, .label = "user"})
//       .Patch({.table = kTeams, .key = team, .update = Update().Add("members", 1),
//               .label = "team"})
//       .RequireExists({.table = kInvitations, .key = invitation, .label = "invitation"});
//   const Result<Committed> outcome = transaction.Commit();
//   if (!outcome) { return Explain(outcome.error()); }          // patterns/transaction_error.h
//
// The names of the actions say what they assume. Insert: there is no such item (an expired one is
// none). Replace, Patch: there is one. Upsert, PatchOrInsert, Remove: either. Further conditions
// can be given; a failed one brings the item that failed it.
//
// What cannot work is refused before it is sent: more than 100 actions, two on one item, more than
// 4 MB, a check without a condition.
//
// RETRIES: conflicts, throttling and, with a token, lost answers are retried with jitter under the
// same token. Without a token a lost answer is kAmbiguous. The database forgets a token after ten
// minutes. Actions of VersionedItems and of entities are recognised later as well, by the ids that
// their items carry; a transaction without any of them is not sent any more after nine minutes.
//
// A transaction that is built again for the same operation may differ in what its clock says: in
// expiries, and in the time at which an expired item counts as absent. It is the same one still.
// COST: a transaction costs twice as much as its writes alone. So one action without a token is
// sent as a single conditional write, which is atomic anyway.
// THREADS: one thread at a time.

#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/transaction_error.h"
#include "stator/patterns/update.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct PutAction {
  TableLayout table;
  Item item;
  Condition condition = {};
  std::string label = {};
};

struct KeyAction {
  TableLayout table;
  Item key;
  Condition condition = {};
  std::string label = {};
};

struct UpdateAction {
  TableLayout table;
  Item key;
  Update update;
  Condition condition = {};
  std::string label = {};
};

struct TransactionOptions {
  RetryOptions retry = {};
  // Also one action without a token is sent as a transaction.
  bool force_transaction = false;
  std::stop_token stop = {};
};

struct Committed {
  int attempts = 1;           // how often it was sent
  bool repeated = false;      // an earlier attempt, perhaps of another process, had committed it
  bool single_write = false;  // it was one action, sent as one write
};

class Transaction {
 public:
  using Options = TransactionOptions;

  // `database` must outlive this object.
  Transaction(Database& database, Idempotency idempotency, Options options = {},
              Environment environment = {});
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;
  ~Transaction();

  Transaction& Insert(PutAction action);
  Transaction& Replace(PutAction action);
  Transaction& Upsert(PutAction action);
  Transaction& Patch(UpdateAction action);
  Transaction& PatchOrInsert(UpdateAction action);
  Transaction& Remove(KeyAction action);
  // Ends the life of an item, as ExpireNow does.
  Transaction& Expire(KeyAction action);

  // Checks that write nothing. An expired item is absent.
  Transaction& Require(KeyAction action);
  Transaction& RequireExists(KeyAction action);
  Transaction& RequireAbsent(KeyAction action);

  // For what is convenient but not essential, such as an index row with an expiry: runs after a
  // commit and cannot change its outcome (patterns/best_effort.h has such functions).
  Transaction& AfterCommit(std::function<void()> action);

  // Makes Commit fail with this error: for whoever finds out while adding actions that it must.
  Transaction& Refuse(Error error);

  // For whoever writes items that carry an id of the token. Of the latest action: an item that is
  // in its way and for which `is_done` holds shows that the transaction had been committed.
  // `otherwise` may say what the action should be instead.
  Transaction& RecogniseBy(std::function<bool(const Item&)> is_done,
                           std::function<std::optional<UpdateAction>(const Item&)> otherwise = {});
  // The transaction is known to have been committed before: Commit succeeds and sends nothing.
  Transaction& WasCommitted();

  [[nodiscard]] const Idempotency& idempotency() const { return idempotency_; }
  [[nodiscard]] std::size_t size() const;

  // May be called again after a failure, under the same token.
  [[nodiscard]] Result<Committed> Commit();

 private:
  struct Action;

  // What an action does not depend on is the time that `condition` holds at.
  using TimedCondition = std::function<Condition(TimePoint)>;
  Transaction& AddPut(PutAction action, const TimedCondition& condition);
  Transaction& AddUpdate(UpdateAction action, const Condition& condition);
  Transaction& AddCheck(KeyAction action, const TimedCondition& condition);
  [[nodiscard]] static Result<Action> MakeUpdateAction(UpdateAction action,
                                                       const Condition& condition);
  // Whether an item that was in the way shows that it had been committed.
  [[nodiscard]] bool IsDone(const std::vector<Reason>& reasons) const;
  // Whether actions were replaced by what they should be instead.
  [[nodiscard]] bool Adapt(const std::vector<Reason>& reasons);
  // What a use of the token with other parameters means.
  [[nodiscard]] bool WasSentOtherwise() const;
  [[nodiscard]] bool IsGuarded() const;
  [[nodiscard]] std::optional<Error> WhyRefused() const;
  [[nodiscard]] bool GoesSingle() const;
  [[nodiscard]] std::optional<std::string> TokenFor() const;
  [[nodiscard]] Result<void> SendSingle() const;
  [[nodiscard]] Error Explain(const Error& error) const;
  [[nodiscard]] Result<Committed> Send(const std::optional<std::string>& token,
                                       Duration first_attempt);

  Database* database_;
  Idempotency idempotency_;
  Options options_;
  Environment environment_;
  std::vector<Action> actions_;
  std::vector<std::function<void()>> after_commit_;
  std::optional<Error> refusal_;  // the first
  bool was_committed_ = false;
  bool depends_on_clock_ = false;          // built again it may have other parameters
  std::optional<Duration> first_attempt_;  // of the clock's Elapsed
};

}  // namespace stator::patterns
