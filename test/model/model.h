// For tests: what a database is, as plainly as it can be said: one std::map per table. It shares no
// code with the engine; conditions and updates are a small part of DynamoDB's, evaluated here anew.

#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/condition.h"
#include "model/update.h"
#include "model/values.h"

namespace stator::model {

// What a write did.
enum class Outcome : std::uint8_t { kDone, kConditionFailed, kInvalid };

std::ostream& operator<<(std::ostream& out, Outcome outcome);

// An index: the items that have all its keys, by the first, in the order of the second.
struct Index {
  std::string name;
  std::string partition;
  std::optional<std::string> sort = std::nullopt;
  bool keys_only = false;
  bool there = true;  // it may be dropped and made again
};

// One change of an item, as the stream tells it.
struct Change {
  std::optional<Attributes> before;
  std::optional<Attributes> after;

  friend bool operator==(const Change&, const Change&) = default;
};

struct Table {
  std::string name;
  std::string partition;
  std::optional<std::string> sort = std::nullopt;
  std::vector<Index> indexes = {};

  std::map<Key, Attributes> items = {};
  std::map<Key, std::vector<Change>> changes = {};

  [[nodiscard]] Key KeyOf(const Attributes& item) const;
  [[nodiscard]] Attributes KeyAttributes(const Key& key) const;
  [[nodiscard]] const Attributes* Find(const Key& key) const;
  [[nodiscard]] const Index* FindIndex(const std::string& name) const;

  // Whether every index takes the item: key attributes are absent or of their types.
  [[nodiscard]] bool FitsIndexes(const Attributes& item) const;

  // Replaces the item, or removes it, and notes the change if it is one.
  void Store(const Key& key, std::optional<Attributes> item);
};

struct Write {
  enum class Kind : std::uint8_t { kPut, kDelete, kUpdate, kCheck };

  Kind kind = Kind::kPut;
  std::size_t table = 0;
  Key key;
  Attributes item;      // of a put, with its key
  Update update;        // of an update
  Condition condition;  // of all; may be none
};

// What a single write makes of the item, without doing it.
struct Decision {
  Outcome outcome = Outcome::kDone;
  std::optional<Attributes> after;
};

struct Model {
  Model();

  std::vector<Table> tables;
  // Tokens of transactions that were done.
  std::set<std::string> tokens;

  [[nodiscard]] Decision Decide(const Write& write) const;
  Outcome Apply(const Write& write);

  // Of a transaction: the code of each action, or nothing when it can be done.
  [[nodiscard]] std::optional<std::vector<std::string>> Cancellation(
      const std::vector<Write>& writes) const;
};

}  // namespace stator::model
