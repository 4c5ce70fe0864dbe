// Pages that the server shows beside DynamoDB's protocol: its own, and those of another part of the
// program below a prefix of their own, which the server knows only by this border.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/access.h"
#include "stator/base/result.h"
#include "wire/http_message.h"

namespace stator::server {

// The texts must outlive the process, except the body and the fields.
struct Page {
  int status = 200;
  std::string body = {};
  std::string_view content_type = "text/plain; charset=utf-8";
  std::string fields = {};                 // further header lines, each with its line end
  std::string_view outcome = "ok";         // for metrics
  std::string_view content_encoding = {};  // of a body that is compressed already
};

struct PageRequest {
  const wire::HttpMessage& message;
  bool accepts_gzip = false;
  // Who asks; the failure for somebody whom the server does not admit.
  const Result<Admission>& admission;
  const std::function<std::string()>& metrics_text;
  std::string_view body = {};
};

// THREADS: asked from many threads at once; on those that serve, so an answer must be quick, unless the
// page says that it waits.
class Pages {
 public:
  Pages() = default;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  virtual ~Pages() = default;

  // Whether a path is one of theirs.
  [[nodiscard]] virtual bool Has(std::string_view path) const = 0;

  // Whether the answer at a path may take long or wait for a disk: it is made where it holds up nobody.
  [[nodiscard]] virtual bool Waits(std::string_view path) const = 0;

  // REQUIRES: Has(the path of the request).
  [[nodiscard]] virtual Page Answer(const PageRequest& request) = 0;
};

}  // namespace stator::server
