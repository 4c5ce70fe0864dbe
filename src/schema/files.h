// Text files as a whole.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::schema {

// Fails with kIo.
Result<std::string> ReadText(const std::filesystem::path& file);

// Makes the folder as well. Writes beside the file and renames, so nobody reads half of it.
Result<void> WriteText(const std::filesystem::path& file, std::string_view text);

}  // namespace stator::schema
