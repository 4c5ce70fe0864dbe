// One client: a socket, HTTP/2 on it, and its calls.
//
// THREADS: the server's.

#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "grpc/connections.h"
#include "grpc/handler.h"
#include "grpc/http2_session.h"
#include "grpc/reset_meter.h"
#include "grpc/stream.h"
#include "stator/base/clock.h"

namespace stator::grpc {

class Connection final : public std::enable_shared_from_this<Connection>,
                         private Http2Session::User {
 public:
  Connection(Connections& all, boost::asio::ip::tcp::socket socket);

  void Start();

  // A piece of an answer that was asked for.
  void Deliver(const std::shared_ptr<Stream>& stream, Piece piece);

  // Whether nobody would miss it, and since when.
  [[nodiscard]] bool IsIdle() const { return streams_.empty(); }
  [[nodiscard]] Duration idle_since() const { return idle_since_; }
  // Of the calls whose client does not take what is there, the one that has stood longest; or null.
  [[nodiscard]] std::shared_ptr<Stream> FindSlowest() const;

  // Breaks off a call for the memory that it holds.
  void CutOff(Stream& stream);
  void CheckTimes(Duration now);
  // No new calls; the connection goes with the last one.
  void Finish();
  // At once. It leaves the list, too.
  void Drop();

 private:
  // Http2Session::User
  void OnBegin(StreamId id) override;
  bool OnHeader(StreamId id, std::string_view name, std::string_view value) override;
  void OnHeadersEnd(StreamId id) override;
  void OnData(StreamId id, std::string_view bytes) override;
  void OnRequestEnd(StreamId id) override;
  void OnReset() override;
  void OnClose(StreamId id) override;
  Http2Session::Taken TakeBody(StreamId id, std::span<char> room) override;

  [[nodiscard]] std::shared_ptr<Stream> Find(StreamId id) const;
  void AskNext(const std::shared_ptr<Stream>& stream);
  // Answers without having asked anybody.
  void Refuse(Stream& stream, const Status& status);
  void RefuseAsHttp(Stream& stream, int http_status);
  // What a call held, when it is over or cannot use it any more.
  void Release(Stream& stream);

  void Read();
  void OnRead(std::size_t size);
  // Says what is to be said, and hears nothing more.
  void BeginClosing();
  // Sends what there is to send; closes when that was the last.
  void Flush();
  void Linger();

  enum class Phase : std::uint8_t {
    kOpen,
    kClosing,    // what is to be said is said, nothing is heard
    kLingering,  // all was said; the client's end is awaited, or what it sent before would undo it
    kDropped,
  };

  Connections* const all_;
  boost::asio::ip::tcp::socket socket_;
  Http2Session session_;
  std::map<StreamId, std::shared_ptr<Stream>> streams_;
  Phase phase_ = Phase::kOpen;
  bool has_request_ = false;  // had one, ever
  Duration idle_since_;       // when it was accepted, or its last call ended
  Duration lingers_since_{};
  bool finishing_ = false;
  ResetMeter resets_;

  std::array<char, 16 * 1024> in_{};
  std::string out_;  // on its way
  bool is_writing_ = false;
  Duration write_began_{};
};

}  // namespace stator::grpc
