// For tests: what the cases of the contract are written with. A case gets an empty database, makes
// its tables by a short description of their keys, and says what it expects in one line.
//
//   using PutItem = ContractTest;
//
//   TEST_F(PutItem, RefusesAnItemWithoutItsKey) {
//     MakeTable({.name = "things", .keys = "pk:S"});
//     EXPECT_TRUE(Refused(db().PutItem({.table_name = "things", .item = {{"a", 1}}}),
//                         "One or more parameter values were invalid: Missing the key pk in the
//                         item"));
//   }

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "homes/home.h"
#include "stator/api/database.h"
#include "stator/value/attribute_value.h"

namespace stator {

// As DynamoDB JSON, so that a failed comparison can be read.
void PrintTo(const AttributeValue& value, std::ostream* out);
void PrintTo(const Map& map, std::ostream* out);
void PrintTo(const Number& number, std::ostream* out);
void PrintTo(const Capacity& capacity, std::ostream* out);
void PrintTo(const ConsumedCapacity& capacity, std::ostream* out);

}  // namespace stator

namespace stator::contract {

using homes::TestDatabase;
using homes::ThisHome;

// Keys are written "pk:S", "pk:S | sk:N", "a:S b:S | c:N d:S": attributes with their types, those
// of the sort key behind the bar.
struct IndexShape {
  std::string name;
  std::string keys;
  Projection projection = {.projection_type = ProjectionType::kAll};
};

struct TableShape {
  std::string name;
  std::string keys;
  std::vector<IndexShape> local = {};
  std::vector<IndexShape> global = {};
  std::optional<StreamViewType> stream = std::nullopt;
};

// An on-demand table of that shape.
CreateTableInput TableInput(const TableShape& shape);
std::vector<KeySchemaElement> KeySchema(std::string_view keys);
std::vector<AttributeDefinition> Definitions(std::string_view keys);
GlobalSecondaryIndex GlobalIndex(const IndexShape& shape);
Projection Include(std::vector<std::string> attributes);
Projection KeysOnly();

// Text of that many bytes.
inline std::string Text(std::size_t bytes) {
  return std::string(bytes, 'x');
}
// A number from its text, which must be one.
Number N(std::string_view text);

template <class T>
testing::AssertionResult Succeeds(const Result<T>& result) {
  if (result) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << NameOf(result.error().code) << ": " << result.error().message;
}

// On a home with words of its own, the code alone counts.
template <class T>
testing::AssertionResult Fails(const Result<T>& result, ErrorCode code, std::string_view message) {
  if (result) {
    return testing::AssertionFailure() << "it succeeded";
  }
  const bool has_message = homes::ThisHome().has_own_words || result.error().message == message;
  if (result.error().code == code && has_message) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << NameOf(result.error().code) << ": " << result.error().message << "\n  expected "
         << NameOf(code) << ": " << message;
}

// With a ValidationException of that message.
template <class T>
testing::AssertionResult Refused(const Result<T>& result, std::string_view message) {
  return Fails(result, ErrorCode::kValidation, message);
}

// For homes whose words are not known: the code alone.
template <class T>
testing::AssertionResult FailsWith(const Result<T>& result, ErrorCode code) {
  if (!result && result.error().code == code) {
    return testing::AssertionSuccess();
  }
  return Succeeds(result) << (result ? "it succeeded" : "") << "\n  expected " << NameOf(code);
}

// What a failed condition showed of the item.
template <class T>
std::optional<Item> ItemInError(const Result<T>& result) {
  const auto* detail =
      result ? nullptr : dynamic_cast<const ConditionFailedDetail*>(result.error().detail.get());
  return detail == nullptr ? std::nullopt : detail->item;
}

// Why a transaction was canceled; empty when it was not.
template <class T>
std::vector<CancellationReason> ReasonsIn(const Result<T>& result) {
  const auto* detail =
      result ? nullptr
             : dynamic_cast<const TransactionCanceledDetail*>(result.error().detail.get());
  return detail == nullptr ? std::vector<CancellationReason>() : detail->cancellation_reasons;
}

// The value; a failure of the test, and an empty value, when there is none.
template <class T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << NameOf(result.error().code) << ": " << result.error().message;
    return T();
  }
  return *std::move(result);
}

// A case that is listed in local_differences.cc runs on DynamoDB Local too. That it fails there is
// how it should be, and counts as skipped.
class ContractTest : public testing::Test {
 protected:
  ContractTest();
  ~ContractTest() override;

  void TearDown() override;

  [[nodiscard]] Database& db() { return test_database_->database(); }
  [[nodiscard]] TestDatabase& home() { return *test_database_; }

  void MakeTable(const TableShape& shape);
  void MakeTable(const CreateTableInput& input);
  [[nodiscard]] TableDescription Describe(const std::string& table);

  void Put(const std::string& table, const Item& item);
  [[nodiscard]] std::optional<Item> Get(const std::string& table, const Item& key);

  // All items, page by page, as often as the answer asks for another page.
  [[nodiscard]] std::vector<Item> QueryAll(QueryInput input);
  [[nodiscard]] std::vector<Item> ScanAll(ScanInput input);

 private:
  class ExpectedFailure;

  std::unique_ptr<ExpectedFailure> expected_failure_;  // null for most
  std::unique_ptr<TestDatabase> test_database_;
};

// For what depends on time.
class TimedContractTest : public ContractTest {
 protected:
  void SetUp() override {
    if (!ThisHome().controls_time) {
      GTEST_SKIP() << "time of the home " << ThisHome().name << " is not ours";
    }
  }
};

// For what has to survive.
class ReopeningContractTest : public ContractTest {
 protected:
  void SetUp() override {
    if (!ThisHome().keeps_data) {
      GTEST_SKIP() << "the home " << ThisHome().name << " keeps nothing";
    }
  }
};

}  // namespace stator::contract
