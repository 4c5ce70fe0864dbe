// For tests: a transport that plays what it was told to, without a network.

#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "transport/http.h"

namespace stator::client {

class FakeTransport final : public transport::Transport {
 public:
  struct Sent {
    std::string url;
    transport::HeaderFields fields;
    std::string body;
    Duration timeout;

    [[nodiscard]] std::string Field(std::string_view name) const {
      for (const auto& [key, value] : fields) {
        if (key == name) {
          return value;
        }
      }
      return {};
    }
  };

  // What the next exchanges end with, in order; the last one goes on for ever.
  void Play(Result<transport::HttpResponse> response) { script_.push_back(std::move(response)); }
  void Play(int status, std::string body, transport::HeaderFields fields = {}) {
    Play(transport::HttpResponse{
        .status = status, .fields = std::move(fields), .body = std::move(body)});
  }
  void PlayError(ErrorCode code) { Play(Fail(code, "as it was told to")); }

  void Forget() {
    script_.clear();
    sent.clear();
  }

  Result<transport::HttpResponse> Send(const transport::HttpRequest& request) override {
    sent.push_back({.url = request.url,
                    .fields = request.fields,
                    .body = std::string(request.body),
                    .timeout = request.timeout});
    Result<transport::HttpResponse> response = script_.front();
    if (script_.size() > 1) {
      script_.pop_front();
    }
    return response;
  }

  std::vector<Sent> sent;

 private:
  std::deque<Result<transport::HttpResponse>> script_;
};

}  // namespace stator::client
