// Files of lines that are compressed with gzip, read and written without ever being in memory as a whole,
// with the checksum of the compressed bytes.

#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "stator/base/result.h"

struct z_stream_s;

namespace stator::copy {

// Calls `visit` with each line, without its end, and returns the MD5 of the file: 16 bytes. Several gzip
// members may stand one behind the other. Fails with kCorruption for what is no gzip file, or a cut one.
Result<std::string> VisitLines(const std::string& path,
                               const std::function<Result<void>(std::string_view line)>& visit);

// A file that is written anew.
class GzipWriter {
 public:
  static Result<GzipWriter> Create(const std::string& path);
  GzipWriter(GzipWriter&&) noexcept;
  GzipWriter& operator=(GzipWriter&&) = delete;
  ~GzipWriter();

  Result<void> Write(std::string_view bytes);
  // Returns the MD5 of the file, once it is whole and on the disk. To be called once, and last.
  Result<std::string> Finish();

 private:
  struct State;

  explicit GzipWriter(std::unique_ptr<State> state);
  Result<void> Deflate(std::string_view bytes, int flush);

  std::unique_ptr<State> state_;
};

}  // namespace stator::copy
