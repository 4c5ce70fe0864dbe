#include "base/chunked_body.h"

#include <algorithm>
#include <cstring>

namespace stator::base {
namespace {

// Nobody sends either in earnest, so that these bound abuse, not use.
constexpr std::size_t kExtensionBytesMax = 256;
constexpr std::size_t kTrailerBytesMax = 4096;
constexpr std::size_t kSizeDigitsMax = 16;

}  // namespace

ChunkedBody::State ChunkedBody::Decode(char* base, std::size_t filled) {
  while (raw_begin_ < filled) {
    if (part_ == Part::kData) {
      const std::size_t count =
          static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, filled - raw_begin_));
      std::memmove(base + decoded_, base + raw_begin_, count);
      decoded_ += count;
      raw_begin_ += count;
      chunk_left_ -= count;
      if (chunk_left_ == 0) {
        part_ = Part::kDataEnd;
      }
      continue;
    }
    const State state = TakeByte(base[raw_begin_++]);
    if (state != State::kIncomplete) {
      return state;
    }
  }
  return State::kIncomplete;
}

std::size_t ChunkedBody::Compact(char* base, std::size_t filled) {
  const std::size_t left = filled - raw_begin_;
  std::memmove(base + decoded_, base + raw_begin_, left);
  raw_begin_ = decoded_;
  return decoded_ + left;
}

ChunkedBody::State ChunkedBody::TakeByte(char byte) {
  switch (part_) {
    case Part::kSize:
      if (TakeSizeDigit(byte)) {
        return size_digits_ > kSizeDigitsMax ? State::kMalformed : State::kIncomplete;
      }
      if (size_digits_ == 0) {
        return State::kMalformed;
      }
      line_length_ = 0;
      part_ = byte == '\r' ? Part::kSizeEnd : Part::kExtension;
      return byte == '\r' || byte == ';' || byte == ' ' || byte == '\t' ? State::kIncomplete
                                                                        : State::kMalformed;
    case Part::kExtension:
      if (byte == '\r') {
        part_ = Part::kSizeEnd;
        return State::kIncomplete;
      }
      return byte == '\n' || ++line_length_ > kExtensionBytesMax ? State::kMalformed
                                                                 : State::kIncomplete;
    case Part::kSizeEnd:
      return byte == '\n' ? FinishSizeLine() : State::kMalformed;
    case Part::kDataEnd:
      if (byte != (carriage_return_ ? '\n' : '\r')) {
        return State::kMalformed;
      }
      carriage_return_ = !carriage_return_;
      if (!carriage_return_) {
        part_ = Part::kSize;
      }
      return State::kIncomplete;
    case Part::kTrailer:
      return TakeTrailerByte(byte);
    case Part::kData:
      break;
  }
  return State::kMalformed;
}

ChunkedBody::State ChunkedBody::TakeTrailerByte(char byte) {
  if (++trailer_bytes_ > kTrailerBytesMax) {
    return State::kMalformed;
  }
  if (carriage_return_) {
    if (byte != '\n') {
      return State::kMalformed;
    }
    carriage_return_ = false;
    if (line_length_ == 0) {
      return State::kComplete;
    }
    line_length_ = 0;
  } else if (byte == '\r') {
    carriage_return_ = true;
  } else if (byte == '\n') {
    return State::kMalformed;
  } else {
    ++line_length_;
  }
  return State::kIncomplete;
}

bool ChunkedBody::TakeSizeDigit(char byte) {
  unsigned digit = 0;
  if (byte >= '0' && byte <= '9') {
    digit = static_cast<unsigned>(byte - '0');
  } else if (byte >= 'a' && byte <= 'f') {
    digit = static_cast<unsigned>(byte - 'a') + 10;
  } else if (byte >= 'A' && byte <= 'F') {
    digit = static_cast<unsigned>(byte - 'A') + 10;
  } else {
    return false;
  }
  chunk_left_ = chunk_left_ * 16 + digit;
  ++size_digits_;
  return true;
}

ChunkedBody::State ChunkedBody::FinishSizeLine() {
  size_digits_ = 0;
  line_length_ = 0;
  if (chunk_left_ > body_bytes_max_ - decoded_) {
    return State::kTooLarge;
  }
  part_ = chunk_left_ == 0 ? Part::kTrailer : Part::kData;
  return State::kIncomplete;
}

}  // namespace stator::base
