// Cursors of task lists: a place in the list of one owner, as text that clients hand back unread.
//
// FORMAT: base64url without padding of: version (1 byte, 1), the first 8 bytes of the SHA-256 of
// the owner, createdAt (24 bytes), task id.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

std::string EncodeCursor(std::string_view owner, const ListPosition& position);

// Nothing when the text is not a cursor, or one of another owner.
std::optional<ListPosition> DecodeCursor(std::string_view owner, std::string_view cursor);

}  // namespace stator::tasks
