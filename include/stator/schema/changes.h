// What happened to the stored shape of an entity between two schemas, and what has to be done about
// it before programs that know one meet items that were written by programs that know the other.
//
//   for (const SchemaChange& change : CompareSchemas(recorded, generated)) {
//     std::puts(ToText(change).c_str());
//   }
//
// RULES. A reader keeps attributes that it does not know. The last column is what RuleOf says.
//
//   change                          new reader, old item   old reader, new item   demand
//   field added, optional/default   reads it               reads it               update
//   field added, required           fails                  reads it               bump, step
//   field removed                   reads it               fails if required      bump; retire name
//   field renamed                   fails                  fails                  bump, step, alias
//   type widened                    reads it               may overflow           bump
//   type changed or narrowed        fails                  fails                  bump, step
//   enumerator added                reads it               fails                  bump / open enum
//   enumerator removed              fails                  reads it               bump, step
//   optional became required        fails                  reads it               bump, step
//   required became optional        reads it               fails                  bump
//   constraint tightened            may fail               reads it               bump, step
//   words, order                    reads it               reads it               nothing
//   keys, local index, index
//   changed, expiry changed         another table          another table          a plan for a copy
//   global index added              queries it when made   reads it               `tables apply`;
//                                                                                 backfill if its key
//                                                                                 is in no item yet
//   index removed                   reads it               fails if it queries    update
//   expiry added                    reads it, for ever     reads it when expired  `tables apply`
//   unique field added              has no guard           writes without guard   backfill of guards
//   unique field removed            reads it               keeps to its guard     update
//
// and, beyond these: another default (update; items without the attribute mean something else now),
// an alias that is gone (bump, step), a retired name that is used again (refused).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/value/attribute_value.h"

namespace stator::schema {

enum class Change : std::uint8_t {
  kOptionalFieldAdded,
  kRequiredFieldAdded,
  kFieldRemoved,
  kFieldRenamed,
  kTypeWidened,
  kTypeChanged,
  kEnumeratorAdded,
  kEnumeratorRemoved,
  kBecameRequired,
  kBecameOptional,
  kConstraintTightened,
  kWordsChanged,
  kTableChanged,
  kDefaultChanged,
  kAliasRemoved,
  kRetiredNameUsed,
  kIndexAdded,
  kIndexRemoved,
  kExpiryAdded,
  kUniqueAdded,
  kUniqueRemoved,
};
inline constexpr std::size_t kChangeKinds = 21;

// From nothing to everything.
enum class Demand : std::uint8_t {
  kNothing,
  kUpdate,       // record the new schema
  kApply,        // record it, and let `stator tables apply` change the table
  kBackfill,     // the same, and items that are there have to be completed (entities/maintenance.h)
  kBump,         // a new data version; an empty step will do
  kBumpAndStep,  // a new data version and a step that changes old items
  kPlan,         // no step can do it: a plan for copying the table
  kRefuse,       // take it back
};

struct ChangeRule {
  Change change;
  std::string_view name;           // "required field added"
  std::string_view new_reads_old;  // what a new program does with an old item
  std::string_view old_reads_new;
  Demand demand;
};

const ChangeRule& RuleOf(Change change);

// All rules as a table in Markdown, for guides.
std::string DescribeRules();

struct SchemaChange {
  Change kind;
  std::string path;         // "address.city", "lines[].price", "rates{}"; empty for the whole
  std::string before = {};  // what was there, in a few words
  std::string after = {};
  // That of the rule, or less where the schemas declare that readers are prepared.
  Demand demand = Demand::kNothing;

  friend bool operator==(const SchemaChange&, const SchemaChange&) = default;
};

// Both as SchemaOf or MakeSnapshot make them. Empty when they are equal.
// INVARIANT: if their shape hashes differ, at least one change demands something.
std::vector<SchemaChange> CompareSchemas(const Map& before, const Map& after);

// The greatest of their demands.
Demand DemandOf(const std::vector<SchemaChange>& changes);

// One line for people: "balance: type widened (int32 to int64); needs a new data version".
std::string ToText(const SchemaChange& change);

// "a new data version", ...
std::string_view NameOf(Demand demand);

}  // namespace stator::schema
