// What must not compile: entities that are wrong in one way each, and verbs that a repository did
// not declare, followed by the words that the compiler has to say about it, as a comment that
// begins with "refused:". The test check_refusals.py compiles this file, expects it to fail, and
// looks for all of them.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "stator/stores/entities/repository.h"

namespace app {

struct Thing {
  std::string id;
  std::string name;
  std::optional<std::string> note;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (id, name, note, count))

struct HasRev {
  std::string id;
  int rev = 0;
};
BOOST_DESCRIBE_STRUCT(HasRev, (), (id, rev))
struct HasPk {
  std::string id;
  std::string pk;
};
BOOST_DESCRIBE_STRUCT(HasPk, (), (id, pk))
struct HasPrefixed {
  std::string id;
  int _wid = 0;
};
BOOST_DESCRIBE_STRUCT(HasPrefixed, (), (id, _wid))

#define THING(name)       \
  struct name : Thing {}; \
  BOOST_DESCRIBE_STRUCT(name, (Thing), ())
THING(NoField)
THING(Optional)
THING(Adjacent)
THING(Braces)
THING(Digits)
THING(Empty)
THING(BadIndex)
THING(Expiring)
THING(Lifeless)
THING(NoMigrations)
THING(Disordered)
THING(NotUniqueField)

}  // namespace app

namespace stator::entities {

#define KEYED(type, text)                                \
  template <>                                            \
  struct EntityTraits<app::type> {                       \
    static constexpr std::string_view kName = "thing";   \
    static constexpr KeyTemplate kPartitionKey = {text}; \
  }
KEYED(Thing, "THING#{id}");
// refused: a field has a name that the key or the bookkeeping of the entity needs
// refused: ShownName{"rev"}
KEYED(HasRev, "THING#{id}");
// refused: ShownName{"pk"}
KEYED(HasPk, "THING#{id}");
// refused: a key template names a field that does not exist
KEYED(NoField, "THING#{nothing}");
// refused: a key cannot be made of a field that may be absent
KEYED(Optional, "THING#{note}");
// refused: two fields of a key template need text between them
KEYED(Adjacent, "{id}{name}");
// refused: a key template has braces that are not of the form
KEYED(Braces, "THING#{id");
// refused: {field:08} is for fields that are numbers
KEYED(Digits, "THING#{id:08}");
// refused: a key template is empty
KEYED(Empty, "");

// refused: ShownName{"_wid"}
template <>
struct EntityTraits<app::HasPrefixed> {
  static constexpr std::string_view kName = "thing";
  static constexpr KeyTemplate kPartitionKey = {"THING#{id}"};
  static constexpr Naming kNaming = Naming::kPrefixed;
};
// refused: an index needs a name, and its keys need an attribute that is no other field
template <>
struct EntityTraits<app::BadIndex> : EntityTraits<app::Thing> {
  static constexpr std::array kIndexes = {
      Index{.name = "by_name", .partition_key = {"NAME#{name}"}}};
};
// refused: an entity that expires cannot have unique fields
template <>
struct EntityTraits<app::Expiring> : EntityTraits<app::Thing> {
  static constexpr std::string_view kExpiry = "ttl";
  static constexpr std::chrono::seconds kLife = kForever;
  static constexpr std::array kUnique = {std::string_view("name")};
};
// refused: an entity with a kExpiry that is no field needs a kLife
template <>
struct EntityTraits<app::Lifeless> : EntityTraits<app::Thing> {
  static constexpr std::string_view kExpiry = "ttl";
};
// refused: an entity with older versions needs MakeMigrations
template <>
struct EntityTraits<app::NoMigrations> : EntityTraits<app::Thing> {
  static constexpr int kDataVersion = 2;
};
// refused: versions have to be 1 <= kOldestVersion <= kWriteAs <= kDataVersion
template <>
struct EntityTraits<app::Disordered> : EntityTraits<app::Thing> {
  static constexpr int kWriteAs = 2;
};
// refused: kUnique or kPromoted names a field that does not exist
template <>
struct EntityTraits<app::NotUniqueField> : EntityTraits<app::Thing> {
  static constexpr std::array kUnique = {std::string_view("email")};
};

template <class T>
void Use() {
  static_cast<void>(Describe<T>());
}

void UseAll() {
  Use<app::HasRev>();
  Use<app::HasPk>();
  Use<app::HasPrefixed>();
  Use<app::NoField>();
  Use<app::Optional>();
  Use<app::Adjacent>();
  Use<app::Braces>();
  Use<app::Digits>();
  Use<app::Empty>();
  Use<app::BadIndex>();
  Use<app::Expiring>();
  Use<app::Lifeless>();
  Use<app::NoMigrations>();
  Use<app::Disordered>();
  Use<app::NotUniqueField>();
}

void UseVerbs(const Repository<app::Thing, Verbs::kRead | Verbs::kModify>& things,
              const Versioned<app::Thing>& thing) {
  static_cast<void>(things.Read({"x"}));
  // refused: Verbs::kInsert>
  static_cast<void>(things.Insert(thing.data));
  // refused: Verbs::kRemove>
  static_cast<void>(things.Remove(thing));
  // refused: a key takes one value for each field that its templates name
  static_cast<void>(things.Read({"x", "y"}));
}

void UseFields() {
  // refused: a field is set to a value of another type
  static_cast<void>(Set<&app::Thing::count>("five"));
  // refused: something is added that is no number like the field
  static_cast<void>(Add<&app::Thing::count>(0.5));
  // refused: a field is removed that may not be missing
  static_cast<void>(Remove<&app::Thing::name>());
  // refused: the key of an entity never changes
  static_cast<void>(Set<&app::Thing::id>("other"));
  // refused: a field is compared with a value of another type
  static_cast<void>(Where<&app::Thing::name>() == 5);
  // refused: only a text begins with another
  static_cast<void>(Where<&app::Thing::count>().BeginsWith("5"));
  // refused: there is no sort key to make a range of
  static_cast<void>(SortKey<app::Thing>::From("x"));
}

// refused: a repository queries an index that its entity does not declare
void UseIndex(const Repository<app::Thing, Verbs::kQuery, "by_name">& things) {
  static_cast<void>(things.table());
}

}  // namespace stator::entities
