#include "stores/sessions/size_guard.h"

#include <utility>

#include "base/limits.h"
#include "stores/sessions/failures.h"
#include "value/size.h"

namespace stator::sessions {
namespace {

struct Largest {
  const AttributeValue* value = nullptr;
  std::string step = {};
  std::size_t bytes = 0;

  void Consider(const AttributeValue& candidate, std::string name) {
    if (const std::size_t size = value::SizeOf(candidate); size > bytes) {
      *this = {.value = &candidate, .step = std::move(name), .bytes = size};
    }
  }
};

Largest LargestOf(const Map& map, bool top) {
  Largest largest;
  for (const auto& [name, value] : map) {
    largest.Consider(value, (top ? "" : ".") + name);
  }
  return largest;
}

Largest LargestOf(const List& list) {
  Largest largest;
  for (std::size_t at = 0; at < list.size(); ++at) {
    largest.Consider(list[at], "[" + std::to_string(at) + "]");
  }
  return largest;
}

}  // namespace

std::string PathOfLargest(const Item& item) {
  Largest largest = LargestOf(item, /*top=*/true);
  std::string path = largest.step;
  while (largest.value != nullptr) {
    Largest inner;
    if (const Map* map = largest.value->If<Map>(); map != nullptr) {
      inner = LargestOf(*map, /*top=*/false);
    } else if (const List* list = largest.value->If<List>(); list != nullptr) {
      inner = LargestOf(*list);
    }
    if (inner.bytes * 2 <= largest.bytes) {
      break;
    }
    path += inner.step;
    largest = inner;
  }
  return path;
}

Result<void> CheckSize(const Item& item, std::size_t reserve) {
  const std::size_t bytes = value::SizeOfItem(item) + reserve;
  if (bytes <= limits::kItemBytesMax) {
    return {};
  }
  const std::string path = PathOfLargest(item);
  return std::unexpected(MakeError(ErrorCode::kTooLarge,
                                   "the record would have " + std::to_string(bytes) + " bytes of " +
                                       std::to_string(limits::kItemBytesMax) +
                                       " allowed; most of them in " + path,
                                   {.path = path, .bytes = bytes}));
}

}  // namespace stator::sessions
