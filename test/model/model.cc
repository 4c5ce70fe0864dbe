#include "model/model.h"

#include <algorithm>
#include <ostream>

namespace stator::model {
namespace {

// The attributes that are keys of indexes, and the type that they must have there.
bool HasKeyType(const std::string& attribute, const Value& value) {
  return attribute == "g" ? std::holds_alternative<std::string>(value)
                          : std::holds_alternative<std::int64_t>(value);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Outcome outcome) {
  switch (outcome) {
    case Outcome::kDone:
      return out << "done";
    case Outcome::kConditionFailed:
      return out << "condition failed";
    case Outcome::kInvalid:
      return out << "invalid";
  }
  return out;
}

Key Table::KeyOf(const Attributes& item) const {
  return {std::get<std::string>(item.at(partition)),
          sort ? std::get<std::int64_t>(item.at(*sort)) : 0};
}

Attributes Table::KeyAttributes(const Key& key) const {
  Attributes attributes{{partition, key.first}};
  if (sort) {
    attributes[*sort] = key.second;
  }
  return attributes;
}

const Attributes* Table::Find(const Key& key) const {
  const auto found = items.find(key);
  return found == items.end() ? nullptr : &found->second;
}

const Index* Table::FindIndex(const std::string& index_name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(), [&](const Index& index) {
    return index.name == index_name && index.there;
  });
  return found == indexes.end() ? nullptr : &*found;
}

bool Table::FitsIndexes(const Attributes& item) const {
  const auto fits = [&](const std::string& attribute) {
    const auto found = item.find(attribute);
    return found == item.end() || HasKeyType(attribute, found->second);
  };
  return std::all_of(indexes.begin(), indexes.end(), [&](const Index& index) {
    const bool partition_fits = index.partition == partition || fits(index.partition);
    return !index.there || (partition_fits && (!index.sort || fits(*index.sort)));
  });
}

void Table::Store(const Key& key, std::optional<Attributes> item) {
  Change change{.before = std::nullopt, .after = item};
  if (const Attributes* before = Find(key)) {
    change.before = *before;
  }
  if (change.before == change.after) {
    return;
  }
  changes[key].push_back(change);
  if (item) {
    items[key] = *std::move(item);
  } else {
    items.erase(key);
  }
}

Model::Model() {
  tables.push_back({.name = "pairs",
                    .partition = "pk",
                    .sort = "sk",
                    .indexes = {{.name = "by_l", .partition = "pk", .sort = "l"},
                                {.name = "by_g", .partition = "g", .sort = "h"},
                                {.name = "keys", .partition = "g", .keys_only = true},
                                {.name = "late", .partition = "h", .sort = "g", .there = false}}});
  tables.push_back({.name = "singles", .partition = "id"});
}

Decision Model::Decide(const Write& write) const {
  const Table& table = tables[write.table];
  const Attributes* before = table.Find(write.key);
  Decision decision;
  if (write.kind == Write::Kind::kPut && !table.FitsIndexes(write.item)) {
    decision.outcome = Outcome::kInvalid;
    return decision;
  }
  if (!write.condition.Holds(before)) {
    decision.outcome = Outcome::kConditionFailed;
    return decision;
  }
  switch (write.kind) {
    case Write::Kind::kPut:
      decision.after = write.item;
      break;
    case Write::Kind::kDelete:
      break;
    case Write::Kind::kUpdate:
      if (!model::Apply(write.update, before, table.KeyAttributes(write.key), decision.after) ||
          (decision.after && !table.FitsIndexes(*decision.after))) {
        decision.outcome = Outcome::kInvalid;
      }
      break;
    case Write::Kind::kCheck:
      if (before != nullptr) {
        decision.after = *before;
      }
      break;
  }
  return decision;
}

Outcome Model::Apply(const Write& write) {
  Decision decision = Decide(write);
  if (decision.outcome == Outcome::kDone) {
    tables[write.table].Store(write.key, std::move(decision.after));
  }
  return decision.outcome;
}

std::optional<std::vector<std::string>> Model::Cancellation(
    const std::vector<Write>& writes) const {
  std::vector<std::string> codes(writes.size(), "None");
  // What does not fit its table is found before any item is looked at; of what is invalid only the
  // first is told.
  const auto note_invalid = [&](std::size_t at) {
    if (std::find(codes.begin(), codes.end(), "ValidationError") == codes.end()) {
      codes[at] = "ValidationError";
    }
  };
  bool canceled = false;
  for (std::size_t at = 0; at < writes.size(); ++at) {
    if (writes[at].kind == Write::Kind::kPut &&
        !tables[writes[at].table].FitsIndexes(writes[at].item)) {
      note_invalid(at);
      canceled = true;
    }
  }
  for (std::size_t at = 0; at < writes.size() && !canceled; ++at) {
    const Outcome outcome = Decide(writes[at]).outcome;
    if (outcome == Outcome::kConditionFailed) {
      codes[at] = "ConditionalCheckFailed";
    } else if (outcome == Outcome::kInvalid) {
      note_invalid(at);
    }
  }
  const bool all_done = std::all_of(codes.begin(), codes.end(),
                                    [](const std::string& code) { return code == "None"; });
  return all_done ? std::nullopt : std::optional(codes);
}

}  // namespace stator::model
