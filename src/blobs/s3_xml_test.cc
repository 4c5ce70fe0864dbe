// The little XML of S3's answers.

#include "blobs/s3_xml.h"

#include <gtest/gtest.h>

namespace stator::blobs {
namespace {

TEST(S3Xml, FindsElementsByTheirWholeName) {
  const std::string_view xml =
      "<?xml version=\"1.0\"?><R xmlns=\"http://x\"><KeyCount>2</KeyCount>"
      "<Contents><Key>a&amp;b&lt;&quot;&#39;</Key></Contents><Contents><Key>c</Key></Contents></R>";
  ASSERT_EQ(FindElements(xml, "Contents").size(), 2U);
  EXPECT_EQ(FindText(FindElements(xml, "Contents")[0], "Key"), "a&b<\"'");
  EXPECT_EQ(FindText(xml, "KeyCount"), "2");
  EXPECT_EQ(FindText(xml, "Key"), "a&b<\"'");
  EXPECT_EQ(FindText(xml, "Nothing"), "");
  EXPECT_EQ(FindText("<R xmlns=\"x\">y</R>", "R"), "y");
}

TEST(S3Xml, SurvivesWhatIsNoXml) {
  for (const char* text :
       {"", "<", "<Key", "<Key>", "<Key>a", "<Key>a</Ke", "</Key>", "<Key<Key"}) {
    EXPECT_EQ(FindText(text, "Key"), "") << text;
  }
}

TEST(S3Xml, EscapesWhatMeansSomething) {
  EXPECT_EQ(EscapeXml("\"a&b\"<>'"), "&quot;a&amp;b&quot;&lt;&gt;&apos;");
}

TEST(S3Xml, ReadsTimes) {
  const TimePoint expected = TimePoint(std::chrono::sys_days(std::chrono::year(2026) / 11 / 16)) +
                             std::chrono::hours(4) + std::chrono::minutes(40) +
                             std::chrono::seconds(22);
  EXPECT_EQ(ParseTime("2026-11-16T04:40:22.000Z"), expected);
  EXPECT_EQ(ParseTime("2026-11-16T04:40:22Z"), expected);
  for (const char* text : {"", "2026-11-16", "2026-13-16T04:40:22Z", "2026-11-16T04:40:22", "x"}) {
    EXPECT_FALSE(ParseTime(text)) << text;
  }
}

}  // namespace
}  // namespace stator::blobs
