// Rows as they are on disks out there: test/golden/format/v1/*.txt, one row per line, its meaning
// as DynamoDB JSON, a tabulator, its bytes in hexadecimal. They are read and written as they stand
// there; a line may be added, none may ever be changed.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keyspace/key_part.h"
#include "value/dynamodb_json.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

struct GoldenRow {
  std::string meaning;
  std::string bytes;
};

int HexDigit(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'A' + 10;
}

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<char>(HexDigit(hex[at]) * 16 + HexDigit(hex[at + 1])));
  }
  return bytes;
}

std::vector<GoldenRow> ReadGoldenRows(const std::string& name) {
  std::ifstream file(STATOR_GOLDEN_FORMAT "/v1/" + name);
  std::vector<GoldenRow> rows;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tabulator = line.find('\t');
    if (!line.starts_with('#') && tabulator != std::string::npos) {
      rows.push_back({line.substr(0, tabulator), FromHex(line.substr(tabulator + 1))});
    }
  }
  return rows;
}

TEST(GoldenRows, ItemsOfVersionOne) {
  const std::vector<GoldenRow> rows = ReadGoldenRows("items.txt");
  ASSERT_GE(rows.size(), 10U);
  for (const GoldenRow& row : rows) {
    const Item item = value::ParseDynamoDbItem(row.meaning).value();
    EXPECT_EQ(value::DecodeItem(row.bytes).value(), item) << row.meaning;
    std::string written;
    value::AppendItem(item, written);
    EXPECT_EQ(written, row.bytes) << row.meaning;
  }
}

TEST(GoldenRows, KeyAttributesOfVersionOne) {
  const std::vector<GoldenRow> rows = ReadGoldenRows("key_attributes.txt");
  ASSERT_GE(rows.size(), 10U);
  for (const GoldenRow& row : rows) {
    const AttributeValue value = value::ParseDynamoDbValue(row.meaning).value();
    std::string_view rest = row.bytes;
    EXPECT_EQ(TakeKeyPart(rest).value(), value) << row.meaning;
    EXPECT_TRUE(rest.empty());
    std::string written;
    AppendKeyPart(value, written);
    EXPECT_EQ(written, row.bytes) << row.meaning;
  }
}

}  // namespace
}  // namespace stator::keyspace
