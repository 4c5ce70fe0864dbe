#include "contract/contract_test.h"

#include <gtest/gtest-spi.h>

#include <algorithm>
#include <sstream>

#include "base/check.h"
#include "contract/local_differences.h"
#include "value/dynamodb_json.h"

namespace stator {

void PrintTo(const AttributeValue& value, std::ostream* out) {
  *out << value::ToDynamoDbJson(value);
}

void PrintTo(const Map& map, std::ostream* out) {
  *out << value::ToDynamoDbJson(map);
}

void PrintTo(const Number& number, std::ostream* out) {
  *out << number.ToString();
}

void PrintTo(const Capacity& capacity, std::ostream* out) {
  *out << capacity.capacity_units << " (read " << capacity.read_capacity_units.value_or(-1)
       << ", write " << capacity.write_capacity_units.value_or(-1) << ")";
}

void PrintTo(const ConsumedCapacity& capacity, std::ostream* out) {
  *out << capacity.table_name << ": " << capacity.capacity_units << " (read "
       << capacity.read_capacity_units.value_or(-1) << ", write "
       << capacity.write_capacity_units.value_or(-1) << ") table "
       << (capacity.table ? capacity.table->capacity_units : -1);
  for (const auto* indexes :
       {&capacity.local_secondary_indexes, &capacity.global_secondary_indexes}) {
    for (const auto& [name, units] : *indexes) {
      *out << ", " << name << " " << units.capacity_units;
    }
  }
}

namespace contract {
namespace {

// More pages than any case has; a page that leads to itself must not hang the run.
constexpr int kPagesMax = 10'000;

ScalarAttributeType TypeFrom(char letter) {
  switch (letter) {
    case 'S':
      return ScalarAttributeType::kString;
    case 'N':
      return ScalarAttributeType::kNumber;
    default:
      CHECK(letter == 'B');
      return ScalarAttributeType::kBinary;
  }
}

struct KeyWord {
  std::string name;
  ScalarAttributeType type;
  KeyType role;
};

std::vector<KeyWord> KeyWords(std::string_view keys) {
  std::vector<KeyWord> words;
  KeyType role = KeyType::kHash;
  std::istringstream text{std::string(keys)};
  for (std::string word; text >> word;) {
    if (word == "|") {
      role = KeyType::kRange;
      continue;
    }
    const std::size_t colon = word.rfind(':');
    CHECK_THAT(colon != std::string::npos && colon + 2 == word.size(), word);
    words.push_back({.name = word.substr(0, colon), .type = TypeFrom(word.back()), .role = role});
  }
  return words;
}

void AddDefinitions(std::string_view keys, std::vector<AttributeDefinition>& definitions) {
  for (const AttributeDefinition& definition : Definitions(keys)) {
    if (std::find(definitions.begin(), definitions.end(), definition) == definitions.end()) {
      definitions.push_back(definition);
    }
  }
}

}  // namespace

std::vector<KeySchemaElement> KeySchema(std::string_view keys) {
  std::vector<KeySchemaElement> schema;
  for (const KeyWord& word : KeyWords(keys)) {
    schema.push_back({.attribute_name = word.name, .key_type = word.role});
  }
  return schema;
}

std::vector<AttributeDefinition> Definitions(std::string_view keys) {
  std::vector<AttributeDefinition> definitions;
  for (const KeyWord& word : KeyWords(keys)) {
    definitions.push_back({.attribute_name = word.name, .attribute_type = word.type});
  }
  return definitions;
}

GlobalSecondaryIndex GlobalIndex(const IndexShape& shape) {
  return {.index_name = shape.name,
          .key_schema = KeySchema(shape.keys),
          .projection = shape.projection};
}

Projection Include(std::vector<std::string> attributes) {
  return {.projection_type = ProjectionType::kInclude, .non_key_attributes = std::move(attributes)};
}

Projection KeysOnly() {
  return {.projection_type = ProjectionType::kKeysOnly};
}

CreateTableInput TableInput(const TableShape& shape) {
  CreateTableInput input{.table_name = shape.name,
                         .attribute_definitions = Definitions(shape.keys),
                         .key_schema = KeySchema(shape.keys),
                         .billing_mode = BillingMode::kPayPerRequest};
  for (const IndexShape& index : shape.local) {
    AddDefinitions(index.keys, input.attribute_definitions);
    if (!input.local_secondary_indexes) {
      input.local_secondary_indexes.emplace();
    }
    input.local_secondary_indexes->push_back({.index_name = index.name,
                                              .key_schema = KeySchema(index.keys),
                                              .projection = index.projection});
  }
  for (const IndexShape& index : shape.global) {
    AddDefinitions(index.keys, input.attribute_definitions);
    if (!input.global_secondary_indexes) {
      input.global_secondary_indexes.emplace();
    }
    input.global_secondary_indexes->push_back(GlobalIndex(index));
  }
  if (shape.stream) {
    input.stream_specification =
        StreamSpecification{.stream_enabled = true, .stream_view_type = shape.stream};
  }
  return input;
}

Number N(std::string_view text) {
  const Result<Number> number = Number::Parse(text);
  CHECK_THAT(number.has_value(), text);
  return *number;
}

// While it lives, failures are collected instead of reported.
class ContractTest::ExpectedFailure {
 public:
  explicit ExpectedFailure(std::string_view reason) : reason_(reason) {}

