// Attributes that no two items may share, such as an e-mail address. An index cannot promise that
// (it is never read consistently); a guard item per value, written in the same transaction, can.
//
//   const UniqueGuards emails(kGuards, "user", {"email"});
//   Transaction transaction(database, Idempotency::Token(request_id));
//   transaction.Insert({.table = kUsers, .item = user, .label = "user"});
//   emails.AddInsert(transaction, user, "ann");
//   const Result<Committed> outcome = transaction.Commit();
//   if (!outcome && outcome.error().Find("unique email")) { ... taken ... }
//
// FORMAT (a guard item)
//
//   partition key  S  "UNIQUE#" scope "#" attribute "#" type "#" value; a value that is longer than
//                     900 bytes as its SHA-256 in base64
//   sort key       S  "UNIQUE", when the table has one
//   owner          S  who has the value
//   expiry         N  the item's own, when both layouts have one: an expired item holds no value

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/transaction.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

class UniqueGuards {
 public:
  // The guards live in `guard_table`, whose keys are strings; it may be the table of the items.
  // `scope` is the kind of item among which values are unique.
  UniqueGuards(TableLayout guard_table, std::string scope, std::vector<std::string> attributes,
               std::optional<std::string> item_expiry_attribute = std::nullopt);

  // Adds to the transaction that inserts, changes or removes an item what its guards need. Actions
  // are labelled "unique <attribute>". An attribute that is missing has no guard.
  void AddInsert(Transaction& transaction, const Item& item, const std::string& owner) const;
  void AddChange(Transaction& transaction, const Item& before, const Item& after,
                 const std::string& owner) const;
  void AddRemove(Transaction& transaction, const Item& item, const std::string& owner) const;

  // For items that were there before their values had to be unique: whether all their guards are
  // there, and what the transaction needs that makes those that are missing.
  [[nodiscard]] Result<bool> AreHeld(Database& database, const Item& item,
                                     const std::string& owner) const;
  void AddHold(Transaction& transaction, const Item& item, const std::string& owner) const;

  // Which guard stands for a value: to find out who has it.
  [[nodiscard]] Item GuardKey(const std::string& attribute, const AttributeValue& value) const;

 private:
  // `may_have`: it is no failure when the owner has it already.
  void AddTake(Transaction& transaction, const std::string& attribute, const Item& item,
               const std::string& owner, bool may_have = false) const;
  void AddGive(Transaction& transaction, const std::string& attribute, const Item& item,
               const std::string& owner) const;

  TableLayout guard_table_;
  std::string scope_;
  std::vector<std::string> attributes_;
  std::optional<std::string> item_expiry_attribute_;
};

}  // namespace stator::patterns
