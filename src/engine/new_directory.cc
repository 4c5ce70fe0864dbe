#include "engine/new_directory.h"

#include <filesystem>
#include <system_error>

namespace stator::engine {

Result<void> CheckIsFree(const std::string& path) {
  std::error_code failed;
  const bool is_free = !std::filesystem::exists(path, failed) ||
                       (std::filesystem::is_empty(path, failed) && !failed);
  if (path.empty() || !is_free) {
    return Fail(ErrorCode::kIo,
                "\"" + path + "\" is there and not empty: give a directory that is to be made");
  }
  return {};
}

}  // namespace stator::engine
