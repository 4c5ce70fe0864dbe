// For tests: a directory that is removed with everything in it.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <stdlib.h>
#include <string>

#include "base/check.h"

namespace stator::storage {

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(testing::TempDir() + "stator-XXXXXX") {
    CHECK(mkdtemp(path_.data()) != nullptr);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace stator::storage
