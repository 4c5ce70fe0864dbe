#include "bulk/csv.h"

#include "base/try.h"
#include "bulk/packing.h"

namespace stator::bulk {
namespace {

std::unexpected<Error> Malformed(const std::string& what) {
  return Fail(ErrorCode::kSerialization, "this is no record of comma-separated values: " + what);
}

}  // namespace

Result<void> CsvSplitter::Add(std::string_view bytes) {
  for (const char letter : bytes) {
    if (++bytes_ > LineSplitter::kLineBytesMax) {
      return Malformed("it is longer than any item");
    }
    TRY_VOID(Take(letter));
  }
  return {};
}

Result<void> CsvSplitter::Take(char letter) {
  switch (place_) {
    case Place::kQuoted:
      if (letter == '"') {
        place_ = Place::kQuoteInQuoted;
      } else {
        field_ += letter;
      }
      return {};
    case Place::kQuoteInQuoted:
      if (letter == '"') {
        field_ += letter;
        place_ = Place::kQuoted;
        return {};
      }
      if (letter != delimiter_ && letter != '\n' && letter != '\r') {
        return Malformed("something follows a closing quote");
      }
      break;
    case Place::kFieldBegin:
      if (letter == '"') {
        place_ = Place::kQuoted;
        return {};
      }
      break;
    case Place::kPlain:
      break;
  }
  if (letter == delimiter_) {
    EndField();
    return {};
  }
  if (letter == '\n') {
    return EndRecord();
  }
  if (place_ == Place::kQuoteInQuoted) {
    return {};  // the first half of an end of line
  }
  place_ = Place::kPlain;
  field_ += letter;
  return {};
}

void CsvSplitter::EndField() {
  fields_.push_back(std::exchange(field_, {}));
  place_ = Place::kFieldBegin;
}

Result<void> CsvSplitter::EndRecord() {
  if (place_ == Place::kPlain && field_.ends_with('\r')) {
    field_.pop_back();
  }
  const bool is_blank = fields_.empty() && field_.empty() && place_ != Place::kQuoteInQuoted;
  EndField();
  const std::vector<std::string> fields = std::exchange(fields_, {});
  bytes_ = 0;
  return is_blank ? Result<void>() : visit_(fields);
}

Result<void> CsvSplitter::Finish() {
  if (place_ == Place::kQuoted) {
    return Malformed("a quote is not closed");
  }
  return bytes_ == 0 ? Result<void>() : EndRecord();
}

}  // namespace stator::bulk
