// The program that uses every verb works where nothing is forbidden. test/provision runs it with
// access policies.

#include "entities/every_verb.h"

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

class EveryVerbTest : public EntitiesTest {};

TEST_F(EveryVerbTest, WorksForWhoMayDoEverything) {
  MakeEveryVerbTables(db());
  home().Settle();
  EXPECT_EQ(UseEveryVerb(db()), std::vector<std::string>());
  EXPECT_EQ(UseUniqueVerbs(db()), std::vector<std::string>());
}

// Refuses one kind of request, as a policy without it does.
class ForbiddingDatabase final : public ForwardingDatabase {
 public:
  ForbiddingDatabase(Database& next, std::string action)
      : ForwardingDatabase(next), action_(std::move(action)) {}

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    return Allow("GetItem", [&] { return ForwardingDatabase::GetItem(input); });
  }
  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    return Allow("PutItem", [&] { return ForwardingDatabase::PutItem(input); });
  }
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    return Allow("UpdateItem", [&] { return ForwardingDatabase::UpdateItem(input); });
  }
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override {
    return Allow("DeleteItem", [&] { return ForwardingDatabase::DeleteItem(input); });
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    return Allow("Query", [&] { return ForwardingDatabase::Query(input); });
  }
  Result<ScanOutput> Scan(const ScanInput& input) override {
    return Allow("Scan", [&] { return ForwardingDatabase::Scan(input); });
  }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    return Allow("BatchGetItem", [&] { return ForwardingDatabase::BatchGetItem(input); });
  }
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    for (const TransactWriteItem& write : input.transact_items) {
      if (NameOfAction(write) == action_) {
        return Fail(ErrorCode::kAccessDenied, "not allowed: " + action_);
      }
    }
    return ForwardingDatabase::TransactWriteItems(input);
  }

 private:
  static std::string NameOfAction(const TransactWriteItem& write) {
    if (std::holds_alternative<TransactPut>(write)) {
      return "PutItem";
    }
    if (std::holds_alternative<TransactUpdate>(write)) {
      return "UpdateItem";
    }
    return std::holds_alternative<TransactDelete>(write) ? "DeleteItem" : "ConditionCheckItem";
  }

  template <class Call>
  auto Allow(const char* action, const Call& call) -> decltype(call()) {
    if (action == action_) {
      return Fail(ErrorCode::kAccessDenied, "not allowed: " + action_);
    }
    return call();
  }

  std::string action_;
};

TEST_F(EveryVerbTest, NeedsEveryActionThatItsDescriptionNames) {
  MakeEveryVerbTables(db());
  home().Settle();
  for (const std::string& action : ActionsOf(EveryVerb::Describe()).on_table) {
    ForbiddingDatabase forbidding(db(), action);
    EXPECT_FALSE(UseEveryVerb(forbidding).empty()) << action << " is not needed";
    for (const char* table : {"order", "user"}) {
      for (const Item& item : All(table)) {
        Item key = {{"pk", item.at("pk")}};
        if (item.contains("sk")) {
          key.Set("sk", item.at("sk"));
        }
        Delete(table, key);
      }
    }
  }
}

}  // namespace
}  // namespace stator::entities
