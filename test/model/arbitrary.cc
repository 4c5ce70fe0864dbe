#include "model/arbitrary.h"

#include <algorithm>
#include <rapidcheck.h>
#include <set>

namespace stator::model {
namespace {

const std::vector<std::string>& Names() {
  static const std::vector<std::string> names = {"g", "h", "l", "v", "w", "tags"};
  return names;
}

std::int64_t AnyNumber() {
  return *rc::gen::inRange<std::int64_t>(0, 4);
}

std::string AnyText() {
  return *rc::gen::element<std::string>("a", "b", "ab", "ba");
}

Value AnyMembers() {
  auto members =
      *rc::gen::container<std::set<std::string>>(rc::gen::element<std::string>("a", "b", "c", "d"));
  members.insert("a");
  return members;
}

bool OneIn(int count) {
  return *rc::gen::inRange(0, count) == 0;
}

// Mostly of the type that the attribute has in indexes; sometimes not, which writes must refuse.
Value AnyValue(const std::string& name) {
  if (OneIn(12)) {
    return *rc::gen::element<Value>(Value(AnyNumber()), Value(AnyText()));
  }
  if (name == "g" || name == "w") {
    return AnyText();
  }
  if (name == "tags") {
    return AnyMembers();
  }
  return AnyNumber();
}

Comparison AnyComparison() {
  using Kind = Comparison::Kind;
  Comparison comparison;
  comparison.kind =
      *rc::gen::element(Kind::kExists, Kind::kMissing, Kind::kEqual, Kind::kUnequal, Kind::kLess,
                        Kind::kAtLeast, Kind::kBeginsWith, Kind::kContains);
  comparison.attribute = *rc::gen::elementOf(Names());
  comparison.negated = OneIn(4);
  switch (comparison.kind) {
    case Kind::kEqual:
    case Kind::kUnequal:
      comparison.value = AnyValue(comparison.attribute);
      break;
    case Kind::kLess:
    case Kind::kAtLeast:
      comparison.value = OneIn(2) ? Value(AnyNumber()) : Value(AnyText());
      break;
    default:
      comparison.value = AnyText();
  }
  return comparison;
}

Action AnyAction(const std::string& attribute) {
  using Kind = Action::Kind;
  Action action;
  action.attribute = attribute;
  action.kind = *rc::gen::element(Kind::kSet, Kind::kSet, Kind::kCopy, Kind::kCount, Kind::kRemove,
                                  Kind::kAdd, Kind::kDiscard);
  action.other = *rc::gen::elementOf(Names());
  switch (action.kind) {
    case Kind::kCount:
      action.value = AnyNumber();
      break;
    case Kind::kAdd:
      action.value = attribute == "tags" ? AnyMembers() : Value(AnyNumber());
      break;
    case Kind::kDiscard:
      action.value = AnyMembers();
      break;
    default:
      action.value = AnyValue(attribute);
  }
  return action;
}

}  // namespace

std::size_t AnyTable() {
  return OneIn(3) ? 1 : 0;
}

Key AnyKey(std::size_t table) {
  const std::string partition = *rc::gen::element<std::string>("p", "q", "r");
  return table == 0 ? Key(partition, *rc::gen::inRange<std::int64_t>(-2, 4)) : Key(partition, 0);
}

Attributes AnyItem(const Table& table, const Key& key) {
  Attributes item = table.KeyAttributes(key);
  for (const std::string& name : Names()) {
    if (!OneIn(3)) {
      item[name] = AnyValue(name);
    }
  }
  return item;
}

Condition AnyCondition(bool may_be_none) {
  Condition condition;
  const int count = *rc::gen::inRange(may_be_none ? -2 : 1, 3);
  for (int number = 0; number < count; ++number) {
    condition.comparisons.push_back(AnyComparison());
  }
  condition.any = OneIn(2);
  return condition;
}

Update AnyUpdate() {
  std::vector<std::string> names = Names();
  Update update;
  const int count = *rc::gen::inRange(0, 4);
  for (int number = 0; number < count; ++number) {
    const auto at = *rc::gen::inRange<std::size_t>(0, names.size());
    update.push_back(AnyAction(names[at]));
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return update;
}

Write AnyWrite(const Model& model, bool may_be_check) {
  using Kind = Write::Kind;
  Write write;
  write.kind = *rc::gen::element(Kind::kPut, Kind::kPut, Kind::kUpdate, Kind::kUpdate,
                                 Kind::kDelete, may_be_check ? Kind::kCheck : Kind::kPut);
  write.table = AnyTable();
  write.key = AnyKey(write.table);
  if (write.kind == Kind::kPut) {
    write.item = AnyItem(model.tables[write.table], write.key);
  }
  if (write.kind == Kind::kUpdate) {
    write.update = AnyUpdate();
  }
  write.condition = AnyCondition(write.kind != Kind::kCheck);
  return write;
}

std::vector<Write> AnyWrites(const Model& model, std::size_t count, bool for_transaction) {
  std::vector<Write> writes;
  std::set<std::pair<std::size_t, Key>> seen;
  const auto wanted = *rc::gen::inRange<std::size_t>(1, count + 1);
  for (std::size_t number = 0; number < wanted; ++number) {
    Write write = AnyWrite(model, for_transaction);
    // In a transaction an update has something to do.
    if (for_transaction && write.kind == Write::Kind::kUpdate && write.update.empty()) {
      write.update.push_back(AnyAction("v"));
    }
    if (seen.insert({write.table, write.key}).second) {
      writes.push_back(std::move(write));
    }
  }
  return writes;
}

std::vector<std::pair<std::size_t, Key>> AnyKeys(std::size_t count) {
  std::set<std::pair<std::size_t, Key>> keys;
  const auto wanted = *rc::gen::inRange<std::size_t>(1, count + 1);
  for (std::size_t number = 0; number < wanted; ++number) {
    const std::size_t table = AnyTable();
    keys.insert({table, AnyKey(table)});
  }
  return {keys.begin(), keys.end()};
}

std::string Show(const Write& write) {
  Map values;
  std::string shown = write.table == 0 ? "pairs" : "singles";
  shown += Show(write.key);
  switch (write.kind) {
    case Write::Kind::kPut:
      shown += " put " + Show(write.item);
      break;
    case Write::Kind::kDelete:
      shown += " delete";
      break;
    case Write::Kind::kUpdate:
      shown += " update " + TextOf(write.update, "u", values);
      break;
    case Write::Kind::kCheck:
      shown += " check";
      break;
  }
  if (!write.condition.empty()) {
    shown += " if " + TextOf(write.condition, "c", values);
  }
  for (const auto& [placeholder, value] : values) {
    const auto* number = value.If<Number>();
    const auto* text = value.If<std::string>();
    shown += " " + placeholder + "=" +
             (number != nullptr ? number->ToString()
              : text != nullptr ? *text
                                : "{...}");
  }
  return shown;
}

}  // namespace stator::model
