// What must not compile. Every case is a type or a Mapping that is wrong in one way, followed by
// the words that the compiler has to say about it, as a comment that begins with "refused:". The
// test check_refusals.py compiles this file, expects it to fail, and looks for all of them.

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "stator/mapping/mapping.h"
#include "stator/mapping/schema.h"

namespace app {

struct NotDescribed {
  int a = 0;
};
enum class NotDescribedEnum { kA };

template <class T>
struct Of {
  T member{};
};
BOOST_DESCRIBE_STRUCT(Of<NotDescribed>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<NotDescribedEnum>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<char>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::string_view>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<int*>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<double>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::vector<unsigned char>>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::set<bool>>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::set<double>>, (), (member))
using MapByInt = std::map<int, int>;
BOOST_DESCRIBE_STRUCT(Of<MapByInt>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::optional<std::set<int>>>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::optional<stator::AttributeValue>>, (), (member))
BOOST_DESCRIBE_STRUCT(Of<std::chrono::sys_time<std::chrono::hours>>, (), (member))
using VariantOfScalars = std::variant<int, std::string>;
BOOST_DESCRIBE_STRUCT(Of<VariantOfScalars>, (), (member))

}  // namespace app

namespace stator {

template <class T>
struct Mapping<app::Of<T>> {
  static constexpr std::string_view kName = "of";
};

template <class T>
void Use() {
  static_cast<void>(ToItem(T()));
}

// refused: this class has no DynamoDB form; write BOOST_DESCRIBE_STRUCT
template void Use<app::Of<app::NotDescribed>>();
// refused: this enum is not described; write BOOST_DESCRIBE_ENUM
template void Use<app::Of<app::NotDescribedEnum>>();
// refused: a character is neither text nor a number
template void Use<app::Of<char>>();
// refused: a member must own what it holds
template void Use<app::Of<std::string_view>>();
template void Use<app::Of<int*>>();
// refused: float and double round what they hold; take stator::Number
template void Use<app::Of<double>>();
// refused: a vector of unsigned char may be meant as bytes or as numbers
template void Use<app::Of<std::vector<unsigned char>>>();
// refused: the members of a set are text, numbers or bytes
template void Use<app::Of<std::set<bool>>>();
// refused: floating-point numbers are too inexact to be told apart in a set
template void Use<app::Of<std::set<double>>>();
// refused: only std::string can be the key of a map
template void Use<app::Of<app::MapByInt>>();
// refused: an optional of an optional or of a set cannot be told from an empty one
template void Use<app::Of<std::optional<std::set<int>>>>();
// refused: an optional AttributeValue cannot be told from a stored NULL
template void Use<app::Of<std::optional<AttributeValue>>>();
// refused: a stored time counts days, or seconds, or decimal parts of them
template void Use<app::Of<std::chrono::sys_time<std::chrono::hours>>>();
// refused: every alternative of a variant must be a described struct
template void Use<app::Of<app::VariantOfScalars>>();
// refused: an item is made of a described struct
template void Use<app::NotDescribed>();

}  // namespace stator

// Mappings that are wrong.

namespace app {

#define DESCRIBED_STRUCT(Name)                   \
  struct Name {                                  \
    int one = 0;                                 \
    int two = 0;                                 \
    std::optional<int> maybe;                    \
    bool operator==(const Name&) const = delete; \
  };                                             \
  BOOST_DESCRIBE_STRUCT(Name, (), (one, two))

DESCRIBED_STRUCT(SameName)
DESCRIBED_STRUCT(SameAlias)
DESCRIBED_STRUCT(Reserved)
DESCRIBED_STRUCT(Retired)
DESCRIBED_STRUCT(NotAMember)
DESCRIBED_STRUCT(NoTime)
DESCRIBED_STRUCT(NotFloating)
DESCRIBED_STRUCT(NotOptional)

struct NotComparable {};
BOOST_DESCRIBE_STRUCT(NotComparable, (), ())
struct OmitsWhatCannotBeCompared {
  NotComparable member;
};
BOOST_DESCRIBE_STRUCT(OmitsWhatCannotBeCompared, (), (member))

struct OmitsOptional {
  std::optional<int> member;
};
BOOST_DESCRIBE_STRUCT(OmitsOptional, (), (member))

struct TwoUnknown {
  stator::UnknownAttributes a;
  stator::UnknownAttributes b;
};
BOOST_DESCRIBE_STRUCT(TwoUnknown, (), (a, b))

struct NoDefault {
  explicit NoDefault(int given) : a(given) {}
  int a;
};
BOOST_DESCRIBE_STRUCT(NoDefault, (), (a))

struct Typed {
  int type = 0;
};
BOOST_DESCRIBE_STRUCT(Typed, (), (type))
struct HasTypedVariant {
  std::vector<std::variant<Typed>> member;
};
BOOST_DESCRIBE_STRUCT(HasTypedVariant, (), (member))

enum class Twice { kA, kB };
BOOST_DESCRIBE_ENUM(Twice, kA, kB)
struct HasTwice {
  Twice member = Twice::kA;
};
BOOST_DESCRIBE_STRUCT(HasTwice, (), (member))

template <class T>
struct Template {
  T member{};
};
BOOST_DESCRIBE_STRUCT(Template<int>, (), (member))

}  // namespace app

