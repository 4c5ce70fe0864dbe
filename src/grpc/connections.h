// What all connections of a server share, and the list of them.
//
// THREADS: the server's.

#pragma once

#include <cstddef>
#include <memory>
#include <set>

#include "grpc/handler.h"
#include "grpc/mailbox.h"
#include "grpc/options.h"
#include "stator/base/clock.h"

namespace stator::grpc {

class Connection;

class Connections {
 public:
  // The mailbox is told by its maker to call DeliverLetters.
  Connections(const ServerOptions& options, Handler& handler, std::shared_ptr<Mailbox> mailbox);
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  ~Connections();

  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] Duration Now() const { return clock_->Elapsed(); }
  [[nodiscard]] Handler& handler() const { return *handler_; }
  [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
  [[nodiscard]] bool empty() const { return open_.empty(); }

  // Whether there is room for another: one that is idle is given up for it.
  bool MakeRoom();
  void Add(const std::shared_ptr<Connection>& connection);
  void Remove(const std::shared_ptr<Connection>& connection);

  void DeliverLetters();
  // Closes what is too slow or too quiet; everything when the time of a stop is over.
  void CheckTimes();
  // No new calls; at `deadline` nobody is left.
  void Finish(Duration deadline);

  // Bytes of requests, in all. Whether there is room for more of them.
  bool ChargeRequest(std::size_t bytes);
  void ReturnRequest(std::size_t bytes) { requests_bytes_ -= bytes; }
  // Bytes of answers that no client has taken. Beyond the limit, the call that has waited longest for
  // its client is broken off, perhaps the one that they belong to.
  void ChargeUnsent(std::size_t bytes);
  void ReturnUnsent(std::size_t bytes) { unsent_bytes_ -= bytes; }

 private:
  void CutOffTheSlowest();

  const Limits limits_;
  Clock* const clock_;
  Handler* const handler_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::set<std::shared_ptr<Connection>> open_;
  std::size_t requests_bytes_ = 0;
  std::size_t unsent_bytes_ = 0;
  Duration drop_all_at_ = Duration::max();
};

}  // namespace stator::grpc
