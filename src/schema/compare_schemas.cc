// The walk through two schemas at once.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "schema/compare_declarations.h"
#include "schema/compare_types.h"
#include "schema/schema_view.h"
#include "stator/mapping/schema.h"
#include "stator/schema/changes.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

std::string TextOf(const AttributeValue* value) {
  return value == nullptr ? "" : value::ToPlainJson(*value);
}

std::string Below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

class Comparison {
 public:
  Comparison(const Map& before, const Map& after) : before_(before), after_(after) {}

  std::vector<SchemaChange> Run() {
    CompareValues(before_, after_, "");
    const bool same_shape = ShapeHash(before_) == ShapeHash(after_);
    if (DemandOf(changes_) == Demand::kNothing && !same_shape) {
      // A difference that nobody foresaw is not to be let through.
      Add(Change::kTypeChanged, "", "a shape", "another that only its hash tells apart");
    }
    const std::vector<SchemaChange> declared = CompareDeclarations(before_, after_);
    changes_.insert(changes_.end(), declared.begin(), declared.end());
    CompareRetired();
    if (changes_.empty() && before_ != after_) {
      Add(Change::kWordsChanged, "");
    }
    return std::move(changes_);
  }

 private:
  using Properties = std::map<std::string, const Map*>;

  void Add(Change kind, const std::string& path, std::string before = "", std::string after = "",
           std::optional<Demand> demand = std::nullopt) {
    changes_.push_back({.kind = kind,
                        .path = path,
                        .before = std::move(before),
                        .after = std::move(after),
                        .demand = demand.value_or(RuleOf(kind).demand)});
  }

  void CompareValues(const Map& given_before, const Map& given_after, const std::string& path) {
    const Nullable before = WithoutNull(Resolve(before_, given_before));
    const Nullable after = WithoutNull(Resolve(after_, given_after));
    if (before.is_nullable != after.is_nullable) {
      Add(after.is_nullable ? Change::kBecameOptional : Change::kBecameRequired, path,
          Describe(before_, given_before), Describe(after_, given_after));
    }
    const Map& old_schema = Resolve(before_, *before.schema);
    const Map& new_schema = Resolve(after_, *after.schema);
    if (!compared_.emplace(&old_schema, &new_schema).second) {
      return;  // A type that contains itself.
    }
    if (const std::optional<Change> change = CompareTypes(old_schema, new_schema)) {
      Add(*change, path, Describe(before_, old_schema), Describe(after_, new_schema));
      return;
    }
    CompareParts(old_schema, new_schema, path);
  }

  // REQUIRES: both are of the same kind.
  void CompareParts(const Map& before, const Map& after, const std::string& path) {
    switch (KindOf(before)) {
      case Kind::kStruct:
        CompareStructs(before, after, path);
        break;
      case Kind::kEnum:
        CompareNames(NamesAt(before, "enum"), NamesAt(after, "enum"), IsTrueAt(before, "x-open"),
                     path);
        break;
      case Kind::kList:
      case Kind::kSet:
        CompareValues(MapAt(before, "items"), MapAt(after, "items"), path + "[]");
        break;
      case Kind::kDictionary:
        CompareValues(MapAt(before, "additionalProperties"), MapAt(after, "additionalProperties"),
                      path + "{}");
        break;
      case Kind::kVariant:
        CompareVariants(before, after, path);
        break;
      default:
        break;
    }
  }

  // Enumerators, or alternatives of a variant. An open enum reads names that it does not know.
  void CompareNames(const std::set<std::string>& before, const std::set<std::string>& after,
                    bool was_open, const std::string& path) {
    for (const std::string& name : after) {
      if (!before.contains(name)) {
        Add(Change::kEnumeratorAdded, path, "", name,
            was_open ? std::optional(Demand::kUpdate) : std::nullopt);
      }
    }
    for (const std::string& name : before) {
      if (!after.contains(name)) {
        Add(Change::kEnumeratorRemoved, path, name);
      }
    }
  }

  void CompareVariants(const Map& before, const Map& after, const std::string& path) {
    const std::vector<Alternative> old_ones = AlternativesOf(before);
    const std::vector<Alternative> new_ones = AlternativesOf(after);
    if (!old_ones.empty() && !new_ones.empty() &&
        old_ones.front().discriminator != new_ones.front().discriminator) {
      Add(Change::kTypeChanged, path, "told apart by " + old_ones.front().discriminator,
          "by " + new_ones.front().discriminator);
      return;
    }
    std::set<std::string> old_names;
    std::set<std::string> new_names;
    for (const Alternative& alternative : new_ones) {
      new_names.insert(alternative.name);
    }
    for (const Alternative& alternative : old_ones) {
      old_names.insert(alternative.name);
      const auto same = std::ranges::find(new_ones, alternative.name, &Alternative::name);
      if (same != new_ones.end()) {
        CompareValues(*alternative.schema, *same->schema, path + "<" + alternative.name + ">");
      }
    }
    CompareNames(old_names, new_names, /*was_open=*/false, path);
  }

