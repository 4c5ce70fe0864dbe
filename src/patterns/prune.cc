#include "stator/patterns/prune.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

namespace {

constexpr std::size_t kVisitsMax = 10'000;

struct MembersOf {
  std::vector<AttributeValue> operator()(const StringSet& set) const { return All(set); }
  std::vector<AttributeValue> operator()(const NumberSet& set) const { return All(set); }
  std::vector<AttributeValue> operator()(const BinarySet& set) const { return All(set); }
  std::vector<AttributeValue> operator()(const List& list) const { return list; }
  template <class Other>
  std::vector<AttributeValue> operator()(const Other&) const {
    return {};
  }

  template <class Set>
  static std::vector<AttributeValue> All(const Set& set) {
    return {set.begin(), set.end()};
  }
};

template <class Member>
AttributeValue SetOf(const std::vector<AttributeValue>& members) {
  std::vector<Member> typed;
  typed.reserve(members.size());
  for (const AttributeValue& member : members) {
    typed.push_back(*member.If<Member>());
  }
  return AttributeSet<Member>(std::move(typed));
}

// A set of the same type as `like`.
AttributeValue SetLike(const AttributeValue& like, const std::vector<AttributeValue>& members) {
  if (like.Is<StringSet>()) {
    return SetOf<std::string>(members);
  }
  return like.Is<NumberSet>() ? SetOf<Number>(members) : SetOf<Binary>(members);
}

Update Without(const std::string& attribute, const AttributeValue& references,
               const std::vector<AttributeValue>& stale) {
  const List* list = references.If<List>();
  if (list == nullptr) {
    return Update().Delete(attribute, SetLike(references, stale));
  }
  List rest;
  std::copy_if(list->begin(), list->end(), std::back_inserter(rest), [&](const auto& reference) {
    return std::find(stale.begin(), stale.end(), reference) == stale.end();
  });
  return Update().Set(attribute, std::move(rest));
}

}  // namespace

Pruner::Pruner(Database& database, PrunerOptions options, Environment environment)
    : database_(&database), options_(std::move(options)), environment_(environment) {}

Result<PruneOutcome> Pruner::Prune(const Item& holder_key) {
  const std::string key_text = KeyText(holder_key);
  const Duration now = environment_.clock->Elapsed();
  std::size_t begin = 0;
  {
    const MutexLock lock(mutex_);
    if (const auto visit = visits_.find(key_text); visit != visits_.end()) {
      if (now - visit->second.at < options_.interval) {
        return PruneOutcome{.too_early = true};
      }
      begin = visit->second.next;
    }
    if (visits_.size() >= kVisitsMax) {
      visits_.clear();
    }
    visits_[key_text] = {.at = now, .next = 0};
  }
  Result<std::optional<Item>> holder =
      LiveItems(*database_, {}, environment_).Get(options_.holder, holder_key);
  if (!holder) {
    return std::unexpected(std::move(holder).error());
  }
  const Item found = std::move(*holder).value_or(Item());
  const AttributeValue* references = found.Find(options_.attribute);
  if (references == nullptr) {
    return PruneOutcome();
  }
  std::vector<AttributeValue> checked = references->Visit(MembersOf());
  begin = begin < checked.size() ? begin : 0;
  const std::size_t end = std::min(checked.size(), begin + options_.checked_max);
  checked = {checked.begin() + static_cast<std::ptrdiff_t>(begin),
             checked.begin() + static_cast<std::ptrdiff_t>(end)};

  std::vector<Item> keys;
  keys.reserve(checked.size());
  for (const AttributeValue& reference : checked) {
    keys.push_back(options_.key_of(reference));
  }
  const BatchReadOutcome read =
      BatchReader(*database_, {}, environment_)
          .Read(options_.target, keys, {.attributes = options_.target.key_attributes});
  if (read.error) {
    return std::unexpected(*read.error);
  }
  std::vector<AttributeValue> stale;
  for (std::size_t index = 0; index < checked.size(); ++index) {
    if (!read.items[index]) {
      stale.push_back(checked[index]);
    }
  }
  PruneOutcome outcome{.checked = checked.size()};
  if (!stale.empty()) {
    Condition condition = ItemExists(options_.holder);
    if (references->Is<List>()) {
      condition = std::move(condition) && Attribute(options_.attribute) == *references;
    }
    const Result<UpdateItemOutput> done = database_->UpdateItem(
        MakeUpdate(options_.holder.table_name, holder_key,
                   Without(options_.attribute, *references, stale), condition));
    if (!done && done.error().code != ErrorCode::kConditionFailed) {
      return std::unexpected(done.error());
    }
    outcome.changed = !done;
    outcome.removed = done ? stale.size() : 0;
  }
  const MutexLock lock(mutex_);
  visits_[key_text].next = outcome.changed ? begin : end - outcome.removed;
  return outcome;
}

}  // namespace stator::patterns
