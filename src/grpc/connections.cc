#include "grpc/connections.h"

#include <utility>
#include <vector>

#include "base/probe.h"
#include "grpc/connection.h"

namespace stator::grpc {

Connections::Connections(const ServerOptions& options, Handler& handler,
                         std::shared_ptr<Mailbox> mailbox)
    : limits_(options.limits),
      clock_(&options.clock),
      handler_(&handler),
      mailbox_(std::move(mailbox)) {}

Connections::~Connections() = default;

bool Connections::MakeRoom() {
  if (open_.size() < limits_.connections) {
    return true;
  }
  std::shared_ptr<Connection> idlest;
  for (const std::shared_ptr<Connection>& connection : open_) {
    if (connection->IsIdle() &&
        (idlest == nullptr || connection->idle_since() < idlest->idle_since())) {
      idlest = connection;
    }
  }
  if (idlest == nullptr) {
    return false;
  }
  PROBE("an idle connection of gRPC is given up for another");
  idlest->Drop();
  return true;
}

void Connections::Add(const std::shared_ptr<Connection>& connection) {
  open_.insert(connection);
}

void Connections::Remove(const std::shared_ptr<Connection>& connection) {
  open_.erase(connection);
}

void Connections::DeliverLetters() {
  for (auto& [weak, piece] : mailbox_->TakeAll()) {
    if (const std::shared_ptr<Stream> stream = weak.lock();
        stream != nullptr && stream->connection != nullptr) {
      stream->connection->Deliver(stream, std::move(piece));
    }
  }
}

void Connections::CheckTimes() {
  const Duration now = Now();
  // They leave the list while it is walked.
  const std::vector<std::shared_ptr<Connection>> all(open_.begin(), open_.end());
  for (const std::shared_ptr<Connection>& connection : all) {
    now >= drop_all_at_ ? connection->Drop() : connection->CheckTimes(now);
  }
}

void Connections::Finish(Duration deadline) {
  drop_all_at_ = deadline;
  const std::vector<std::shared_ptr<Connection>> all(open_.begin(), open_.end());
  for (const std::shared_ptr<Connection>& connection : all) {
    connection->Finish();
  }
  CheckTimes();
}

bool Connections::ChargeRequest(std::size_t bytes) {
  if (bytes > limits_.requests_bytes - requests_bytes_) {
    return false;
  }
  requests_bytes_ += bytes;
  return true;
}

void Connections::ChargeUnsent(std::size_t bytes) {
  unsent_bytes_ += bytes;
  while (unsent_bytes_ > limits_.unsent_bytes) {
    CutOffTheSlowest();
  }
}

// There is one, since bytes are unsent.
void Connections::CutOffTheSlowest() {
  PROBE("the slowest reader of gRPC is cut off");
  std::shared_ptr<Stream> slowest;
  for (const std::shared_ptr<Connection>& connection : open_) {
    const std::shared_ptr<Stream> candidate = connection->FindSlowest();
    if (candidate != nullptr &&
        (slowest == nullptr || candidate->progress_at < slowest->progress_at)) {
      slowest = candidate;
    }
  }
  slowest->connection->CutOff(*slowest);
}

}  // namespace stator::grpc
