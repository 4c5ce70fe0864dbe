// How files of exports and imports are compressed, a part at a time: no file has to be in memory as a
// whole.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "bulk/bucket.h"
#include "stator/base/result.h"

namespace stator::bulk {

// Bytes to gzip, the header of which says neither when nor where it was made, as those of the service do.
class GzipBuffer {
 public:
  GzipBuffer();
  GzipBuffer(GzipBuffer&&) noexcept;
  GzipBuffer& operator=(GzipBuffer&&) noexcept;
  ~GzipBuffer();

  void Add(std::string_view bytes);
  // The whole file. To be called once, and last.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

enum class Packing : std::uint8_t { kNone, kGzip, kZstd };

using BytesSink = std::function<Result<void>(std::string_view bytes)>;

// The other way. Several gzip members, or zstd frames, may stand one behind the other.
class Unpacker {
 public:
  static std::unique_ptr<Unpacker> Make(Packing packing);
  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;

  // Gives on what comes out. Fails with kCorruption for what is not packed so, and as `take` does.
  virtual Result<void> Add(std::string_view bytes, const BytesSink& take) = 0;
  // Nothing follows: fails with kCorruption when something should.
  virtual Result<void> Finish() = 0;
};

// Reads an object through an unpacker, and returns the MD5, 16 bytes, of what is in the bucket.
Result<std::string> UnpackObject(Bucket& bucket, const std::string& key, Packing packing,
                                 const BytesSink& take);

// Gives whole lines on, without their ends, and keeps what has not ended yet.
class LineSplitter {
 public:
  // A line is an item, twice in an incremental export, as JSON.
  static constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;

  explicit LineSplitter(BytesSink visit) : visit_(std::move(visit)) {}

  // Fails with kCorruption for a line that no item needs, and as `visit` does.
  Result<void> Add(std::string_view bytes);
  Result<void> Finish();

 private:
  BytesSink visit_;
  std::string rest_;
};

}  // namespace stator::bulk