  static Properties PropertiesOf(const Map& schema) {
    Properties properties;
    for (const auto& [name, property] : MapAt(schema, "properties")) {
      if (const Map* map = property.If<Map>()) {
        properties.emplace(name, map);
      }
    }
    return properties;
  }

  void CompareStructs(const Map& before, const Map& after, const std::string& path) {
    const std::set<std::string> was_required = NamesAt(before, "required");
    const std::set<std::string> is_required = NamesAt(after, "required");
    Properties removed = PropertiesOf(before);
    Properties added;
    for (const auto& [name, property] : PropertiesOf(after)) {
      const auto there = removed.find(name);
      if (there == removed.end()) {
        added.emplace(name, property);
        continue;
      }
      CompareField(*there->second, *property, was_required.contains(name),
                   is_required.contains(name), Below(path, name));
      removed.erase(there);
    }
    FindRenamed(removed, added, was_required, is_required, path);
    for (const auto& [name, property] : added) {
      Add(is_required.contains(name) ? Change::kRequiredFieldAdded : Change::kOptionalFieldAdded,
          Below(path, name), "", Describe(after_, *property));
    }
    for (const auto& [name, property] : removed) {
      Add(Change::kFieldRemoved, Below(path, name), Describe(before_, *property));
    }
  }

  void CompareField(const Map& before, const Map& after, bool was_required, bool is_required,
                    const std::string& path) {
    if (was_required != is_required) {
      Add(is_required ? Change::kBecameRequired : Change::kBecameOptional, path);
    } else if (TextOf(before.Find("default")) != TextOf(after.Find("default"))) {
      Add(Change::kDefaultChanged, path, TextOf(before.Find("default")),
          TextOf(after.Find("default")));
    }
    for (const std::string& alias : NamesAt(before, "x-aliases")) {
      if (!NamesAt(after, "x-aliases").contains(alias)) {
        Add(Change::kAliasRemoved, path, alias);
      }
    }
    CompareValues(before, after, path);
  }

  // Takes those out that were renamed: because they say so, or because they look like it.
  void FindRenamed(Properties& removed, Properties& added,
                   const std::set<std::string>& was_required,
                   const std::set<std::string>& is_required, const std::string& path) {
    for (auto field = added.begin(); field != added.end();) {
      const std::set<std::string> aliases = NamesAt(*field->second, "x-aliases");
      const auto former = std::ranges::find_if(
          removed, [&](const auto& other) { return aliases.contains(other.first); });
      const auto likely =
          former == removed.end() ? FindAlike(*field->second, removed, added) : removed.end();
      if (former == removed.end() && likely == removed.end()) {
        ++field;
        continue;
      }
      const auto& [name, property] = former == removed.end() ? *likely : *former;
      const bool has_alias = former != removed.end();
      Add(Change::kFieldRenamed, Below(path, name), name, field->first,
          has_alias ? std::optional(Demand::kUpdate) : std::nullopt);
      if (has_alias) {
        CompareField(*property, *field->second, was_required.contains(name),
                     is_required.contains(field->first), Below(path, field->first));
      }
      removed.erase(has_alias ? former : likely);
      field = added.erase(field);
    }
  }

  // The one removed field of the same type, when no other added field has that type.
  Properties::iterator FindAlike(const Map& field, Properties& removed, const Properties& added) {
    const auto is_alike = [&](const Map& root, const Map& other) {
      return Describe(root, other) == Describe(after_, field);
    };
    const auto alike_added = std::ranges::count_if(
        added, [&](const auto& other) { return is_alike(after_, *other.second); });
    const auto alike_removed = std::ranges::count_if(
        removed, [&](const auto& other) { return is_alike(before_, *other.second); });
    if (alike_added != 1 || alike_removed != 1) {
      return removed.end();
    }
    return std::ranges::find_if(
        removed, [&](const auto& other) { return is_alike(before_, *other.second); });
  }

  void CompareRetired() {
    const std::set<std::string> was_retired = NamesAt(before_, "x-retired");
    const std::set<std::string> is_retired = NamesAt(after_, "x-retired");
    for (const std::string& name : was_retired) {
      if (MapAt(after_, "properties").contains(name)) {
        Add(Change::kRetiredNameUsed, name);
      } else if (!is_retired.contains(name)) {
        Add(Change::kRetiredNameUsed, name, "retired", "forgotten");
      }
    }
  }

  const Map& before_;
  const Map& after_;
  std::vector<SchemaChange> changes_;
  std::set<std::pair<const Map*, const Map*>> compared_;
};

}  // namespace

std::vector<SchemaChange> CompareSchemas(const Map& before, const Map& after) {
  return Comparison(before, after).Run();
}

}  // namespace stator::schema
