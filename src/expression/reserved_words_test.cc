// The list of reserved words: its ends, its middle, any case, and words that only look like it.

#include "expression/reserved_words.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::expression {
namespace {

TEST(ReservedWords, AreReservedInAnyCase) {
  for (const char* word : {"ABORT", "abort", "Name", "ITEMS", "data", "STATUS", "ttl", "owner",
                           "size", "CONVERT", "zone", "ZONE", "LOCALTIMESTAMP"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, OtherNamesAreFree) {
  for (const std::string& word :
       {std::string("pk"), std::string("names2"), std::string(""), std::string("nam"),
        std::string("remove"), std::string("zonee"), std::string("rev"), std::string(1000, 'A')}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace stator::expression
