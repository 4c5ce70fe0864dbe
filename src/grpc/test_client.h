// For tests: a client of HTTP/2 that does as it is told, on a socket that waits.

#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::grpc {

class TestClient {
 public:
  struct Answer {
    std::map<std::string, std::string> headers;  // and trailers
    std::string body;
    std::optional<std::uint32_t> closed;  // with this error

    [[nodiscard]] std::string status() const {
      const auto found = headers.find("grpc-status");
      return found == headers.end() ? "none" : found->second;
    }
  };

  // Without `reads_on` it takes 64 KB of each answer and no more.
  explicit TestClient(std::uint16_t port, bool reads_on = true) {
    using boost::asio::ip::tcp;
    socket_.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port));
    socket_.set_option(tcp::no_delay(true));
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, OnHeader);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, OnData);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, OnClose);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, OnFrame);
    nghttp2_option* option = nullptr;
    nghttp2_option_new(&option);
    nghttp2_option_set_no_auto_window_update(option, reads_on ? 0 : 1);
    nghttp2_session_client_new2(&session_, callbacks, this, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, nullptr, 0);
    if (!reads_on) {
      // The connection's window should not be what stops it.
      nghttp2_submit_window_update(session_, NGHTTP2_FLAG_NONE, 0, 1 << 30);
    }
    Send();
    // The server knows of it from now on.
    ReadUntil([this] { return has_settings_; });
  }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;
  ~TestClient() { nghttp2_session_del(session_); }

  // Begins a call. Without `ends` the request stays unfinished.
  std::int32_t Post(const std::string& path, const std::string& body, bool ends = true) {
    const std::vector<std::pair<std::string, std::string>> headers = {
        {":method", "POST"},
        {":scheme", "http"},
        {":authority", "localhost"},
        {":path", path},
        {"content-type", "application/grpc"}};
    std::vector<nghttp2_nv> pairs;
    for (const auto& [name, value] : headers) {
      pairs.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
                       reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())),
                       name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
    }
    const nghttp2_data_provider provider{.source = {.ptr = nullptr}, .read_callback = OnRead};
    const std::int32_t id =
        nghttp2_submit_request(session_, nullptr, pairs.data(), pairs.size(), &provider, nullptr);
    bodies_[id] = {.bytes = body, .ends = ends};
    Send();
    return id;
  }

  void Reset(std::int32_t id) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    Send();
  }

  // Reads until it holds; whether it does before the server closes the connection.
  bool ReadUntil(const std::function<bool()>& condition) {
    while (!condition()) {
      boost::system::error_code error;
      const std::size_t size = socket_.read_some(boost::asio::buffer(in_), error);
      if (error || nghttp2_session_mem_recv(
                       session_, reinterpret_cast<const std::uint8_t*>(in_.data()), size) < 0) {
        return condition();
      }
      Send();
    }
    return true;
  }

  const Answer& Await(std::int32_t id) {
    ReadUntil([&] { return answers_[id].closed.has_value(); });
    return answers_[id];
  }
  const Answer& answer(std::int32_t id) { return answers_[id]; }

  // The error with which the server closes the connection; nothing if it says none.
  std::optional<std::uint32_t> AwaitEnd() {
    ReadUntil([] { return false; });
    return goaway_;
  }

  void Close() { socket_.close(); }

 private:
  struct Body {
    std::string bytes;
    bool ends = true;
  };

  static TestClient& Of(void* user) { return *static_cast<TestClient*>(user); }

  static int OnHeader(nghttp2_session* /*session*/, const nghttp2_frame* frame,
                      const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                      std::size_t value_size, std::uint8_t /*flags*/, void* user) {
    Of(user)
        .answers_[frame->hd.stream_id]
        .headers[{reinterpret_cast<const char*>(name), name_size}] = {
        reinterpret_cast<const char*>(value), value_size};
    return 0;
  }
  static int OnData(nghttp2_session* /*session*/, std::uint8_t /*flags*/, std::int32_t id,
                    const std::uint8_t* bytes, std::size_t size, void* user) {
    Of(user).answers_[id].body.append(reinterpret_cast<const char*>(bytes), size);
    return 0;
  }
  static int OnClose(nghttp2_session* /*session*/, std::int32_t id, std::uint32_t error,
                     void* user) {
    Of(user).answers_[id].closed = error;
    return 0;
  }
  static int OnFrame(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* user) {
    Of(user).has_settings_ = Of(user).has_settings_ || frame->hd.type == NGHTTP2_SETTINGS;
    if (frame->hd.type == NGHTTP2_GOAWAY) {
      Of(user).goaway_ = frame->goaway.error_code;
    }
    return 0;
  }
  static ssize_t OnRead(nghttp2_session* /*session*/, std::int32_t id, std::uint8_t* room,
                        std::size_t size, std::uint32_t* flags, nghttp2_data_source* /*source*/,
                        void* user) {
    Body& body = Of(user).bodies_[id];
    const std::size_t count = std::min(size, body.bytes.size());
    if (count == 0 && !body.ends) {
      return NGHTTP2_ERR_DEFERRED;
    }
    std::copy_n(body.bytes.data(), count, reinterpret_cast<char*>(room));
    body.bytes.erase(0, count);
    if (body.bytes.empty() && body.ends) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
    }
    return static_cast<ssize_t>(count);
  }

  void Send() {
    const std::uint8_t* bytes = nullptr;
    for (ssize_t size = nghttp2_session_mem_send(session_, &bytes); size > 0;
         size = nghttp2_session_mem_send(session_, &bytes)) {
      boost::system::error_code ignored;
      boost::asio::write(socket_, boost::asio::buffer(bytes, static_cast<std::size_t>(size)),
                         ignored);
    }
  }

  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_{context_};
  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, Body> bodies_;
  std::map<std::int32_t, Answer> answers_;
  bool has_settings_ = false;
  std::optional<std::uint32_t> goaway_;
  std::array<char, 16 * 1024> in_{};
};

}  // namespace stator::grpc
