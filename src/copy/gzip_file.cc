#include "copy/gzip_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <zlib.h>

#include "base/check.h"
#include "base/try.h"

namespace stator::copy {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
// A line is an item, twice in an incremental export, as JSON.
constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;
constexpr int kGzipWindow = 15 + 16;
// What zlib calls a system that is not known; files of the service say so.
constexpr int kUnknownSystem = 255;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

struct EndInflate {
  void operator()(z_stream* stream) const {
    inflateEnd(stream);
    delete stream;
  }
};

std::unexpected<Error> FileError(const std::string& path) {
  return Fail(ErrorCode::kIo, path + ": " + std::strerror(errno));
}

std::unexpected<Error> Damaged(const std::string& path, std::string_view what) {
  return Fail(ErrorCode::kCorruption, path + ": " + std::string(what));
}

// Gives whole lines on, and keeps what has not ended yet.
class LineSplitter {
 public:
  explicit LineSplitter(const std::function<Result<void>(std::string_view)>& visit)
      : visit_(visit) {}

  Result<bool> Add(std::string_view bytes) {
    while (true) {
      const std::size_t end = bytes.find('\n');
      rest_ += bytes.substr(0, end);
      if (rest_.size() > kLineBytesMax) {
        return false;
      }
      if (end == std::string_view::npos) {
        return true;
      }
      bytes.remove_prefix(end + 1);
      TRY_VOID(visit_(std::exchange(rest_, {})));
    }
  }
  Result<void> Finish() { return rest_.empty() ? Result<void>() : visit_(rest_); }

 private:
  const std::function<Result<void>(std::string_view)>& visit_;
  std::string rest_;
};

}  // namespace

Result<std::string> VisitLines(const std::string& path,
                               const std::function<Result<void>(std::string_view line)>& visit) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    return FileError(path);
  }
  const std::unique_ptr<z_stream, EndInflate> stream(new z_stream{});
  CHECK(inflateInit2(stream.get(), kGzipWindow) == Z_OK);
  base::Md5Sum sum;
  LineSplitter lines(visit);
  std::array<char, kBufferBytes> coded;
  std::array<char, kBufferBytes> plain;
  bool between_members = false;
  while (const std::size_t size = std::fread(coded.data(), 1, coded.size(), file.get())) {
    sum.Add({coded.data(), size});
    stream->next_in = reinterpret_cast<Bytef*>(coded.data());
    stream->avail_in = static_cast<uInt>(size);
    while (stream->avail_in > 0) {
      if (std::exchange(between_members, false)) {
        CHECK(inflateReset(stream.get()) == Z_OK);
      }
      stream->next_out = reinterpret_cast<Bytef*>(plain.data());
      stream->avail_out = static_cast<uInt>(plain.size());
      const int code = inflate(stream.get(), Z_NO_FLUSH);
      if (code != Z_OK && code != Z_STREAM_END) {
        return Damaged(path, "this is no gzip file, or a damaged one");
      }
      if (!TRY(lines.Add({plain.data(), plain.size() - stream->avail_out}))) {
        return Damaged(path, "a line is longer than any item");
      }
      between_members = code == Z_STREAM_END;
    }
  }
  if (std::ferror(file.get()) != 0) {
    return FileError(path);
  }
  if (!between_members) {
    return Damaged(path, "the file is cut off");
  }
  TRY_VOID(lines.Finish());
  return sum.Finish();
}

struct GzipWriter::State {
  std::string path;
  File file;
  z_stream stream = {};
  gz_header header = {};
  base::Md5Sum sum;
};

GzipWriter::GzipWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
GzipWriter::GzipWriter(GzipWriter&&) noexcept = default;
GzipWriter::~GzipWriter() {
  if (state_ != nullptr) {
    deflateEnd(&state_->stream);
  }
}

Result<GzipWriter> GzipWriter::Create(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->file.reset(std::fopen(path.c_str(), "wbx"));
  if (state->file == nullptr) {
    return FileError(path);
  }
  CHECK(deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK);
  state->header.os = kUnknownSystem;
  CHECK(deflateSetHeader(&state->stream, &state->header) == Z_OK);
  return GzipWriter(std::move(state));
}

Result<void> GzipWriter::Deflate(std::string_view bytes, int flush) {
  std::array<char, kBufferBytes> coded;
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(coded.data());
    stream.avail_out = static_cast<uInt>(coded.size());
    CHECK(deflate(&stream, flush) != Z_STREAM_ERROR);
    const std::size_t size = coded.size() - stream.avail_out;
    state_->sum.Add({coded.data(), size});
    if (std::fwrite(coded.data(), 1, size, state_->file.get()) != size) {
      return FileError(state_->path);
    }
  } while (stream.avail_out == 0);
  return {};
}

Result<void> GzipWriter::Write(std::string_view bytes) {
  return Deflate(bytes, Z_NO_FLUSH);
}

Result<std::string> GzipWriter::Finish() {
  TRY_VOID(Deflate({}, Z_FINISH));
  if (std::fclose(state_->file.release()) != 0) {
    return FileError(state_->path);
  }
  return state_->sum.Finish();
}

}  // namespace stator::copy
