// Records of comma-separated values (RFC 4180), from bytes that come in parts. A field in quotes may have
// delimiters, ends of lines and, doubled, quotes. Empty lines are no records.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/result.h"

namespace stator::bulk {

class CsvSplitter {
 public:
  using Visitor = std::function<Result<void>(const std::vector<std::string>& fields)>;

  CsvSplitter(char delimiter, Visitor visit) : delimiter_(delimiter), visit_(std::move(visit)) {}

  // Fails with kSerialization for what is no record, and as `visit` does.
  Result<void> Add(std::string_view bytes);
  Result<void> Finish();

 private:
  enum class Place : std::uint8_t { kFieldBegin, kPlain, kQuoted, kQuoteInQuoted };

  Result<void> Take(char letter);
  void EndField();
  Result<void> EndRecord();

  const char delimiter_;
  const Visitor visit_;
  Place place_ = Place::kFieldBegin;
  std::string field_;
  std::vector<std::string> fields_;
  std::size_t bytes_ = 0;  // of the record
};

}  // namespace stator::bulk
