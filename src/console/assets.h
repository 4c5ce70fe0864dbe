// The files of the console's page, compressed, as the build made them from console/.

#pragma once

#include <span>
#include <string_view>

namespace stator::console {

struct Asset {
  std::string_view name;  // "main-4FQ2.js", with the hash of its content; the page is "index.html"
  std::string_view content_type;
  std::string_view gzip;
};

// None in a program that was built without (-DSTATOR_CONSOLE=OFF).
std::span<const Asset> Assets();

}  // namespace stator::console
