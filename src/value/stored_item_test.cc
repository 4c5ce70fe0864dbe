// What value/stored_map.h promises of an item that is still its row: it is refused exactly when
// decoding refuses it, and everything that can be asked of it has the answer of the decoded one.

#include "value/stored_item.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "value/arbitrary_values.h"
#include "value/dynamodb_json.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator::value {
namespace {

std::string Encoded(const Item& item) {
  std::string row;
  AppendItem(item, row);
  return row;
}

Item Opened(const Item& item) {
  return OpenItem(Encoded(item)).value();
}

Item Sample() {
  return {{"a", "text"},
          {"b", 12},
          {"c", List{1, Map{{"x", Null{}}}}},
          {"d", StringSet{"p", "q"}},
          {"e", true},
          {"f", Binary{"bytes"}},
          {"g", Map{}}};
}

TEST(StoredItem, IsStillItsRow) {
  const Item item = Opened(Sample());
  ASSERT_NE(item.stored(), nullptr);
  EXPECT_EQ(item.stored()->bytes(), Encoded(Sample()));
  EXPECT_EQ(item.size(), Sample().size());
  EXPECT_FALSE(item.empty());
}

TEST(StoredItem, FindsSomeAndThenAll) {
  const Item sample = Sample();
  const Item item = Opened(sample);
  std::vector<const AttributeValue*> found;
  for (const auto& [name, value] : sample) {
    found.push_back(item.Find(name));
    ASSERT_NE(found.back(), nullptr) << name;
    EXPECT_EQ(*found.back(), value) << name;
    EXPECT_EQ(item.Find(name), found.back()) << "asked again: " << name;
    EXPECT_EQ(item.Find(name + "!"), nullptr);
  }
  EXPECT_EQ(item, sample);
  std::size_t at = 0;
  for (const auto& [name, value] : sample) {
    EXPECT_EQ(*found[at++], value) << "still there: " << name;
  }
}

TEST(StoredItem, FindsNamesInAnyOrder) {
  const Item sample = Sample();
  const std::vector<std::vector<std::string>> orders = {{"g", "a", "d"},
                                                        {"d", "g", "a"},
                                                        {"c", "f", "d", "e"},
                                                        {"b", "0", "cc", "g"},
                                                        {"z", "a", "b"}};
  for (const std::vector<std::string>& names : orders) {
    const Item item = Opened(sample);
    for (const std::string& name : names) {
      const AttributeValue* found = item.Find(name);
      ASSERT_EQ(found != nullptr, sample.contains(name)) << name;
      EXPECT_TRUE(found == nullptr || *found == sample.at(name)) << name;
    }
  }
}

TEST(StoredItem, NamesThatAreNotThere) {
  const Item item = Opened(Sample());
  for (int attempt = 0; attempt < 10; ++attempt) {
    EXPECT_FALSE(item.contains(""));
    EXPECT_FALSE(item.contains("aa"));
    EXPECT_FALSE(item.contains("z"));
  }
  EXPECT_EQ(OpenItem(Encoded({})).value().Find("a"), nullptr);
}

TEST(StoredItem, WhatIsChangedIsNoLongerItsRow) {
  Item changed = Opened(Sample());
  Item expected = Sample();
  changed.Set("b", 13);
  changed.Erase("e");
  changed["h"] = "new";
  expected.Set("b", 13);
  expected.Erase("e");
  expected["h"] = "new";
  EXPECT_EQ(changed.stored(), nullptr);
  EXPECT_EQ(changed, expected);
  EXPECT_EQ(Encoded(changed), Encoded(expected));
  EXPECT_EQ(value::SizeOfItem(changed), value::SizeOfItem(expected));
  EXPECT_EQ(value::ToDynamoDbJson(changed), value::ToDynamoDbJson(expected));
}

TEST(StoredItem, EntriesStayWhereTheyAreWhenItIsChanged) {
  Item item = Opened(Sample());
  const Item& same = item;
  const auto* const first = &*same.begin();
  EXPECT_EQ(&*item.begin(), first);
}

TEST(StoredItem, CopiesAndMoves) {
  const Item item = Opened(Sample());
  Item copy = item;
  EXPECT_EQ(copy, item);
  copy.Set("a", "other");
  EXPECT_EQ(item, Sample());
  EXPECT_NE(copy, item);
  copy = item;
  EXPECT_EQ(copy, Sample());
  const Item moved = std::move(copy);
  EXPECT_EQ(moved, Sample());
  Item other = {{"x", 1}};
  other = Opened(Sample());
  EXPECT_EQ(other, Sample());
  other = Item{{"x", 1}};
  EXPECT_EQ(other.size(), 1U);
  EXPECT_EQ(other.stored(), nullptr);
  other = Opened(Sample());
  EXPECT_TRUE(other.Assign({{"y", 2}}));
  EXPECT_EQ(other, (Item{{"y", 2}}));
}

TEST(StoredItem, MayStandInsideAnother) {
  const Item stored_inside = {{"inner", Opened(Sample())}, {"list", List{Opened(Sample())}}};
  const Item inside = {{"inner", Sample()}, {"list", List{Sample()}}};
  EXPECT_EQ(Encoded(stored_inside), Encoded(inside));
  EXPECT_EQ(value::SizeOfItem(stored_inside), value::SizeOfItem(inside));
  EXPECT_EQ(value::ToDynamoDbJson(stored_inside), value::ToDynamoDbJson(inside));
  EXPECT_EQ(stored_inside, inside);
}

// In any order, and behind the memory they were made in.
TEST(StoredItem, ThoseThatShareMemoryGoOneByOne) {
  for (std::size_t begin = 0; begin < 3; ++begin) {
    std::vector<Item> items;
    std::vector<Item> expected;
    {
      ItemMemory memory;
      for (std::size_t number = 0; number < 60; ++number) {
        const std::size_t bytes = number % 7 == 6 ? 3000 : 10 * number;
        expected.push_back({{"number", number}, {"text", std::string(bytes, 't')}});
        const std::string row = Encoded(expected.back());
        items.push_back(OpenCheckedItem(row, CheckItem(row).value(), memory));
        if (number % 5 == 4) {
          items.erase(items.end() - 2);
          expected.erase(expected.end() - 2);
        }
      }
    }
    EXPECT_EQ(items, expected);
    for (std::size_t at = begin; !items.empty(); at += 7) {
      const auto place = static_cast<std::ptrdiff_t>(at % items.size());
      EXPECT_EQ(items[static_cast<std::size_t>(place)].at("number"),
                expected[static_cast<std::size_t>(place)].at("number"));
      items[static_cast<std::size_t>(place)].Set("number", 0);
      items.erase(items.begin() + place);
      expected.erase(expected.begin() + place);
      EXPECT_EQ(items, expected);
    }
  }
}

// Run under the thread sanitizer by tools that have it; by others for what comes out.
TEST(StoredItem, IsReadByManyAtOnce) {
  for (int round = 0; round < 50; ++round) {
    const Item sample = Sample();
    const Item item = Opened(sample);
    std::vector<std::thread> readers;
    readers.reserve(4);
    for (int reader = 0; reader < 4; ++reader) {
      readers.emplace_back([&] {
        for (const auto& [name, value] : sample) {
          const AttributeValue* found = item.Find(name);
          EXPECT_TRUE(found != nullptr && *found == value);
        }
        EXPECT_EQ(item, sample);
        EXPECT_EQ(value::ToDynamoDbJson(item), value::ToDynamoDbJson(sample));
      });
    }
    for (std::thread& reader : readers) {
      reader.join();
    }
  }
}

RC_GTEST_PROP(StoredItem, ThoseThatShareMemoryAreAsOthers, ()) {
  const auto items = *rc::gen::container<std::vector<Item>>(ArbitraryMap(1));
  ItemMemory memory;
  std::vector<Item> opened;
  for (const Item& item : items) {
    const std::string row = Encoded(item);
    opened.push_back(OpenCheckedItem(row, CheckItem(row).value(), memory));
  }
  for (std::size_t at = 0; at < items.size(); ++at) {
    RC_ASSERT(value::ToDynamoDbJson(opened[at]) == value::ToDynamoDbJson(items[at]));
    RC_ASSERT(opened[at] == items[at]);
  }
}

RC_GTEST_PROP(StoredItem, SaysWhatTheDecodedOneSays, ()) {
  const Item item = *ArbitraryMap(3);
  const Item opened = Opened(item);
  RC_ASSERT(value::SizeOfItem(opened) == value::SizeOfItem(item));
  RC_ASSERT(value::ToDynamoDbJson(opened) == value::ToDynamoDbJson(item));
  RC_ASSERT(Encoded(opened) == Encoded(item));
  RC_ASSERT(opened.size() == item.size());
  for (const auto& [name, value] : item) {
    RC_ASSERT(opened.at(name) == value);
  }
  RC_ASSERT(opened == item);
  RC_ASSERT(opened == Opened(item));
}

RC_GTEST_PROP(StoredItem, IsRefusedWhenDecodingRefuses, ()) {
  std::string row = Encoded(*ArbitraryMap(2));
  row[*rc::gen::inRange<std::size_t>(0, row.size())] = *rc::gen::arbitrary<char>();
  const Result<Item> decoded = DecodeItem(row);
  const Result<Item> opened = OpenItem(row);
  RC_ASSERT(decoded.has_value() == opened.has_value());
  if (decoded) {
    RC_ASSERT(*opened == *decoded);
  } else {
    RC_ASSERT(opened.error().code == ErrorCode::kCorruption);
  }
}

}  // namespace
}  // namespace stator::value
