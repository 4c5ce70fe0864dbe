#include "schema/files.h"

#include <fstream>
#include <sstream>

namespace stator::schema {

Result<std::string> ReadText(const std::filesystem::path& file) {
  const std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    return Fail(ErrorCode::kIo, "cannot read " + file.string());
  }
  return std::move(text).str();
}

Result<void> WriteText(const std::filesystem::path& file, std::string_view text) {
  std::error_code error;
  if (file.has_parent_path()) {
    std::filesystem::create_directories(file.parent_path(), error);
  }
  const std::filesystem::path beside = file.string() + ".new";
  std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) {
    return Fail(ErrorCode::kIo, "cannot write " + beside.string());
  }
  std::filesystem::rename(beside, file, error);
  if (error) {
    return Fail(ErrorCode::kIo, "cannot write " + file.string() + ": " + error.message());
  }
  return {};
}

}  // namespace stator::schema
