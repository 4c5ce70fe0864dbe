// HTTP/2 as a server speaks it, on nghttp2: bytes go in, bytes come out, and a user is told what the
// client said. It knows neither sockets nor gRPC.
//
// THREADS: one at a time. The user's functions are called within Receive and FillOutput, and may call
// every Submit of the session, but neither of these two.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct nghttp2_session;

namespace stator::grpc {

using StreamId = std::int32_t;
using HeaderList = std::vector<std::pair<std::string, std::string>>;

// Why a stream or a connection ends; the numbers are HTTP/2's.
enum class Http2Error : std::uint8_t {
  kNone = 0,
  kInternal = 2,
  kEnhanceYourCalm = 11,
};

class Http2Session {
 public:
  // What was taken of a body, and whether it was the last of it.
  struct Taken {
    std::size_t bytes = 0;
    bool is_last = false;
  };

  class User {
   public:
    User() = default;
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    virtual ~User() = default;

    virtual void OnBegin(StreamId id) = 0;
    // Whether the header is taken; if not, the stream is reset.
    virtual bool OnHeader(StreamId id, std::string_view name, std::string_view value) = 0;
    virtual void OnHeadersEnd(StreamId id) = 0;
    virtual void OnData(StreamId id, std::string_view bytes) = 0;
    // The client sends no more.
    virtual void OnRequestEnd(StreamId id) = 0;
    // Somebody broke a stream off.
    virtual void OnReset() = 0;
    // Nothing more happens to the stream.
    virtual void OnClose(StreamId id) = 0;
    // The next bytes of a body. None that are not the last: nothing until ResumeBody. With the last
    // ones the user has submitted trailers.
    virtual Taken TakeBody(StreamId id, std::span<char> room) = 0;
  };

  struct Settings {
    std::uint32_t streams = 100;
    std::size_t header_list_bytes = 16 * 1024;
  };

  // The user must outlive it.
  Http2Session(User& user, const Settings& settings);
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;
  ~Http2Session();

  // Whether the connection can go on; what is to be said to the client is output in any case.
  bool Receive(std::string_view bytes);
  // Appends output until `out` has so many bytes or there is no more. Whether it can go on.
  bool FillOutput(std::size_t bytes, std::string& out);
  // Whether neither side has anything to say any more.
  [[nodiscard]] bool IsOver() const;

  // The head of an answer; its body follows, or it is the whole answer.
  void SubmitHeaders(StreamId id, const HeaderList& headers, bool has_body);
  void SubmitTrailers(StreamId id, const HeaderList& trailers);
  void ResumeBody(StreamId id);
  void SubmitReset(StreamId id, Http2Error error);
  // No new streams; those that are there go on.
  void SubmitGoAway();
  // Ends everything.
  void Terminate(Http2Error error);

 private:
  struct Callbacks;

  User* user_;
  nghttp2_session* session_ = nullptr;
};

}  // namespace stator::grpc
