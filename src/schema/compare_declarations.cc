#include "schema/compare_declarations.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "schema/schema_view.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

std::string TextOf(const AttributeValue* value) {
  return value == nullptr ? "" : value::ToPlainJson(*value);
}

using Indexes = std::map<std::string, const Map*>;

Indexes IndexesOf(const Map& snapshot) {
  Indexes indexes;
  const AttributeValue* const value = snapshot.Find("x-indexes");
  const List* const list = value == nullptr ? nullptr : value->If<List>();
  if (list != nullptr) {
    for (const AttributeValue& index : *list) {
      if (const Map* const declaration = index.If<Map>()) {
        indexes.emplace(TextAt(*declaration, "name"), declaration);
      }
    }
  }
  return indexes;
}

// Whether items have the key of an index already: it is a field at their top.
bool IsField(const Map& key) {
  return key.empty() || TextAt(key, "template") == "{" + TextAt(key, "attribute") + "}";
}

bool NeedsBackfill(const Map& snapshot, const Map& index) {
  return TextAt(snapshot, "x-layout") == "nested" || !IsField(MapAt(index, "partition")) ||
         !IsField(MapAt(index, "sort"));
}

// x-storage without what has changes of its own.
Map StorageOf(const Map& snapshot) {
  Map storage = MapAt(snapshot, "x-storage");
  storage.Erase("unique");
  return storage;
}

class Comparison {
 public:
  Comparison(const Map& before, const Map& after) : before_(before), after_(after) {}

  std::vector<SchemaChange> Run() {
    CompareWhole("x-entity");
    CompareWhole("x-keys");
    CompareIndexes();
    CompareExpiry();
    if (StorageOf(before_) != StorageOf(after_)) {
      Add(Change::kTableChanged, "x-storage", value::ToPlainJson(StorageOf(before_)),
          value::ToPlainJson(StorageOf(after_)));
    }
    CompareUnique();
    return std::move(changes_);
  }

 private:
  void Add(Change kind, const std::string& path, std::string before, std::string after,
           std::optional<Demand> demand = std::nullopt) {
    changes_.push_back({.kind = kind,
                        .path = path,
                        .before = std::move(before),
                        .after = std::move(after),
                        .demand = demand.value_or(RuleOf(kind).demand)});
  }

  void CompareWhole(std::string_view part) {
    const std::string old_text = TextOf(before_.Find(part));
    const std::string new_text = TextOf(after_.Find(part));
    if (old_text != new_text) {
      Add(Change::kTableChanged, std::string(part), old_text, new_text);
    }
  }

  void CompareIndexes() {
    const Indexes old_ones = IndexesOf(before_);
    const Indexes new_ones = IndexesOf(after_);
    for (const auto& [name, index] : new_ones) {
      const auto there = old_ones.find(name);
      if (there == old_ones.end() && !IsTrueAt(*index, "local")) {
        Add(Change::kIndexAdded, "x-indexes." + name, "", value::ToPlainJson(*index),
            NeedsBackfill(after_, *index) ? std::optional(Demand::kBackfill) : std::nullopt);
      } else if (there == old_ones.end() || *there->second != *index) {
        // A local index is made with its table, and none can be changed.
        Add(Change::kTableChanged, "x-indexes." + name,
            there == old_ones.end() ? "" : value::ToPlainJson(*there->second),
            value::ToPlainJson(*index));
      }
    }
    for (const auto& [name, index] : old_ones) {
      if (!new_ones.contains(name)) {
        Add(Change::kIndexRemoved, "x-indexes." + name, value::ToPlainJson(*index), "");
      }
    }
  }

  void CompareExpiry() {
    if (!before_.contains("x-ttl") && after_.contains("x-ttl")) {
      Add(Change::kExpiryAdded, "x-ttl", "", TextAt(after_, "x-ttl"));
    } else {
      CompareWhole("x-ttl");
    }
  }

  void CompareUnique() {
    const std::set<std::string> old_ones = NamesAt(MapAt(before_, "x-storage"), "unique");
    const std::set<std::string> new_ones = NamesAt(MapAt(after_, "x-storage"), "unique");
    for (const std::string& name : new_ones) {
      if (!old_ones.contains(name)) {
        Add(Change::kUniqueAdded, "x-storage.unique." + name, "", name);
      }
    }
    for (const std::string& name : old_ones) {
      if (!new_ones.contains(name)) {
        Add(Change::kUniqueRemoved, "x-storage.unique." + name, name, "");
      }
    }
  }

  const Map& before_;
  const Map& after_;
  std::vector<SchemaChange> changes_;
};

// One declaration of a snapshot by the path of a change: "x-keys", "x-indexes.by_day".
void CopyDeclaration(const Map& snapshot, const std::string& path, Map& to) {
  constexpr std::string_view kIndex = "x-indexes.";
  if (!path.starts_with(kIndex)) {
    if (const AttributeValue* const value = snapshot.Find(path)) {
      to.Set(path, *value);
    }
    return;
  }
  const Indexes indexes = IndexesOf(snapshot);
  if (const auto index = indexes.find(path.substr(kIndex.size())); index != indexes.end()) {
    const AttributeValue* const there = to.Find("x-indexes");
    List list = there == nullptr ? List() : *there->If<List>();
    list.emplace_back(*index->second);
    to.Set("x-indexes", AttributeValue(std::move(list)));
  }
}

}  // namespace

std::vector<SchemaChange> CompareDeclarations(const Map& before, const Map& after) {
  if (!before.contains("x-keys") || !after.contains("x-keys")) {
    return {};
  }
  return Comparison(before, after).Run();
}

std::pair<Map, Map> DeclarationsToCopy(const Map& before, const Map& after) {
  std::pair<Map, Map> declarations;
  for (const SchemaChange& change : CompareDeclarations(before, after)) {
    if (change.demand == Demand::kPlan) {
      CopyDeclaration(before, change.path, declarations.first);
      CopyDeclaration(after, change.path, declarations.second);
    }
  }
  return declarations;
}

}  // namespace stator::schema
