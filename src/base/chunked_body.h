// A body in chunks (RFC 9112, 7.1), decoded in place: chunk sizes, extensions and trailers vanish,
// the contents move together, and what remains is one piece of memory.

#pragma once

#include <cstddef>
#include <cstdint>

namespace stator::base {

class ChunkedBody {
 public:
  enum class State : std::uint8_t { kIncomplete, kComplete, kMalformed, kTooLarge };

  explicit ChunkedBody(std::size_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  // Decodes as much as it can of base[raw_begin(), filled), where `base` is the beginning of the
  // body in memory. The memory may have moved between two calls.
  State Decode(char* base, std::size_t filled);

  // The decoded body is base[0, decoded()).
  [[nodiscard]] std::size_t decoded() const { return decoded_; }

  // Where the first byte stands that is not yet decoded; after kComplete, the next request.
  [[nodiscard]] std::size_t raw_begin() const { return raw_begin_; }

  // Moves the bytes that are not yet decoded down to the decoded ones. Returns the new `filled`.
  std::size_t Compact(char* base, std::size_t filled);

 private:
  enum class Part : std::uint8_t { kSize, kExtension, kSizeEnd, kData, kDataEnd, kTrailer };

  State TakeByte(char byte);
  State TakeTrailerByte(char byte);
  bool TakeSizeDigit(char byte);
  State FinishSizeLine();

  const std::size_t body_bytes_max_;
  Part part_ = Part::kSize;
  std::size_t decoded_ = 0;
  std::size_t raw_begin_ = 0;
  std::uint64_t chunk_left_ = 0;  // of the data, or the size read so far
  std::size_t size_digits_ = 0;
  std::size_t line_length_ = 0;  // of the trailer line, or of chunk extensions
  std::size_t trailer_bytes_ = 0;
  bool carriage_return_ = false;  // the last byte was one
};

}  // namespace stator::base
