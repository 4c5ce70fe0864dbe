#include "bulk/packing.h"

#include <array>
#include <utility>
#include <zlib.h>
#include <zstd.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/try.h"

namespace stator::bulk {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr int kGzipWindow = 15 + 16;
constexpr int kGzipLevel = 2;
// What zlib calls a system that is not known; files of the service say so.
constexpr int kUnknownSystem = 255;

std::unexpected<Error> Damaged(const std::string& what) {
  return Fail(ErrorCode::kCorruption, what);
}

class Unpacked final : public Unpacker {
 public:
  Result<void> Add(std::string_view bytes, const BytesSink& take) override { return take(bytes); }
  Result<void> Finish() override { return {}; }
};

class Gunzip final : public Unpacker {
 public:
  Gunzip() { CHECK(inflateInit2(&stream_, kGzipWindow) == Z_OK); }
  ~Gunzip() override { inflateEnd(&stream_); }

  Result<void> Add(std::string_view bytes, const BytesSink& take) override {
    std::array<char, kBufferBytes> plain;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    bool filled = false;
    while (stream_.avail_in > 0 || filled) {
      if (std::exchange(between_members_, false)) {
        CHECK(inflateReset(&stream_) == Z_OK);
      }
      stream_.next_out = reinterpret_cast<Bytef*>(plain.data());
      stream_.avail_out = static_cast<uInt>(plain.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_BUF_ERROR) {
        break;  // it wants more
      }
      if (code != Z_OK && code != Z_STREAM_END) {
        return Damaged("this is no gzip file, or a damaged one");
      }
      TRY_VOID(take({plain.data(), plain.size() - stream_.avail_out}));
      between_members_ = code == Z_STREAM_END;
      filled = stream_.avail_out == 0 && !between_members_;
    }
    return {};
  }
  Result<void> Finish() override {
    return between_members_ ? Result<void>() : Damaged("the gzip file is cut off");
  }

 private:
  z_stream stream_ = {};
  bool between_members_ = false;
};

class Unzstd final : public Unpacker {
 public:
  Unzstd() : stream_(ZSTD_createDStream()) { CHECK(stream_ != nullptr); }
  ~Unzstd() override { ZSTD_freeDStream(stream_); }

  Result<void> Add(std::string_view bytes, const BytesSink& take) override {
    std::array<char, kBufferBytes> plain;
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    bool filled = false;
    while (in.pos < in.size || filled) {
      ZSTD_outBuffer out = {plain.data(), plain.size(), 0};
      const std::size_t left = ZSTD_decompressStream(stream_, &out, &in);
      if (ZSTD_isError(left) != 0) {
        return Damaged("this is no zstd file, or a damaged one");
      }
      TRY_VOID(take({plain.data(), out.pos}));
      between_frames_ = left == 0;
      filled = out.pos == out.size && left != 0;
    }
    return {};
  }
  Result<void> Finish() override {
    return between_frames_ ? Result<void>() : Damaged("the zstd file is cut off");
  }

 private:
  ZSTD_DStream* stream_;
  bool between_frames_ = false;
};

}  // namespace

struct GzipBuffer::State {
  z_stream stream = {};
  gz_header header = {};
  std::string packed;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { deflateEnd(&stream); }

  void Deflate(std::string_view bytes, int flush) {
    std::array<char, kBufferBytes> coded;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(coded.data());
      stream.avail_out = static_cast<uInt>(coded.size());
      CHECK(deflate(&stream, flush) != Z_STREAM_ERROR);
      packed.append(coded.data(), coded.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
};

GzipBuffer::GzipBuffer() : state_(std::make_unique<State>()) {
  CHECK(deflateInit2(&state_->stream, kGzipLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) ==
        Z_OK);
  state_->header.os = kUnknownSystem;
  CHECK(deflateSetHeader(&state_->stream, &state_->header) == Z_OK);
}
GzipBuffer::GzipBuffer(GzipBuffer&&) noexcept = default;
GzipBuffer& GzipBuffer::operator=(GzipBuffer&&) noexcept = default;
GzipBuffer::~GzipBuffer() = default;

void GzipBuffer::Add(std::string_view bytes) {
  state_->Deflate(bytes, Z_NO_FLUSH);
}

std::string GzipBuffer::Finish() {
  state_->Deflate({}, Z_FINISH);
  return std::move(state_->packed);
}

std::unique_ptr<Unpacker> Unpacker::Make(Packing packing) {
  switch (packing) {
    case Packing::kNone:
      return std::make_unique<Unpacked>();
    case Packing::kGzip:
      return std::make_unique<Gunzip>();
    case Packing::kZstd:
      return std::make_unique<Unzstd>();
  }
  std::unreachable();
}

Result<std::string> UnpackObject(Bucket& bucket, const std::string& key, Packing packing,
                                 const BytesSink& take) {
  const std::unique_ptr<Unpacker> unpacker = Unpacker::Make(packing);
  base::DigestSum sum(base::DigestSum::Algorithm::kMd5);
  std::uint64_t offset = 0;
  while (true) {
    const std::string bytes = TRY(bucket.Read(key, offset, kReadBytes));
    if (bytes.empty()) {
      break;
    }
    offset += bytes.size();
    sum.Add(bytes);
    TRY_VOID(unpacker->Add(bytes, take));
  }
  TRY_VOID(unpacker->Finish());
  return sum.Finish();
}

Result<void> LineSplitter::Add(std::string_view bytes) {
  while (true) {
    const std::size_t end = bytes.find('\n');
    rest_ += bytes.substr(0, end);
    if (rest_.size() > kLineBytesMax) {
      return Damaged("a line is longer than any item");
    }
    if (end == std::string_view::npos) {
      return {};
    }
    bytes.remove_prefix(end + 1);
    TRY_VOID(visit_(std::exchange(rest_, {})));
  }
}

Result<void> LineSplitter::Finish() {
  return rest_.empty() ? Result<void>() : visit_(std::exchange(rest_, {}));
}

}  // namespace stator::bulk
