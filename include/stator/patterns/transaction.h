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
// same token. Without a token a lost answer is kAmbiguous. After nine minutes nothing is sent any
// more under a token, since the database forgets it after ten.
// COST: a transaction costs twice as much as its writes alone. So one action without a token is
// sent as a single conditional write, which is atomic anyway.
// THREADS: one thread at a time.

#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/api/database.h"
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
  bool single_write = false;  // it was one action, sent as one write
};

class Transaction {
 public:
  using Options = TransactionOptions;

  // `database` must outlive this object.
  Transaction(Database& database, Idempotency idempotency, Options options = {},
              Environment environment = {});

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

  [[nodiscard]] std::size_t size() const { return actions_.size(); }

  // May be called again after a failure, under the same token.
  [[nodiscard]] Result<Committed> Commit();

 private:
  struct Action {
    TransactWriteItem write;
    std::string key_text;  // with the table's name
    std::size_t bytes;
    std::string label;
  };

  Transaction& AddPut(PutAction action, const Condition& condition);
  Transaction& AddUpdate(UpdateAction action, const Condition& condition);
  Transaction& AddCheck(KeyAction action, const Condition& condition);
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
  std::optional<Error> refusal_;           // the first
  std::optional<Duration> first_attempt_;  // of the clock's Elapsed
};

}  // namespace stator::patterns
