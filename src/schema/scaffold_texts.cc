#include "schema/scaffold_texts.h"

#include <algorithm>
#include <utility>

namespace stator::schema {
namespace {

using Type = ScaffoldField::Type;

// The texts below say %include, so that whoever looks for the includes of this file finds those
// that it has.
std::string ReplaceAll(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string TypeText(const ScaffoldField& field) {
  const auto plain = [&]() -> std::string {
    switch (field.type) {
      case Type::kText:
        return "std::string";
      case Type::kInteger:
        return "std::int64_t";
      case Type::kNumber:
        return "stator::Number";
      case Type::kBoolean:
        return "bool";
    }
    std::unreachable();
  };
  return field.optional ? "std::optional<" + plain() + ">" : plain();
}

std::string MemberText(const ScaffoldField& field) {
  std::string text = "  " + TypeText(field) + " " + field.name;
  if (!field.optional && field.type == Type::kInteger) {
    text += " = 0";
  } else if (!field.optional && field.type == Type::kBoolean) {
    text += " = false";
  }
  return text + ";\n";
}

// What the fixture and the test have in the field.
std::string SampleText(const ScaffoldField& field) {
  switch (field.type) {
    case Type::kText:
      return "\"" + field.name + "-1\"";
    case Type::kInteger:
    case Type::kNumber:
      return "1";
    case Type::kBoolean:
      return "true";
  }
  std::unreachable();
}

std::string NamesText(const std::vector<ScaffoldField>& fields) {
  std::string text;
  for (const ScaffoldField& field : fields) {
    text += (text.empty() ? "" : ", ") + field.name;
  }
  return text;
}

constexpr std::string_view kTestText = R"(%include "FILE.h"

%include <gtest/gtest.h>

%include <filesystem>
%include <memory>

%include "stator/home/open.h"
%include "stator/provision/ensure_table.h"
%include "stator/schema/gtest.h"

namespace {

TYPE Sample() {
  return {SAMPLE};
}

class TYPETest : public testing::Test {
 protected:
  void SetUp() override {
    const auto table = stator::provision::EnsureTable(
        *database_, stator::schema::TableSpecOf(stator::entities::Describe<TYPE>()),
        stator::provision::EnsureMode::kCreate);
    ASSERT_TRUE(table.has_value()) << table.error().message;
  }

  std::unique_ptr<stator::Database> database_ = stator::Open("memory:").value();
  TYPERepository repository_ = TYPERepository::Open(*database_).value();
};

TEST_F(TYPETest, IsStoredAsRecorded) {
  const std::filesystem::path here = std::filesystem::path(__FILE__).parent_path();
  EXPECT_TRUE(stator::schema::IsStoredAsRecorded<TYPE>(here / "schema"));
}

TEST_F(TYPETest, IsReadAsItWasWritten) {
  ASSERT_TRUE(repository_.Insert(Sample()).has_value());
  const auto read = repository_.Read({KEY});
  ASSERT_TRUE(read.has_value() && read->has_value());
COMPARED}

TEST_F(TYPETest, IsInsertedOnce) {
  ASSERT_TRUE(repository_.Insert(Sample()).has_value());
  const auto second = repository_.Insert(Sample());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, stator::ErrorCode::kAlreadyExists);
}

TEST_F(TYPETest, IsRemovedOnce) {
  const auto seen = repository_.Insert(Sample());
  ASSERT_TRUE(seen.has_value());
  ASSERT_TRUE(repository_.Remove(*seen).has_value());
  EXPECT_FALSE(repository_.Read({KEY})->has_value());
  EXPECT_FALSE(repository_.Remove(*seen).has_value());
}

}  // namespace
)";

}  // namespace

std::vector<ScaffoldField> KeyFieldsOf(const std::vector<ScaffoldField>& keys,
                                       const std::vector<ScaffoldField>& fields) {
  std::vector<ScaffoldField> once;
  for (const ScaffoldField& key : keys) {
    if (std::ranges::find(once, key.name, &ScaffoldField::name) == once.end()) {
      once.push_back(*std::ranges::find(fields, key.name, &ScaffoldField::name));
    }
  }
  return once;
}

std::string HeaderText(const ScaffoldNames& names, const ScaffoldRequest& request,
                       const std::vector<ScaffoldField>& fields) {
  std::string members;
  for (const ScaffoldField& field : fields) {
    members += MemberText(field);
  }
  std::string more;
  if (!request.sort_key.empty()) {
    more += "  static constexpr KeyTemplate kSortKey = {\"" + request.sort_key + "\"};\n";
  }
  if (!request.ttl.empty()) {
    more += "  static constexpr std::string_view kExpiry = \"" + request.ttl + "\";\n";
    more += "  // How long one lives unless its write says otherwise; kForever is possible, too.\n";
    more += "  static constexpr std::chrono::seconds kLife = std::chrono::days(30);\n";
  }
  std::string text =
      R"(// The entity NAME. What is stored is recorded in schema/; the test says what to do when that
// changes.

#pragma once

%include <chrono>
%include <cstdint>
%include <optional>
%include <string>
%include <string_view>

%include "stator/stores/entities/repository.h"

struct TYPE {
MEMBERS};
BOOST_DESCRIBE_STRUCT(TYPE, (), (FIELDS))

template <>
struct stator::entities::EntityTraits<TYPE> {
  static constexpr std::string_view kName = "NAME";
  static constexpr KeyTemplate kPartitionKey = {"PARTITION"};
MORE};

// Name the verbs that the program uses and no others: its access policy is made of them.
using TYPERepository =
    stator::entities::Repository<TYPE, stator::entities::Verbs::kRead |
                                           stator::entities::Verbs::kInsert |
                                           stator::entities::Verbs::kModify |
                                           stator::entities::Verbs::kRemove>;
)";
  text = ReplaceAll(std::move(text), "%include", "#include");
  text = ReplaceAll(std::move(text), "MEMBERS", members);
  text = ReplaceAll(std::move(text), "MORE", more);
  text = ReplaceAll(std::move(text), "FIELDS", NamesText(fields));
  text = ReplaceAll(std::move(text), "PARTITION", request.partition_key);
  text = ReplaceAll(std::move(text), "NAME", names.entity);
  return ReplaceAll(std::move(text), "TYPE", names.type);
}

std::string TestText(const ScaffoldNames& names, const std::vector<ScaffoldField>& fields,
                     const std::vector<ScaffoldField>& key_fields) {
  std::string sample;
  std::string compared;
  for (const ScaffoldField& field : fields) {
    sample += (sample.empty() ? "" : ", ") + ("." + field.name + " = ") + SampleText(field);
    compared += "  EXPECT_EQ((*read)->data." + field.name + ", Sample()." + field.name + ");\n";
  }
  std::string key;
  for (const ScaffoldField& field : key_fields) {
    key += (key.empty() ? "" : ", ") + SampleText(field);
  }
  std::string text(kTestText);
  text = ReplaceAll(std::move(text), "%include", "#include");
  text = ReplaceAll(std::move(text), "SAMPLE", sample);
  text = ReplaceAll(std::move(text), "COMPARED", compared);
  text = ReplaceAll(std::move(text), "KEY", key);
  text = ReplaceAll(std::move(text), "FILE.h", names.file + ".h");
  return ReplaceAll(std::move(text), "TYPE", names.type);
}

}  // namespace stator::schema
