// The examples of docs/schema.md and docs/provision.md; test/tools/provision_doc_test.py compares.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "stator/home/open.h"
#include "stator/provision/ensure_table.h"
#include "stator/provision/policy.h"
#include "stator/schema/changes.h"
#include "stator/schema/gtest.h"
#include "stator/stores/entities/repository.h"

namespace stator {
namespace {

struct Invoice {
  std::string number;
  std::int64_t cents = 0;
};
BOOST_DESCRIBE_STRUCT(Invoice, (), (number, cents))

}  // namespace
}  // namespace stator

template <>
struct stator::entities::EntityTraits<stator::Invoice> {
  static constexpr std::string_view kName = "invoice";
  static constexpr KeyTemplate kPartitionKey = {"INVOICE#{number}"};
  static constexpr std::string_view kExpiry = "ttl";
  static constexpr std::chrono::seconds kLife = kForever;
};

namespace stator {
namespace {

using entities::Verbs;
using provision::EnsureMode;
using provision::EnsureReport;
using provision::EnsureTable;
using provision::MakePolicy;
using provision::TableArn;
using provision::TableDifference;
using provision::TableSpec;
using schema::CompareSchemas;
using schema::SchemaChange;

using Invoices = entities::Repository<Invoice, Verbs::kRead | Verbs::kInsert>;

std::filesystem::path SchemaFolder() {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "stator-guide";
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(schema::UpdateSnapshot(schema::SnapshotOf<Invoice>(), folder)->passes);
  std::filesystem::create_directories(folder / "fixtures");
  std::ofstream(schema::FixturePath(folder, "invoice", 1))
      << R"({"number": {"S": "1"}, "cents": {"N": "5"}, "data_version": {"N": "1"}})";
  return folder;
}

// example: the line
TEST(Invoice, IsStoredAsRecorded) {
  EXPECT_TRUE(stator::schema::IsStoredAsRecorded<Invoice>(SchemaFolder()));
}
// end

TEST(Guide, ComparesSchemas) {
  const Map recorded = schema::SnapshotOf<Invoice>();
  Map generated = recorded;
  generated.Find("properties")->If<Map>()->Set("note", Map{{"type", "string"}});
  std::vector<std::string> lines;
  // example: changes
  for (const SchemaChange& change : CompareSchemas(recorded, generated)) {
    lines.push_back(ToText(change));
  }
  // end
  EXPECT_EQ(lines, std::vector<std::string>{
                       "note: optional field added (text); needs the snapshot to be updated"});
}

TEST(Guide, ChecksTables) {
  const std::unique_ptr<Database> opened = Open("memory:").value();
  Database& database = *opened;
  // example: spec
  const TableSpec spec{.name = "invoice",
                       .keys = {{"pk", KeyType::kHash}},
                       .attributes = {{"pk", ScalarAttributeType::kString}},
                       .ttl_attribute = "ttl"};
  // end
  std::vector<std::string> lines;
  // example: ensure
  const Result<EnsureReport> report = EnsureTable(database, spec, EnsureMode::kVerify);
  for (const TableDifference& difference : report->differences) {
    lines.push_back(ToText(difference));
  }
  // end
  EXPECT_EQ(lines, std::vector<std::string>{"there is no such table; wanted: invoice"});
  EXPECT_EQ(schema::TableSpecOf(entities::Describe<Invoice>()).keys, spec.keys);
}

TEST(Guide, MakesPolicies) {
  // example: policy
  const Map policy = MakePolicy({schema::AccessOf(Invoices::Describe(), TableArn("invoice"))});
  // end
  const List& statements = *policy.at("Statement").If<List>();
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_EQ(statements[0].If<Map>()->at("Action"),
            AttributeValue(List{"dynamodb:GetItem", "dynamodb:PutItem"}));
}

}  // namespace
}  // namespace stator
