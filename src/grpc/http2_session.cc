#include "grpc/http2_session.h"

#include <nghttp2/nghttp2.h>

#include <array>

#include "base/check.h"

namespace stator::grpc {
namespace {

constexpr std::int32_t kStreamWindowBytes = 256 << 10;
constexpr std::int32_t kConnectionWindowBytes = 1 << 20;
// Acknowledgements that wait, and frames of any kind. Who asks for more than it reads is up to no good.
constexpr std::size_t kWaitingAcksMax = 100;
constexpr std::size_t kWaitingFramesMax = 2000;

std::string_view TextOf(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Valid as long as the list.
std::vector<nghttp2_nv> PairsOf(const HeaderList& headers) {
  std::vector<nghttp2_nv> pairs;
  for (const auto& [name, value] : headers) {
    // nghttp2 copies them and changes nothing.
    auto* const name_bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data()));
    auto* const value_bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data()));
    pairs.push_back({.name = name_bytes,
                     .value = value_bytes,
                     .namelen = name.size(),
                     .valuelen = value.size(),
                     .flags = NGHTTP2_NV_FLAG_NONE});
  }
  return pairs;
}

}  // namespace

// Called by nghttp2, which is C: the user pointer is the session.
struct Http2Session::Callbacks {
  static User& UserOf(void* session) { return *static_cast<Http2Session*>(session)->user_; }

  static bool IsRequestHead(const nghttp2_frame& frame) {
    return frame.hd.type == NGHTTP2_HEADERS && frame.headers.cat == NGHTTP2_HCAT_REQUEST;
  }

  static int OnBeginHeaders(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* self) {
    if (IsRequestHead(*frame)) {
      UserOf(self).OnBegin(frame->hd.stream_id);
    }
    return 0;
  }

  static int OnHeader(nghttp2_session* /*session*/, const nghttp2_frame* frame,
                      const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                      std::size_t value_size, std::uint8_t /*flags*/, void* self) {
    if (!IsRequestHead(*frame)) {
      return 0;  // Trailers of a client say nothing here.
    }
    const bool taken = UserOf(self).OnHeader(frame->hd.stream_id, TextOf(name, name_size),
                                             TextOf(value, value_size));
    return taken ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }

  static int OnFrame(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* self) {
    User& user = UserOf(self);
    if (IsRequestHead(*frame)) {
      user.OnHeadersEnd(frame->hd.stream_id);
    }
    if (frame->hd.type == NGHTTP2_RST_STREAM) {
      user.OnReset();
    }
    const bool has_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (has_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
      user.OnRequestEnd(frame->hd.stream_id);
    }
    return 0;
  }

  static int OnData(nghttp2_session* /*session*/, std::uint8_t /*flags*/, std::int32_t id,
                    const std::uint8_t* bytes, std::size_t size, void* self) {
    UserOf(self).OnData(id, TextOf(bytes, size));
    return 0;
  }

  static int OnFrameSent(nghttp2_session* session, const nghttp2_frame* frame, void* self) {
    if (frame->hd.type == NGHTTP2_RST_STREAM && frame->rst_stream.error_code != NGHTTP2_NO_ERROR) {
      UserOf(self).OnReset();
    }
    const bool has_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (has_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0 &&
        nghttp2_session_get_stream_remote_close(session, frame->hd.stream_id) == 0) {
      // It was answered before all of it had come: the client need not send the rest.
      return nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                       NGHTTP2_NO_ERROR);
    }
    return 0;
  }

  static int OnClose(nghttp2_session* /*session*/, std::int32_t id, std::uint32_t /*error*/,
                     void* self) {
    UserOf(self).OnClose(id);
    return 0;
  }

  static ssize_t ReadBody(nghttp2_session* /*session*/, std::int32_t id, std::uint8_t* room,
                          std::size_t size, std::uint32_t* flags, nghttp2_data_source* /*source*/,
                          void* self) {
    const Taken taken = UserOf(self).TakeBody(id, {reinterpret_cast<char*>(room), size});
    if (taken.is_last) {
      *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    } else if (taken.bytes == 0) {
      return NGHTTP2_ERR_DEFERRED;
    }
    return static_cast<ssize_t>(taken.bytes);
  }

  static nghttp2_session_callbacks* Make() {
    nghttp2_session_callbacks* made = nullptr;
    CHECK(nghttp2_session_callbacks_new(&made) == 0);
    nghttp2_session_callbacks_set_on_begin_headers_callback(made, OnBeginHeaders);
    nghttp2_session_callbacks_set_on_header_callback(made, OnHeader);
    nghttp2_session_callbacks_set_on_frame_recv_callback(made, OnFrame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, OnData);
    nghttp2_session_callbacks_set_on_frame_send_callback(made, OnFrameSent);
    nghttp2_session_callbacks_set_on_stream_close_callback(made, OnClose);
    return made;
  }
};

Http2Session::Http2Session(User& user, const Settings& settings) : user_(&user) {
  nghttp2_session_callbacks* callbacks = Callbacks::Make();
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_option_new(&option) == 0);
  nghttp2_option_set_max_outbound_ack(option, kWaitingAcksMax);
  nghttp2_option_set_no_closed_streams(option, 1);
  CHECK(nghttp2_session_server_new2(&session_, callbacks, this, option) == 0);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  const std::array<nghttp2_settings_entry, 3> entries = {
      {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.streams},
       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
        static_cast<std::uint32_t>(settings.header_list_bytes)},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindowBytes}}};
  CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, entries.data(), entries.size()) == 0);
  CHECK(nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0,
                                              kConnectionWindowBytes) == 0);
}

Http2Session::~Http2Session() {
  nghttp2_session_del(session_);
}

bool Http2Session::Receive(std::string_view bytes) {
  const ssize_t taken = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return taken >= 0 && nghttp2_session_get_outbound_queue_size(session_) <= kWaitingFramesMax;
}

bool Http2Session::FillOutput(std::size_t bytes, std::string& out) {
  while (out.size() < bytes) {
    const std::uint8_t* frames = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &frames);
    if (size <= 0) {
      return size == 0;
    }
    out += TextOf(frames, static_cast<std::size_t>(size));
  }
  return true;
}

bool Http2Session::IsOver() const {
  return nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
}

// A stream that is gone, or about to be, is no reason for a complaint below.

void Http2Session::SubmitHeaders(StreamId id, const HeaderList& headers, bool has_body) {
  const std::vector<nghttp2_nv> pairs = PairsOf(headers);
  const nghttp2_data_provider body{.source = {.ptr = nullptr},
                                   .read_callback = Callbacks::ReadBody};
  (void)nghttp2_submit_response(session_, id, pairs.data(), pairs.size(),
                                has_body ? &body : nullptr);
}

void Http2Session::SubmitTrailers(StreamId id, const HeaderList& trailers) {
  const std::vector<nghttp2_nv> pairs = PairsOf(trailers);
  (void)nghttp2_submit_trailer(session_, id, pairs.data(), pairs.size());
}

void Http2Session::ResumeBody(StreamId id) {
  (void)nghttp2_session_resume_data(session_, id);
}

void Http2Session::SubmitReset(StreamId id, Http2Error error) {
  (void)nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id,
                                  static_cast<std::uint32_t>(error));
}

void Http2Session::SubmitGoAway() {
  (void)nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                              nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                              nullptr, 0);
}

void Http2Session::Terminate(Http2Error error) {
  (void)nghttp2_session_terminate_session(session_, static_cast<std::uint32_t>(error));
}

}  // namespace stator::grpc
