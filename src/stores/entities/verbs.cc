#include "stator/stores/entities/verbs.h"

#include <array>
#include <set>
#include <utility>

namespace stator::entities {

namespace {

// Attributes that one update may change by an expression; see VersionedItems. An entity with more
// fields may be written as a whole.
constexpr std::size_t kFieldsOfUpdateMax = 140;

constexpr std::array kNames = {
    std::pair(Verbs::kRead, "kRead"),
    std::pair(Verbs::kReadMany, "kReadMany"),
    std::pair(Verbs::kReadTogether, "kReadTogether"),
    std::pair(Verbs::kQuery, "kQuery"),
    std::pair(Verbs::kInsert, "kInsert"),
    std::pair(Verbs::kUpdate, "kUpdate"),
    std::pair(Verbs::kModify, "kModify"),
    std::pair(Verbs::kPatch, "kPatch"),
    std::pair(Verbs::kUpsert, "kUpsert"),
    std::pair(Verbs::kRemove, "kRemove"),
    std::pair(Verbs::kRemoveUnchecked, "kRemoveUnchecked"),
    std::pair(Verbs::kExpire, "kExpire"),
    std::pair(Verbs::kTouch, "kTouch"),
    std::pair(Verbs::kTransact, "kTransact"),
    std::pair(Verbs::kRequire, "kRequire"),
    std::pair(Verbs::kMaintain, "kMaintain"),
};

}  // namespace

RequiredActions ActionsOf(const RepositoryDescription& repository) {
  const EntityDescription& entity = repository.entity;
  std::set<std::string> actions;
  const auto when = [&](Verbs verb, std::initializer_list<const char*> needed) {
    if (Declares(repository.verbs, verb)) {
      actions.insert(needed.begin(), needed.end());
    }
  };
  when(Verbs::kRead, {"GetItem"});
  when(Verbs::kReadMany, {"BatchGetItem"});
  when(Verbs::kReadTogether, {"GetItem"});
  when(Verbs::kQuery, {"Query"});
  when(Verbs::kInsert, {"PutItem"});
  when(Verbs::kUpdate, {"UpdateItem"});
  when(Verbs::kModify, {"GetItem", "UpdateItem"});
  when(Verbs::kPatch, {"UpdateItem"});
  when(Verbs::kUpsert, {"UpdateItem"});
  when(Verbs::kRemove, {"DeleteItem"});
  when(Verbs::kRemoveUnchecked, {"DeleteItem"});
  when(Verbs::kExpire, {"UpdateItem"});
  when(Verbs::kTouch, {"UpdateItem"});
  when(Verbs::kRequire, {"ConditionCheckItem"});
  when(Verbs::kMaintain, {"Scan", "GetItem", "PutItem", "UpdateItem"});
  const bool whole_items = entity.fields.size() > kFieldsOfUpdateMax;
  if (repository.writes_on_read) {
    when(Verbs::kRead, {"UpdateItem"});
  }
  if (whole_items && repository.writes_on_read) {
    when(Verbs::kRead, {"PutItem"});
  }
  if (whole_items) {
    when(Verbs::kUpdate, {"PutItem"});
    when(Verbs::kModify, {"PutItem"});
  }
  if (whole_items || entity.lock == Lock::kLastWrite || !entity.unique.empty()) {
    when(Verbs::kUpsert, {"GetItem", "PutItem"});
  }
  if (!entity.unique.empty()) {
    // A changed value frees one guard and takes another.
    when(Verbs::kUpdate, {"PutItem", "DeleteItem"});
    when(Verbs::kModify, {"PutItem", "DeleteItem"});
    when(Verbs::kUpsert, {"DeleteItem"});
    when(Verbs::kMaintain, {"ConditionCheckItem"});
    when(Verbs::kRemoveUnchecked, {"GetItem"});
  }
  RequiredActions required;
  required.on_table.assign(actions.begin(), actions.end());
  if (!repository.indexes.empty() && Declares(repository.verbs, Verbs::kQuery)) {
    required.on_indexes = {"Query"};
  }
  return required;
}

std::vector<std::string> NamesOf(Verbs verbs) {
  std::vector<std::string> names;
  for (const auto& [verb, name] : kNames) {
    if (Declares(verbs, verb)) {
      names.emplace_back(name);
    }
  }
  return names;
}

}  // namespace stator::entities
