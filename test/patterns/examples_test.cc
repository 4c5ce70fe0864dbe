// The examples of docs/patterns.md. What stands between "example: name" and "end" is quoted there
// word for word; test/tools/patterns_doc_test.py compares.

#include <functional>
#include <string>

#include "patterns/patterns_test.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/best_effort.h"
#include "stator/patterns/cascade_delete.h"
#include "stator/patterns/counted.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/guarded_batch.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/prune.h"
#include "stator/patterns/renewals.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/unique_guards.h"
#include "stator/patterns/versioned_items.h"

namespace stator::patterns {
namespace {

// example: layouts
const TableLayout kUsers{.table_name = "things", .key_attributes = {"pk"}};
const TableLayout kSessions{
    .table_name = "parts", .key_attributes = {"pk", "sk"}, .expiry_attribute = "expires_at"};
// end

class ExamplesTest : public PatternsTest {
 protected:
  [[nodiscard]] Database& database() { return faulty(); }
  void Log(const BestEffortFailure&) {}
};

TEST_F(ExamplesTest, Expression) {
  Database& database = this->database();
  const std::string me = "ann";
  // example: expression
  const Condition mine =
      Attribute("state") == "open" && (Attribute("owner").NotExists() || Attribute("owner") == me);
  const auto taken = database.UpdateItem(MakeUpdate(
      "things", {{"pk", "ticket"}},
      Update().Set("owner", me).Add("attempts", 1).Remove("error").SetIfMissing("since", 17),
      mine));
  if (!taken && taken.error().code == ErrorCode::kConditionFailed) {
    const Item* ticket = FindItem(taken.error());  // as it is; null when there is none
    // end
    EXPECT_EQ(ticket, nullptr);
  }
  EXPECT_FALSE(taken);
}

TEST_F(ExamplesTest, Modify) {
  Database& database = this->database();
  Must(VersionedItems(database, kUsers).Insert({{"pk", "ann"}, {"balance", 100}}));
  // example: modify
  const VersionedItems accounts(database, kUsers);
  const auto paid = accounts.Modify({{"pk", "ann"}}, [](Item& account) -> Result<Verdict> {
    const Number balance = *account.at("balance").If<Number>();
    if (balance < 30) {
      return Invalid("not enough money");
    }
    account["balance"] = *Number::Subtract(balance, 30);
    return Verdict::kWrite;
  });
  if (!paid) {
    switch (paid.error().code) {
      case ErrorCode::kRefused:    // what the function said
      case ErrorCode::kNotFound:   // nobody of that name
      case ErrorCode::kConflict:   // others kept writing; FactsOf(error()).current is theirs
      case ErrorCode::kAmbiguous:  // it may have been paid: look before paying again
      default:
        break;
    }
  }
  // end
  EXPECT_EQ(Must(accounts.Read({{"pk", "ann"}}))->item.at("balance"), AttributeValue(70));
}

TEST_F(ExamplesTest, Transaction) {
  Database& database = this->database();
  Put(kUsers, {{"pk", "team"}, {"members", 0}});
  Put(kSessions, {{"pk", "invitation"}, {"sk", "7"}});
  const std::string request_id = "request 7";
  const Item user = {{"pk", "ann"}};
  // example: transaction
  Transaction transaction(database, Idempotency::Token(request_id));
  transaction.Insert({.table = kUsers, .item = user, .label = "user"})
      .Patch({.table = kUsers,
              .key = {{"pk", "team"}},
              .update = Update().Add("members", 1),
              .condition = Attribute("members") < 10,
              .label = "team"})
      .RequireExists({.table = kSessions, .key = {{"pk", "invitation"}, {"sk", "7"}}});
  const Result<Committed> outcome = transaction.Commit();
  if (!outcome) {
    if (const ConditionFailed* full = FindConditionFailed(outcome.error(), "team")) {
      EXPECT_TRUE(full->item);  // the team
    } else if (outcome.error().code == ErrorCode::kAmbiguous) {
      // Commit the same operation again, within nine minutes.
    }
  }
  // end
  EXPECT_TRUE(Succeeds(outcome));
}

TEST_F(ExamplesTest, Batches) {
  Database& database = this->database();
  std::vector<WriteRequest> writes = {PutRequest{{{"pk", "a"}}}, DeleteRequest{{{"pk", "b"}}}};
  // example: batch
  const BatchWriteOutcome written =
      BatchWriter(database).Write({{.table = kUsers, .writes = writes}});
  if (!written.complete()) {
    // written.remaining can be written later; written.error says why it was not.
  }

  const BatchReadOutcome read = BatchReader(database).Read(kUsers, {{{"pk", "a"}}, {{"pk", "b"}}});
  const bool has_first = read.complete() && read.items[0].has_value();
  // end
  EXPECT_TRUE(written.complete());
  EXPECT_TRUE(has_first);
}

TEST_F(ExamplesTest, GuardedBatch) {
  Database& database = this->database();
  const std::vector<WriteRequest> rows = {PutRequest{{{"pk", "row"}}}};
  const std::string job_id = "job";
  // example: guarded batch
  const GuardedBatchOutcome imported =
      WriteGuarded(database, {.guard_table = kSessions,
                              .guard_key = {{"pk", "import"}, {"sk", "2026-11"}},
                              .token = job_id,
                              .writes = {{.table = kUsers, .writes = rows}}});
  if (imported.state == GuardedBatchState::kIncomplete) {
    // Call again with the same token; nobody else can, until the lease is over.
  }
  // end
  EXPECT_EQ(imported.state, GuardedBatchState::kDone);
}

TEST_F(ExamplesTest, CascadeDelete) {
  Database& database = this->database();
  const Item session = {{"pk", "s1"}, {"sk", "META"}};
  Put(kSessions, session);
  Put(kSessions, {{"pk", "s1"}, {"sk", "FILE#1"}});
  // example: cascade delete
  const AccessPattern everything{.name = "everything of a session",
                                 .table = kSessions,
                                 .partition_key = "pk",
                                 .sort_key = "sk"};
  const auto children = KeysOfPartition(database, everything, "s1", session);
  if (children) {
    const CascadeDeleteOutcome removed = CascadeDelete(
        database, {.children = {*children}, .sentinel_table = kSessions, .sentinel = session});
    // Not complete: the session is still there, and the next attempt finds the rest by it.
    EXPECT_TRUE(removed.complete());
  }
  // end
  EXPECT_TRUE(All(kSessions).empty());
}

TEST_F(ExamplesTest, CountedAndUnique) {
  Database& database = this->database();
  const std::string request_id = "request";
  // example: counted
  const Result<Committed> posted = CountedInsert(database, Idempotency::Token(request_id),
                                                 {.table = kUsers,
                                                  .item = {{"pk", "post#1"}},
                                                  .counter_table = kUsers,
                                                  .counter_key = {{"pk", "ann"}},
                                                  .counter_attribute = "posts"});
  // end
  EXPECT_TRUE(Succeeds(posted));

  // example: unique
  const UniqueGuards emails(kSessions, "user", {"email"});
  const Item user = {{"pk", "bob"}, {"email", "bob@example.org"}};
  Transaction transaction(database, Idempotency::Token(request_id + " user"));
  transaction.Insert({.table = kUsers, .item = user, .label = "user"});
  emails.AddInsert(transaction, user, "bob");
  const Result<Committed> inserted = transaction.Commit();
  const bool email_taken = !inserted && FindReason(inserted.error(), "unique email") != nullptr;
  // end
  EXPECT_FALSE(email_taken);
  EXPECT_TRUE(Succeeds(inserted));
}

TEST_F(ExamplesTest, Expiry) {
  Database& database = this->database();
  Clock& clock = SystemClock();
  // example: expiry
  const Item session = {
      {"pk", "s1"}, {"sk", "META"}, {"expires_at", patterns::Expiry::After(clock, 24h).ToValue()}};
  const auto made = database.PutItem(MakePut("parts", session, Absent(kSessions, clock.Now())));

  const LiveItems items(database);
  const auto found = items.Get(kSessions, {{"pk", "s1"}, {"sk", "META"}});  // never an expired one

  const AccessPattern files{
      .name = "files of a session", .table = kSessions, .partition_key = "pk", .sort_key = "sk"};
  const auto page = items.Query(
      files, {.partition = "s1", .sort = Attribute("sk").BeginsWith("FILE#"), .limit = 20});

  const auto ended = ExpireNow(database, kSessions, {{"pk", "s1"}, {"sk", "META"}});
  // end
  EXPECT_TRUE(made && found && *found && page && page->items.empty() && ended && *ended);
}

TEST_F(ExamplesTest, RenewalsAndBestEffort) {
  Database& database = this->database();
  Clock& clock = SystemClock();
  const Item session = {
      {"pk", "s1"}, {"sk", "META"}, {"expires_at", patterns::Expiry::After(clock, 2h).ToValue()}};
  Put(kSessions, session);
  // example: renewals
  const auto renewals = Renewals::Make(database, kSessions, {.runway = 24h, .interval = 1min});
  if (renewals) {
    (*renewals)->Touch(session);  // at every use; writes once in half a day at most
    (*renewals)->Drain(5s);       // before the program ends
  }
  // end
  ASSERT_TRUE(renewals);
  EXPECT_EQ((*renewals)->counts().done, 1U);

  // example: best effort
  BestEffort best_effort(database,
                         {.on_failure = [&](const BestEffortFailure& failure) { Log(failure); }});
  Transaction transaction(database, Idempotency::Token("view 17"));
  transaction.Upsert({.table = kUsers, .item = {{"pk", "ann"}, {"last_viewed", "post#1"}}});
  transaction.AfterCommit([&] {
    best_effort.Put(kSessions,
                    {{"pk", "recent#ann"},
                     {"sk", "post#1"},
                     {"expires_at", patterns::Expiry::After(clock, 7 * 24h).ToValue()}},
                    "recently viewed");
  });
  const Result<Committed> viewed = transaction.Commit();
  // end
  EXPECT_TRUE(Succeeds(viewed));
  EXPECT_EQ(best_effort.counts().written, 1U);
}

TEST_F(ExamplesTest, Prune) {
  Database& database = this->database();
  Put(kUsers, {{"pk", "ann"}, {"post_ids", StringSet{"post#1", "post#2"}}});
  Put(kUsers, {{"pk", "post#2"}});
  // example: prune
  Pruner pruner(database, {.holder = kUsers,
                           .attribute = "post_ids",
                           .target = kUsers,
                           .key_of = [](const AttributeValue& id) { return Item{{"pk", id}}; }});
  const Result<PruneOutcome> pruned = pruner.Prune({{"pk", "ann"}});
  // end
  EXPECT_EQ(Must(pruned).removed, 1U);
}

}  // namespace
}  // namespace stator::patterns