namespace stator {

template <>
struct Mapping<app::SameName> {
  static constexpr std::tuple kFields = {Field<&app::SameName::two>({.name = "one"})};
};
template <>
struct Mapping<app::SameAlias> {
  static constexpr std::tuple kFields = {Field<&app::SameAlias::two>({.aliases = {"one"}})};
};
template <>
struct Mapping<app::Reserved> {
  static constexpr std::array<std::string_view, 2> kReserved = {"rev", "two"};
};
template <>
struct Mapping<app::Retired> {
  static constexpr std::array<std::string_view, 1> kRetired = {"one"};
};
template <>
struct Mapping<app::NotAMember> {
  static constexpr std::tuple kFields = {Field<&app::NotAMember::maybe>({.name = "x"})};
};
template <>
struct Mapping<app::NoTime> {
  static constexpr std::tuple kFields = {Field<&app::NoTime::one>({.time = TimeFormat::kSeconds})};
};
template <>
struct Mapping<app::NotFloating> {
  static constexpr std::tuple kFields = {Field<&app::NotFloating::one>({.floating = true})};
};
template <>
struct Mapping<app::NotOptional> {
  static constexpr std::tuple kFields = {Field<&app::NotOptional::one>({.null_when_empty = true})};
};
template <>
struct Mapping<app::OmitsWhatCannotBeCompared> {
  static constexpr std::tuple kFields = {
      Field<&app::OmitsWhatCannotBeCompared::member>({.omit_default = true})};
};
template <>
struct Mapping<app::OmitsOptional> {
  static constexpr std::tuple kFields = {
      Field<&app::OmitsOptional::member>({.omit_default = true})};
};
template <>
struct Mapping<app::Twice> {
  static constexpr std::array kEnumerators = {Enumerator{app::Twice::kA, "kB"}};
};

// refused: CheckNamesDiffer<app::SameName, stator::mapping::ShownName{"one"}>
// refused: two fields have the same stored name or alias
template void Use<app::SameName>();
// refused: CheckNamesDiffer<app::SameAlias, stator::mapping::ShownName{"one"}>
template void Use<app::SameAlias>();
// refused: CheckReservedNames<app::Reserved, stator::mapping::ShownName{"two"}>
// refused: a field has a name that stator::Mapping says is reserved
template void Use<app::Reserved>();
// refused: CheckRetiredNames<app::Retired, stator::mapping::ShownName{"one"}>
// refused: a field has a name that is retired
template void Use<app::Retired>();
// refused: a Field in stator::Mapping is about a member that is not described
template void Use<app::NotAMember>();
// refused: .time is said of a field that holds no time
template void Use<app::NoTime>();
// refused: .floating is said of a field that is neither float nor double
template void Use<app::NotFloating>();
// refused: .null_when_empty is said of a field that is not optional
template void Use<app::NotOptional>();
// refused: .omit_default needs an operator== for the field
template void Use<app::OmitsWhatCannotBeCompared>();
// refused: .omit_default is said of an optional or a set
template void Use<app::OmitsOptional>();
// refused: a struct has at most one member of type UnknownAttributes
template void Use<app::TwoUnknown>();
// refused: a struct that is read must have a default constructor
template Result<app::NoDefault> FromItem<app::NoDefault>(const Item&);
// refused: an alternative of a variant has a field with the name of the discriminator
template void Use<app::HasTypedVariant>();
// refused: two enumerators have the same stored name
template void Use<app::HasTwice>();
// refused: an instance of a template has no stable name
template void Use<app::Template<int>>();

}  // namespace stator
