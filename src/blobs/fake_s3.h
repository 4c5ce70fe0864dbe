// For tests: as much of S3 as blobs use, in memory, behind the transport. It can be told to fail.

#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "blobs/s3_xml.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "transport/http.h"
#include "wire/http_date.h"
#include "wire/uri_text.h"

namespace stator::blobs {

class FakeS3 final : public transport::Transport {
 public:
  using Request = transport::HttpRequest;
  using Response = transport::HttpResponse;

  struct Sent {
    std::string method;
    std::string url;
    transport::HeaderFields fields;
    std::size_t body_bytes;

    [[nodiscard]] std::string Field(std::string_view name) const {
      for (const auto& [key, value] : fields) {
        if (key == name) {
          return value;
        }
      }
      return {};
    }
  };

  // What happens to the next requests of a method instead of an answer, or after it.
  struct Fault {
    std::string method;  // empty: any
    int status = 0;      // answered without doing anything; 0: the answer is lost
    std::string body = {};
    bool was_done = false;  // it took effect, and only the answer is lost
    transport::HeaderFields fields = {};
  };

  struct Object {
    std::string bytes;
    TimePoint written_at;
  };

  explicit FakeS3(Clock& clock) : clock_(&clock) {}

  void Break(Fault fault) {
    const MutexLock lock(mutex_);
    faults_.push_back(std::move(fault));
  }
  void BreakWith(int status, const std::string& name, const std::string& method = "") {
    Break({.method = method,
           .status = status,
           .body = "<Error><Code>" + name + "</Code><Message>told to</Message></Error>"});
  }

  Result<Response> Send(const Request& request) override {
    const MutexLock lock(mutex_);
    sent.push_back({request.method, request.url, request.fields, request.body.size()});
    if (!faults_.empty() &&
        (faults_.front().method.empty() || faults_.front().method == request.method)) {
      const Fault fault = faults_.front();
      faults_.pop_front();
      if (fault.was_done) {
        static_cast<void>(Answer(request));
      }
      if (fault.status == 0) {
        return Fail(ErrorCode::kIo, "the answer was lost");
      }
      return Response{.status = fault.status, .fields = fault.fields, .body = fault.body};
    }
    return Answer(request);
  }

  std::vector<Sent> sent;
  std::map<std::string, Object> objects;                      // by path
  std::map<std::string, std::map<int, std::string>> uploads;  // by upload id
  std::map<std::string, std::string> upload_paths;
  std::size_t page = 1000;
  bool knows_conditions = true;

 private:
  struct Target {
    std::string path;
    std::map<std::string, std::string> query;
  };

  static Target Parse(const std::string& url) {
    const std::size_t host = url.find("://") + 3;
    const std::size_t slash = url.find('/', host);
    const std::size_t mark = std::min(url.find('?', slash), url.size());
    Target target{.path = wire::PercentDecoded(url.substr(slash, mark - slash)), .query = {}};
    std::string rest = mark < url.size() ? url.substr(mark + 1) : "";
    while (!rest.empty()) {
      const std::string part = rest.substr(0, rest.find('&'));
      rest.erase(0, part.size() + 1);
      target.query[part.substr(0, part.find('='))] =
          wire::PercentDecoded(part.substr(part.find('=') + 1));
    }
    return target;
  }

  static bool IsConditional(const Request& request) {
    return std::any_of(request.fields.begin(), request.fields.end(),
                       [](const auto& field) { return field.first == "if-none-match"; });
  }

  Response Answer(const Request& request) {
    const Target target = Parse(request.url);
    if (target.query.contains("list-type")) {
      return List(target);
    }
    if (target.query.contains("uploads") || target.query.contains("uploadId")) {
      return Upload(request, target);
    }
    const auto object = objects.find(target.path);
    if (request.method == "PUT") {
      if (IsConditional(request) && !knows_conditions) {
        return {.status = 501};
      }
      if (IsConditional(request) && object != objects.end()) {
        return {.status = 412};
      }
      objects[target.path] = {std::string(request.body), clock_->Now()};
      return {.status = 200};
    }
    if (request.method == "DELETE") {
      objects.erase(target.path);
      return {.status = 204};
    }
    if (object == objects.end()) {
      return {.status = 404, .body = "<Error><Code>NoSuchKey</Code></Error>"};
    }
    return {.status = 200,
            .fields = {{"last-modified", wire::FormatHttpDate(object->second.written_at)}},
            .body = request.method == "GET" ? object->second.bytes : ""};
  }

  Response Upload(const Request& request, const Target& target) {
    if (request.method == "GET") {
      std::string body = "<ListMultipartUploadsResult>";
      for (const auto& [id, path] : upload_paths) {
        body += "<Upload><Key>" + path.substr(path.find('/', 1) + 1) + "</Key><UploadId>" + id +
                "</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>";
      }
      return {.status = 200, .body = body + "</ListMultipartUploadsResult>"};
    }
    if (target.query.contains("uploads")) {
      const std::string id = "upload&" + std::to_string(uploads.size());
      uploads[id];
      upload_paths[id] = target.path;
      return {.status = 200, .body = "<UploadId>" + EscapeXml(id) + "</UploadId>"};
    }
    const std::string id = target.query.at("uploadId");
    if (!upload_paths.contains(id)) {
      return {.status = 404, .body = "<Error><Code>NoSuchUpload</Code></Error>"};
    }
    if (request.method == "PUT") {
      const std::string number = target.query.at("partNumber");
      uploads[id][std::stoi(number)] = request.body;
      return {.status = 200, .fields = {{"etag", "\"tag" + number + "\""}}};
    }
    if (request.method == "POST") {
      if (IsConditional(request) && objects.contains(target.path)) {
        return {.status = 412};
      }
      std::string bytes;
      for (const auto& [number, part] : uploads[id]) {
        bytes += part;
      }
      objects[target.path] = {bytes, clock_->Now()};
    }
    upload_paths.erase(id);
    return {.status = request.method == "POST" ? 200 : 204};
  }

  Response List(const Target& target) {
    const std::string prefix = target.path + "/" + target.query.at("prefix");
    const auto token = target.query.find("continuation-token");
    auto object = token == target.query.end() ? objects.lower_bound(prefix)
                                              : objects.upper_bound(token->second);
    std::string body = "<ListBucketResult>";
    std::string last;
    for (std::size_t count = 0; object != objects.end() && count < page; ++object, ++count) {
      if (!object->first.starts_with(prefix)) {
        break;
      }
      last = object->first;
      body += "<Contents><Key>" + last.substr(target.path.size() + 1) +
              "</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>" +
              std::to_string(object->second.bytes.size()) + "</Size></Contents>";
    }
    const bool more = object != objects.end() && object->first.starts_with(prefix);
    body += more ? "<IsTruncated>true</IsTruncated><NextContinuationToken>" + last +
                       "</NextContinuationToken>"
                 : "<IsTruncated>false</IsTruncated>";
    return {.status = 200, .body = body + "</ListBucketResult>"};
  }

  Clock* clock_;
  Mutex mutex_;
  std::deque<Fault> faults_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::blobs
