// As much of XML as the answers of S3 need: the text between tags.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"

namespace stator::blobs {

// What stands inside each element of that name, as it is written. Elements of one name must not
// contain each other.
std::vector<std::string_view> FindElements(std::string_view xml, std::string_view name);

// The text of the first element of that name; empty when there is none.
std::string FindText(std::string_view xml, std::string_view name);

// `text` for between two tags.
std::string EscapeXml(std::string_view text);

// "2026-11-16T04:40:22.000Z"; nothing for another form.
std::optional<TimePoint> ParseTime(std::string_view text);

}  // namespace stator::blobs
