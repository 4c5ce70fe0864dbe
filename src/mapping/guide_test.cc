// The code of docs/mapping.md, compiled and run; test/tools/docs_test.py sees that they stay the
// same.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
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

enum class Status { kOpen, kInReview, kPublished };
BOOST_DESCRIBE_ENUM(Status, kOpen, kInReview, kPublished)

struct Author {
  std::string name;
  std::optional<std::string> email;
};
BOOST_DESCRIBE_STRUCT(Author, (), (name, email))

struct Article {
  std::string id;
  Author author;
  Status status = Status::kOpen;
  std::set<std::string> tags;
  std::int32_t views = 0;
};
BOOST_DESCRIBE_STRUCT(Article, (), (id, author, status, tags, views))

struct Review {
  std::string id;
  std::string reviewer_name;
  std::int32_t stars = 3;
  std::chrono::sys_time<std::chrono::milliseconds> written_at;
  std::chrono::sys_seconds expires_at;
  stator::UnknownAttributes rest;
};
BOOST_DESCRIBE_STRUCT(Review, (), (id, reviewer_name, stars, written_at, expires_at, rest))

struct Email {
  std::string address;
};
BOOST_DESCRIBE_STRUCT(Email, (), (address))

struct Sms {
  std::string number;
};
BOOST_DESCRIBE_STRUCT(Sms, (), (number))

struct Subscription {
  std::vector<std::variant<Email, Sms>> channels;
};
BOOST_DESCRIBE_STRUCT(Subscription, (), (channels))

class Percent {
 public:
  Percent() = default;
  explicit Percent(int value) : value_(value) {}

  [[nodiscard]] int value() const { return value_; }

 private:
  int value_ = 0;
};

}  // namespace app

template <>
struct stator::Mapping<app::Status> {
  static constexpr NameStyle kNameStyle = NameStyle::kSnakeCase;  // "in_review"
};

template <>
struct stator::Mapping<app::Review> {
  static constexpr NameStyle kNameStyle = NameStyle::kCamelCase;
  static constexpr std::tuple kFields = {
      Field<&app::Review::reviewer_name>({.aliases = {"author"}}),
      Field<&app::Review::stars>({.required = false}),
      Field<&app::Review::written_at>({.time = TimeFormat::kIso}),
  };
  static constexpr std::array<std::string_view, 2> kReserved = {"pk", "rev"};
};

template <>
struct stator::Mapping<app::Percent> {
  using Stored = std::int32_t;
  static Stored ToStored(const app::Percent& percent) { return percent.value(); }
  static Result<app::Percent> FromStored(Stored stored) {
    if (stored < 0 || stored > 100) {
      return Invalid("a number from 0 to 100");
    }
    return app::Percent(stored);
  }
};

namespace app {
namespace {

using stator::AttributeValue;
using stator::Item;
using stator::List;
using stator::Map;
using stator::StringSet;

TEST(Guide, AnArticleAndBack) {
  Article article = {.id = "a1",
                     .author = {.name = "Ada", .email = std::nullopt},
                     .status = Status::kInReview,
                     .tags = {"engines", "notes"}};
  const stator::Result<Item> item = stator::ToItem(article);
  const stator::Result<Article> back = stator::FromItem<Article>(*item);
  EXPECT_EQ(*item, (Item{{"id", "a1"},
                         {"author", Map{{"name", "Ada"}}},
                         {"status", "in_review"},
                         {"tags", StringSet{"engines", "notes"}},
                         {"views", 0}}));
  EXPECT_EQ(back->status, Status::kInReview);
}

TEST(Guide, AnErrorSaysWhere) {
  const Item item = {{"id", "a1"}, {"author", Map{{"name", 5}}}};
  const stator::Result<Article> article = stator::FromItem<Article>(item);
  EXPECT_EQ(article.error().message, "Article.author.name: expected S, found N");
}

TEST(Guide, OptionsOfAReview) {
  const Item old = {{"id", "r1"},
                    {"author", "Ada"},  // what reviewerName was called before
                    {"writtenAt", "2026-11-16T01:02:03.000Z"},
                    {"expiresAt", 1'794'790'923},
                    {"mood", "good"}};  // written by a newer program
  const Review review = stator::FromItem<Review>(old).value();
  EXPECT_EQ(review.reviewer_name, "Ada");
  EXPECT_EQ(review.stars, 3);  // not there: the value of Review{}
  const Item written = stator::ToItem(review).value();
  EXPECT_EQ(written.at("reviewerName"), AttributeValue("Ada"));
  EXPECT_EQ(written.at("mood"), AttributeValue("good"));
}

TEST(Guide, AVariant) {
  const Subscription subscription = {.channels = {Email{.address = "ada@example.com"}}};
  const Item item = stator::ToItem(subscription).value();
  EXPECT_EQ(item,
            (Item{{"channels", List{Map{{"type", "Email"}, {"address", "ada@example.com"}}}}}));
}

TEST(Guide, UnknownAttributesAreCarried) {
  const Item before = {{"id", "a1"},
                       {"author", Map{{"name", "Ada"}, {"orcid", "0000"}}},
                       {"status", "open"},
                       {"views", 1}};
  Article article = stator::FromItem<Article>(before).value();
  article.views = 2;
  Item after = stator::ToItem(article).value();
  stator::CarryUnknown<Article>(before, after);  // author.orcid is still there
  EXPECT_EQ(after.at("author"), AttributeValue(Map{{"name", "Ada"}, {"orcid", "0000"}}));
}

TEST(Guide, ATypeOfOnesOwn) {
  EXPECT_EQ(stator::ToAttribute(Percent(5)), AttributeValue(5));
  EXPECT_EQ(stator::FromAttribute<Percent>(101).error().message,
            "value: expected a number from 0 to 100, found N");
}

TEST(Guide, WhatTheCompilerKnows) {
  static_assert(stator::AttributeName<&Review::reviewer_name>() == "reviewerName");
  static_assert(stator::HasAttribute<Review>("expiresAt"));
  static_assert(!stator::HasAttribute<Review>("rev"));
}

TEST(Guide, TheSchemaOfAnAuthor) {
  EXPECT_TRUE(stator::SchemaText<Author>().starts_with("{\n  \"$schema\""));
}

}  // namespace
}  // namespace app
