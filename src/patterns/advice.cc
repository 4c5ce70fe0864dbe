#include "stator/patterns/advice.h"

#include <utility>

namespace stator::patterns {

std::string AdviceFor(ErrorCode code, std::string_view table, std::string_view store) {
  const std::string name(table);
  const std::string what = " --for " + std::string(store) + "` ";
  switch (code) {
    case ErrorCode::kTableNotFound:
      return "table " + name + " not found; `stator tables create" + what + "makes it";
    case ErrorCode::kIndexNotFound:
      return "table " + name + " lacks an index that is read; `stator tables verify" + what +
             "says which, `stator tables apply" + what + "adds it";
    default:
      return "the credentials do not allow access to table " + name + "; `stator tables policy" +
             what + "prints what they need";
  }
}

Error WithAdvice(Error error, std::string_view table, std::string_view store) {
  if (IsConfiguration(error.code)) {
    error.message = AdviceFor(error.code, table, store);
  }
  return error;
}

}  // namespace stator::patterns
