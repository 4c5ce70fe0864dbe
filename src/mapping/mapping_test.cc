// What mapping.h promises beyond the codecs: what a program can ask while it is compiled, and
// single values.

#include "stator/mapping/mapping.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace stator {
namespace {

struct Task {
  std::string id;
  std::chrono::sys_seconds expires_at;
  std::chrono::sys_seconds due;
  std::optional<std::string> note;
  std::set<int> numbers;
  AttributeValue anything;
};
BOOST_DESCRIBE_STRUCT(Task, (), (id, expires_at, due, note, numbers, anything))

struct Subtask : Task {
  std::string parent;
};
BOOST_DESCRIBE_STRUCT(Subtask, (Task), (parent))

}  // namespace
}  // namespace stator

template <>
struct stator::Mapping<stator::Task> {
  static constexpr std::tuple kFields = {
      Field<&stator::Task::note>({.name = "memo", .aliases = {"remark"}}),
      Field<&stator::Task::due>({.time = TimeFormat::kIso}),
  };
  static constexpr std::array<std::string_view, 2> kReserved = {"pk", "rev"};
};

namespace stator {
namespace {

TEST(Mapping, NamesAreKnownToTheCompiler) {
  static_assert(AttributeName<&Task::note>() == "memo");
  static_assert(AttributeName<&Task::id>() == "id");
  static_assert(AttributeName<&Task::note, Subtask>() == "memo");
  static_assert(AttributeName<&Subtask::parent>() == "parent");
  static_assert(HasAttribute<Task>("memo") && HasAttribute<Task>("remark"));
  static_assert(!HasAttribute<Task>("note"));
  constexpr std::array<std::string_view, 6> kNames = {"anything", "due",  "expires_at",
                                                      "id",       "memo", "numbers"};
  static_assert(StoredNames<Task>() == kNames);
  EXPECT_EQ(StoredNames<Subtask>().size(), 7);
}

TEST(Mapping, TypesAreKnownToTheCompiler) {
  using Type = AttributeValue::Type;
  static_assert(AttributeTypeOf<&Task::id>() == Type::kString);
  static_assert(AttributeTypeOf<&Task::expires_at>() == Type::kNumber);
  static_assert(AttributeTypeOf<&Task::due>() == Type::kString);
  static_assert(AttributeTypeOf<&Task::note>() == Type::kString);
  static_assert(AttributeTypeOf<&Task::numbers>() == Type::kNumberSet);
  static_assert(!AttributeTypeOf<&Task::anything>().has_value());
}

TEST(Mapping, SingleValuesCanBeMapped) {
  EXPECT_EQ(ToAttribute(std::string("a")), AttributeValue("a"));
  EXPECT_EQ(ToAttribute(std::optional<int>()), AttributeValue(Null{}));
  EXPECT_EQ(FromAttribute<std::optional<int>>(5), 5);
  Task task;
  task.id = "t1";
  const AttributeValue attribute = ToAttribute(task).value();
  EXPECT_EQ(FromAttribute<Task>(attribute)->id, "t1");
}

TEST(Mapping, UnknownAttributesAreIgnoredByWhoeverDoesNotKeepThem) {
  const Task task{};
  Item item = ToItem(task).value();
  item.Set("later", 1);
  EXPECT_TRUE(FromItem<Task>(item));
  EXPECT_EQ(UnknownAttributesOf<Task>(item), (Item{{"later", 1}}));
}

}  // namespace
}  // namespace stator
