// For tests: writers that decide operation after operation from a seed and know what the database
// must hold after each. A writer touches only items of its own, so what it expects does not depend
// on the others; its operations depend on nothing but its seed, so another process can say what a
// killed one did.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::crash {

// "orders" has a sort key, a local and two global indexes, expiry and a stream; "accounts" only a
// partition key and an index that holds keys.
inline constexpr char kOrders[] = "orders";
inline constexpr char kAccounts[] = "accounts";

// When the tests take place. Items that expired before it may be swept at any moment.
inline constexpr TimePoint kNow{std::chrono::seconds(1'794'700'800)};

CreateTableInput OrdersTable();
CreateTableInput AccountsTable();
Result<void> CreateTables(Database& database);

// Table, and the item's key as text.
using ItemName = std::pair<std::string, std::string>;
using Items = std::map<ItemName, Item>;

ItemName NameOf(const std::string& table, const Item& item);
// Which writer made it.
std::string WriterOf(const Item& item);
// Whether the sweeper may have removed it.
bool IsDue(const Item& item);
// Items by the writer that made them.
std::map<std::string, Items> ByWriter(const Items& items);
// Equal, except that items which are due may be missing from `found`.
bool Matches(const Items& expected, const Items& found);

struct Operation {
  std::variant<PutItemInput, UpdateItemInput, DeleteItemInput, BatchWriteItemInput,
               TransactWriteItemsInput>
      input;
  // What it makes of the items that it touches, all of it or nothing; empty when its condition
  // fails.
  std::map<ItemName, std::optional<Item>> effect = {};
  bool is_refused = false;
};

void Apply(const Operation& operation, Items& items);

// Good when the database did what was to be done, or refused what was to be refused. kIo when the
// disk failed, so that nobody knows; everything else is a wrong answer.
Result<void> Execute(Database& database, const Operation& operation);

class Writer {
 public:
  Writer(std::string name, std::uint64_t seed) : name_(std::move(name)), random_(seed) {}

  // The next operation, provided that all before it were done.
  Operation Next();

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  Item Key(const std::string& table);
  std::string AnyTable();
  // A new item under the key.
  Item Filled(Item key);
  const Item* Find(const std::string& table, const Item& key) const;

  Operation Put();
  Operation PutExpired();
  Operation ConditionalPut();
  Operation Update();
  Operation Delete();
  Operation Batch();
  Operation Transaction();
  TransactUpdate UpdateOf(const std::string& table, Item key, Operation& operation);

  const std::string name_;
  SeededRandom random_;
  std::int64_t operations_ = 0;
  Items items_;
};

}  // namespace stator::crash
