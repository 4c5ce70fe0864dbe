// What a program says about an entity, as plain data: for tools that make tables, policies and
// schema files without knowing the C++ type. Describe<T>() (entity_traits.h) makes it.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/table_enums.h"
#include "stator/value/attribute_value.h"

namespace stator::entities {

// Where the fields of an entity are in its item. Both are read, whichever is written.
enum class Layout : std::uint8_t {
  kFlat,    // at the top, beside the bookkeeping
  kNested,  // in one map called "data"
};

// What the bookkeeping attributes are called. On disk: an entity cannot change it.
enum class Naming : std::uint8_t {
  kPlain,     // data_version, rev, write_id, last_write, ...
  kPrefixed,  // _v, _rev, _wid, _lw, ...
};

// What a write is conditional on.
enum class Lock : std::uint8_t {
  kRevision,   // a count and a random id; no clock
  kLastWrite,  // milliseconds, for tables that are shared with programs that know nothing else
};

// The attributes that every item has beside its fields.
//
//   data_version  N  the version of the stored shape
//   min_reader    N  the lowest version that a program must know to read the item; often absent
//   revision      N  1 at first, one more with every write (Lock::kRevision)
//   write_id      S  of the latest write
//   write_ids     L  of the latest writes, newest first; so a write is recognised behind others
//   write_tokens  L  ids of writes that had a token (Idempotency); absent unless tokens are used
//   last_write    N  milliseconds; for people, and for Lock::kLastWrite
//   created_at    N  milliseconds, when the entity asks for it
//   data          M  the fields, in Layout::kNested
struct BookkeepingNames {
  std::string_view data_version;
  std::string_view min_reader;
  std::string_view revision;
  std::string_view write_id;
  std::string_view write_ids;
  std::string_view write_tokens;
  std::string_view last_write;
  std::string_view created_at;
  std::string_view data;
};

// On disk; they cannot change.
constexpr BookkeepingNames NamesOf(Naming naming) {
  if (naming == Naming::kPlain) {
    return {.data_version = "data_version",
            .min_reader = "min_reader",
            .revision = "rev",
            .write_id = "write_id",
            .write_ids = "write_ids",
            .write_tokens = "write_tokens",
            .last_write = "last_write",
            .created_at = "created_at",
            .data = "data"};
  }
  return {.data_version = "_v",
          .min_reader = "_min",
          .revision = "_rev",
          .write_id = "_wid",
          .write_ids = "_wids",
          .write_tokens = "_wtok",
          .last_write = "_lw",
          .created_at = "_ct",
          .data = "data"};
}

// An attribute of the table's key or of an index's, and what it is made of.
struct KeyDescription {
  std::string attribute;
  ScalarAttributeType type = ScalarAttributeType::kString;
  // "ACCOUNT#{id}": text, and stored names of fields in braces.
  std::string text;
  std::vector<std::string> fields = {};
  // The attribute is the field itself, not something made of it.
  bool is_field = false;

  friend bool operator==(const KeyDescription&, const KeyDescription&) = default;
};

struct IndexDescription {
  std::string name;
  bool local = false;
  KeyDescription partition_key;
  std::optional<KeyDescription> sort_key = std::nullopt;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> projected = {};  // of kInclude

  friend bool operator==(const IndexDescription&, const IndexDescription&) = default;
};

// A life without end, for EntityTraits::kLife.
inline constexpr std::chrono::seconds kForever = std::chrono::seconds::max();

struct EntityDescription {
  std::string name;  // "account"; the table's name unless a repository is told another

  // Versions of the stored shape: what is read, and what is written.
  std::uint16_t data_version = 1;
  std::uint16_t oldest_version = 1;
  std::uint16_t implicit_version = 1;  // of items that do not say
  std::uint16_t write_as = 1;
  std::optional<std::uint16_t> min_reader = std::nullopt;
  std::vector<std::uint16_t> up_steps = {};    // n: there is a step from n to n + 1
  std::vector<std::uint16_t> down_steps = {};  // n: from n to n - 1

  Layout layout = Layout::kFlat;
  Naming naming = Naming::kPlain;
  Lock lock = Lock::kRevision;
  bool created_at = false;

  KeyDescription partition_key;
  std::optional<KeyDescription> sort_key = std::nullopt;
  std::vector<IndexDescription> indexes = {};
  std::optional<std::string> expiry_attribute = std::nullopt;
  // Of a new one whose write says nothing about it; kForever, and where the expiry is a field: none.
  std::optional<std::chrono::seconds> life = std::nullopt;
  std::vector<std::string> unique = {};    // stored names of fields
  std::vector<std::string> promoted = {};  // fields that Layout::kNested copies to the top
  // The partition key begins with the id of the user who owns the item; for policies.
  bool owner_partitioned = false;

  std::vector<std::string> fields = {};   // stored names, sorted
  std::vector<std::string> retired = {};  // names that no field may have any more
  Map schema = {};                        // SchemaOf<T>(), with x-data-version

  [[nodiscard]] BookkeepingNames names() const { return NamesOf(naming); }
};

}  // namespace stator::entities
