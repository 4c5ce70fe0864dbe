// The examples of docs/entities.md. What stands between "example: name" and "end" is quoted there
// word for word; test/tools/entities_doc_test.py compares.

#include <string>

#include "entities/entities_test.h"
#include "stator/stores/entities/backfill_main.h"

namespace shop {

// example: entity
struct Article {
  std::string id;
  std::string title;
  std::int64_t stock = 0;
  std::optional<std::string> shelf = std::nullopt;
};
BOOST_DESCRIBE_STRUCT(Article, (), (id, title, stock, shelf))
// end

}  // namespace shop

// example: traits
template <>
struct stator::entities::EntityTraits<shop::Article> {
  static constexpr std::string_view kName = "article";
  static constexpr KeyTemplate kPartitionKey = {"ARTICLE#{id}"};
  static constexpr std::array kIndexes = {Index{.name = "by_shelf", .partition_key = {"{shelf}"}}};
  static constexpr int kDataVersion = 2;
  static Migrations MakeMigrations() {
    return Migrations().Up(1, [](Item& article) { Rename(article, "name", "title"); });
  }
};
// end

namespace shop {

using stator::Database;
using stator::Result;
using namespace stator::entities;

// example: repository
using Articles = Repository<Article,
                            Verbs::kRead | Verbs::kQuery | Verbs::kInsert | Verbs::kUpdate |
                                Verbs::kModify | Verbs::kPatch | Verbs::kRemove | Verbs::kTransact,
                            "by_shelf">;
// end
using Tools = Repository<Article, Verbs::kMaintain>;

class ArticlesTest : public EntitiesTest {
 protected:
  void SetUp() override {
    articles_ = std::make_unique<Articles>(Open<Articles>());
    Must(articles_->Insert({.id = "a1", .title = "Lamp", .stock = 3}));
  }
  std::unique_ptr<Articles> articles_;
  int answered_ = 0;
  int Answer(int status) { return answered_ = status; }
};

TEST_F(ArticlesTest, Open) {
  Database& database = db();
  // example: open
  const Result<Articles> articles = Articles::Open(database, {.table_name = "article"});
  // end
  EXPECT_TRUE(Succeeds(articles));
}

TEST_F(ArticlesTest, Modify) {
  const Articles& articles = *articles_;
  // example: modify
  const auto sold = articles.Modify({"a1"}, [](Article& article) -> Result<Verdict> {
    if (article.stock == 0) {
      return stator::Invalid("sold out");
    }
    --article.stock;
    return Verdict::kWrite;
  });
  if (!sold) {
    Answer(HttpStatus(sold.error().code));  // 404, 409, 422, 503, ...
  }
  // end
  EXPECT_EQ(sold->data.stock, 2);
  EXPECT_EQ(answered_, 0);
}

TEST_F(ArticlesTest, Patch) {
  const Articles& articles = *articles_;
  // example: patch
  const auto taken = articles.Patch({"a1"}, Add<&Article::stock>(-1).Set<&Article::shelf>("B8"),
                                    Where<&Article::stock>() >= 1);
  // end
  EXPECT_EQ(Must(taken).data.stock, 2);
}

TEST_F(ArticlesTest, Once) {
  using stator::patterns::Idempotency;
  const Articles& articles = *articles_;
  for (int repetition = 0; repetition < 3; ++repetition) {
    // example: once
    const auto paid = articles.Modify({"a1"}, [](Article& article) { ++article.stock; },
                                      {.idempotency = Idempotency::Token("message 17/stock")});
    // end
    EXPECT_EQ(Must(paid).data.stock, 4);
  }
}

TEST_F(ArticlesTest, Update) {
  const Articles& articles = *articles_;
  // example: update
  Versioned<Article> article = **articles.Read({"a1"});
  article.data.title = "Desk lamp";
  const auto updated = articles.Update(article);
  if (!updated) {
    if (const auto conflict = FindConflict<Article>(updated.error())) {
      // conflict->current is what the others left
      // end
      ADD_FAILURE() << conflict->seen_rev;
    }
  }
  EXPECT_EQ(updated->rev(), 2U);
}

TEST_F(ArticlesTest, Query) {
  const Articles& articles = *articles_;
  Must(articles.Modify({"a1"}, [](Article& article) { article.shelf = "B7"; }));
  std::int64_t stock = 0;
  // example: query
  for (const auto& article : articles.QueryIndex<"by_shelf">({"B7"})) {
    if (!article) {
      Answer(HttpStatus(article.error().code));
      break;
    }
    stock += article->data.stock;
  }
  // end
  EXPECT_EQ(stock, 3);
}

TEST_F(ArticlesTest, Transaction) {
  const Articles& articles = *articles_;
  Database& database = db();
  const std::string request_id = "r1";
  const Versioned<Article> lamp = MustFind(articles.Read({"a1"}));
  // example: transaction
  stator::patterns::Transaction transaction(database,
                                            stator::patterns::Idempotency::Token(request_id));
  articles.InsertIn(transaction, {.id = "a2", .title = "Lamp, spare parts"}, "spare parts");
  articles.RemoveIn(transaction, lamp, "lamp");
  const auto outcome = transaction.Commit();
  if (!outcome) {
    const auto changed = articles.CurrentOf(outcome.error(), "lamp");  // nothing: not the reason
    // end
    EXPECT_FALSE(changed);
  }
  EXPECT_TRUE(Succeeds(outcome));
}

int Command(int argc, char** argv, const OpenDatabase& open) {
  // example: backfill command
  // In main; `open` is stator::Open, or whatever makes a Database of what --data says.
  return BackfillMain<Tools>(argc, argv, open);
  // end
}

TEST_F(ArticlesTest, BackfillCommand) {
  std::string program = "backfill";
  std::string mistake = "artcle";
  std::vector<char*> arguments = {program.data(), mistake.data()};
  testing::internal::CaptureStderr();
  EXPECT_EQ(Command(2, arguments.data(), nullptr), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("has no entity artcle"), std::string::npos);
}

TEST_F(ArticlesTest, Backfill) {
  const auto articles = Open<Tools>();
  // example: backfill
  const auto counted = Backfill(articles, {.dry_run = true});
  const auto done = Backfill(articles, {.scan = {.segments = 8, .units_per_second = 200}});
  if (done && done->complete && done->failed == 0) {
    // no item of an old version is left: its step and its fixture may go
    // end
    EXPECT_EQ(counted->versions.at(2), 1U);
  }
  EXPECT_TRUE(done && done->complete);
}

}  // namespace shop
