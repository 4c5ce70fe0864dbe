#include "shell/history_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace stator::shell {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class HistoryFileTest : public testing::Test {
 protected:
  HistoryFileTest() {
    std::string pattern = testing::TempDir() + "history.XXXXXX";
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~HistoryFileTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string Path() const { return folder_ / "history"; }
  [[nodiscard]] unsigned Mode() const {
    return static_cast<unsigned>(fs::status(Path()).permissions() & fs::perms::mask);
  }

  fs::path folder_;
};

TEST_F(HistoryFileTest, KeepsLinesForItsOwnerAlone) {
  const HistoryFile file(Path());
  EXPECT_EQ(file.Load(), Lines());
  file.Append("one");
  file.Append("two");
  EXPECT_EQ(HistoryFile(Path()).Load(), (Lines{"one", "two"}));
  EXPECT_EQ(Mode(), 0600U);
}

TEST_F(HistoryFileTest, ClosesAFileThatOthersCouldRead) {
  std::ofstream(Path()) << "old\n";
  fs::permissions(Path(), fs::perms(0644));
  HistoryFile(Path()).Append("new");
  EXPECT_EQ(Mode(), 0600U);
  EXPECT_EQ(HistoryFile(Path()).Load(), (Lines{"old", "new"}));
}

TEST_F(HistoryFileTest, TwoAtOnceLoseNothing) {
  const HistoryFile one(Path());
  const HistoryFile other(Path());
  one.Append("a");
  other.Append("b");
  one.Append("c");
  EXPECT_EQ(one.Load(), (Lines{"a", "b", "c"}));
}

TEST_F(HistoryFileTest, DoesNotGrowForEver) {
  const HistoryFile file(Path());
  {
    std::ofstream out(Path());
    for (std::size_t line = 0; line < 2 * HistoryFile::kLinesMax; ++line) {
      out << "line " << line << '\n';
    }
  }
  const Lines lines = file.Load();
  ASSERT_EQ(lines.size(), HistoryFile::kLinesMax);
  EXPECT_EQ(lines.back(), "line " + std::to_string(2 * HistoryFile::kLinesMax - 1));
  EXPECT_EQ(file.Load(), lines);
  EXPECT_EQ(Mode(), 0600U);
  std::ifstream in(Path());
  std::string first;
  std::getline(in, first);
  EXPECT_EQ(first, lines.front());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(HistoryFileTest, DoesWithoutAFileThatIsNone) {
  for (const std::string& path :
       {std::string(), folder_.string(), Path() + "/no/such/folder", std::string("/dev/null")}) {
    const HistoryFile file(path);
    file.Append("line");
    EXPECT_EQ(file.Load(), Lines()) << path;
  }
}

}  // namespace
}  // namespace stator::shell
