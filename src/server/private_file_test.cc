// Files with secrets, in all modes that matter.

#include "server/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace stator::server {
namespace {

class PrivateFile : public testing::Test {
 protected:
  PrivateFile() { std::ofstream(path_) << "secret\n"; }
  ~PrivateFile() override { std::filesystem::remove(path_); }

  const std::string path_ =
      testing::TempDir() + "stator-private-file-" + std::to_string(::getpid());
};

TEST_F(PrivateFile, IsReadWhenItIsItsOwnersOrGroups) {
  for (const mode_t mode : {0400, 0600, 0440, 0640}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    EXPECT_EQ(ReadPrivateFile(path_), "secret\n") << mode;
  }
}

TEST_F(PrivateFile, IsRefusedWhenOthersCanReadOrChangeIt) {
  for (const mode_t mode : {0644, 0604, 0602, 0620, 0666, 0777}) {
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    const Result<std::string> text = ReadPrivateFile(path_);
    ASSERT_FALSE(text.has_value()) << mode;
    EXPECT_EQ(text.error().code, ErrorCode::kValidation);
    EXPECT_EQ(text.error().message, "other users can read or change " + path_ +
                                        ", which holds secrets; close it with: chmod 600 " + path_);
  }
}

TEST_F(PrivateFile, ThatIsMissingIsAFailure) {
  const Result<std::string> text = ReadPrivateFile(path_ + "-not");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, ErrorCode::kIo);
  EXPECT_FALSE(ReadPrivateFile(testing::TempDir()).has_value()) << "a directory";
}

}  // namespace
}  // namespace stator::server
