#include "wire/service_words.h"

namespace stator::wire {

ErrorCode CodeOfValidation(std::string_view message) {
  // "Item size has exceeded…", "Item size to update has exceeded…".
  if (message.starts_with("Item size ") &&
      message.contains("has exceeded the maximum allowed size")) {
    return ErrorCode::kTooLarge;
  }
  if (message.contains("The table does not have the specified index")) {
    return ErrorCode::kIndexNotFound;
  }
  return ErrorCode::kValidation;
}

}  // namespace stator::wire
