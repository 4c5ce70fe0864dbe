// Amazon DynamoDB itself, in the region that STATOR_TEST_AMAZON names, with the credentials that the
// environment has. A test makes its tables there and removes them; others it does not touch, so one
// that is called like a test's makes that test fail. Takes long and costs money.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "base/check.h"
#include "homes/home.h"
#include "homes/settled.h"
#include "stator/api/forwarding_database.h"
#include "stator/home/open.h"

namespace stator::homes {
namespace {

constexpr const char* kRegion = "STATOR_TEST_AMAZON";

// Knows the tables that were made here.
class OwnTables final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<CreateTableOutput> CreateTable(const CreateTableInput& input) override {
    Result<CreateTableOutput> created = ForwardingDatabase::CreateTable(input);
    if (created) {
      names_.insert(input.table_name);
    }
    return created;
  }

  [[nodiscard]] const std::set<std::string>& names() const { return names_; }

 private:
  std::set<std::string> names_;
};

class AmazonDatabase final : public TestDatabase {
 public:
  AmazonDatabase() {
    Result<std::unique_ptr<Database>> opened = Open(std::string("aws:") + std::getenv(kRegion));
    CHECK_THAT(opened.has_value(), opened.error().message);
    client_ = *std::move(opened);
    tables_ = std::make_unique<OwnTables>(*client_);
  }
  ~AmazonDatabase() override {
    for (const std::string& name : tables_->names()) {
      static_cast<void>(client_->DeleteTable({.table_name = name}));
    }
    EXPECT_TRUE(Await([&](const std::string& name) {
      return !client_->DescribeTable({.table_name = name});
    })) << "a table is still there";
  }

  Database& database() override { return *tables_; }
  void Settle() override {
    EXPECT_TRUE(Await([&](const std::string& name) { return IsSettled(*client_, name); }))
        << "the tables do not become active";
  }
  [[nodiscard]] TimePoint Now() const override { return SystemClock().Now(); }
  void Advance(Duration /*duration*/) override { CHECK(false); }
  void Housekeep() override { CHECK(false); }
  void Reopen() override { CHECK(false); }

 private:
  // Whether the condition held for every table within ten minutes.
  template <class Condition>
  bool Await(const Condition& condition) {
    for (int attempt = 0; attempt < 600; ++attempt) {
      if (std::ranges::all_of(tables_->names(), condition)) {
        return true;
      }
      SystemClock().SleepFor(std::chrono::seconds(1));
    }
    return false;
  }

  std::unique_ptr<Database> client_;
  std::unique_ptr<OwnTables> tables_;
};

class AmazonEnvironment final : public testing::Environment {
 public:
  void SetUp() override {
    ASSERT_NE(std::getenv(kRegion), nullptr)
        << kRegion << " must name a region of Amazon, in which the tests may make tables";
  }
};

const RegisteredHome kRegistered(Home{
    .name = "amazon",
    .controls_time = false,
    .keeps_data = false,
    .make = [] { return std::make_unique<AmazonDatabase>(); },
    .prepare =
        [] { testing::AddGlobalTestEnvironment(new AmazonEnvironment); },  // GoogleTest's now
});

}  // namespace
}  // namespace stator::homes