  [[nodiscard]] std::string_view reason() const { return reason_; }

  // Ends the collection; whether there was any failure.
  bool Finish() {
    reporter_.reset();
    for (int i = 0; i < results_.size(); ++i) {
      if (results_.GetTestPartResult(i).failed()) {
        return true;
      }
    }
    return false;
  }

 private:
  std::string_view reason_;
  testing::TestPartResultArray results_;
  std::optional<testing::ScopedFakeTestPartResultReporter> reporter_{
      std::in_place, testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD,
      &results_};
};

ContractTest::ContractTest() {
  const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(info.test_suite_name()) + "." + info.name();
  const std::optional<std::string_view> difference =
      ThisHome().name == "local" ? DifferenceOfLocal(name) : std::nullopt;
  if (difference) {
    expected_failure_ = std::make_unique<ExpectedFailure>(*difference);
  }
  test_database_ = ThisHome().make();
}

ContractTest::~ContractTest() = default;

void ContractTest::TearDown() {
  if (expected_failure_ == nullptr) {
    return;
  }
  if (!expected_failure_->Finish()) {
    FAIL() << "passes now; take it out of local_differences.cc";
  }
  GTEST_SKIP() << "DynamoDB Local differs: " << expected_failure_->reason();
}

void ContractTest::MakeTable(const TableShape& shape) {
  MakeTable(TableInput(shape));
}

void ContractTest::MakeTable(const CreateTableInput& input) {
  ASSERT_TRUE(Succeeds(db().CreateTable(input)));
  home().Settle();
}

TableDescription ContractTest::Describe(const std::string& table) {
  return Must(db().DescribeTable({.table_name = table})).table;
}

void ContractTest::Put(const std::string& table, const Item& item) {
  ASSERT_TRUE(Succeeds(db().PutItem({.table_name = table, .item = item})));
}

std::optional<Item> ContractTest::Get(const std::string& table, const Item& key) {
  return Must(db().GetItem({.table_name = table, .key = key, .consistent_read = true})).item;
}

std::vector<Item> ContractTest::QueryAll(QueryInput input) {
  std::vector<Item> items;
  for (int page = 0; page < kPagesMax; ++page) {
    const QueryOutput output = Must(db().Query(input));
    for (Item& item : output.items.value_or(std::vector<Item>())) {
      items.push_back(std::move(item));
    }
    if (!output.last_evaluated_key) {
      return items;
    }
    input.exclusive_start_key = output.last_evaluated_key;
  }
  ADD_FAILURE() << "the pages do not end";
  return items;
}

std::vector<Item> ContractTest::ScanAll(ScanInput input) {
  std::vector<Item> items;
  for (int page = 0; page < kPagesMax; ++page) {
    const ScanOutput output = Must(db().Scan(input));
    for (Item& item : output.items.value_or(std::vector<Item>())) {
      items.push_back(std::move(item));
    }
    if (!output.last_evaluated_key) {
      return items;
    }
    input.exclusive_start_key = output.last_evaluated_key;
  }
  ADD_FAILURE() << "the pages do not end";
  return items;
}

}  // namespace contract
}  // namespace stator
