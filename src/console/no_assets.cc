#include "console/assets.h"

namespace stator::console {

std::span<const Asset> Assets() {
  return {};
}

}  // namespace stator::console
