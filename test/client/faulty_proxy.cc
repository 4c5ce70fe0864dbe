#include "client/faulty_proxy.h"

#include <thread>
#include <utility>

namespace stator::client {
namespace {

// What an endpoint would not get, or not say, twice.
bool BelongsToConnection(const std::string& name) {
  return name == "host" || name == "content-length" || name == "connection";
}

}  // namespace

FaultyProxy::FaultyProxy(std::string endpoint, std::uint64_t seed, std::vector<Fault> faults,
                         std::uint64_t one_in)
    : endpoint_(std::move(endpoint)),
      faults_(std::move(faults)),
      one_in_(one_in),
      random_(seed),
      server_([this](const ReceivedRequest& request) { return React(request); }) {}

std::map<Fault, int> FaultyProxy::happened() const {
  const std::lock_guard lock(mutex_);
  return happened_;
}

std::optional<Fault> FaultyProxy::Choose() {
  if (random_.Below(one_in_) != 0) {
    return std::nullopt;
  }
  const Fault fault = faults_[random_.Below(faults_.size())];
  const std::lock_guard lock(mutex_);
  ++happened_[fault];
  return fault;
}

Reaction FaultyProxy::React(const ReceivedRequest& request) {
  const std::optional<Fault> fault = Choose();
  return fault ? Spoil(*fault, request) : PassOn(request);
}

Reaction FaultyProxy::PassOn(const ReceivedRequest& request) {
  transport::HttpRequest forwarded{
      .method = request.method, .url = endpoint_ + request.path, .body = request.body};
  for (const auto& [name, value] : request.fields) {
    if (!BelongsToConnection(name)) {
      forwarded.fields.emplace_back(name, value);
    }
  }
  const Result<transport::HttpResponse> response = transport_.Send(forwarded);
  if (!response) {
    return HangUp();
  }
  transport::HeaderFields fields;
  for (const auto& [name, value] : response->fields) {
    if (!BelongsToConnection(name)) {
      fields.emplace_back(name, value);
    }
  }
  return Answer(response->status, response->body, fields);
}

Reaction FaultyProxy::Spoil(Fault fault, const ReceivedRequest& request) {
  const auto broken = [] {
    return Answer(500, R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"})");
  };
  switch (fault) {
    case Fault::kRefuseBefore:
      return Answer(400, R"({"__type":"com.amazon.coral.availability#ThrottlingException"})");
    case Fault::kBreakBefore:
      return broken();
    case Fault::kBreakAfter:
      (void)PassOn(request);
      return broken();
    case Fault::kLoseBefore:
      return HangUp();
    case Fault::kLoseAfter:
      (void)PassOn(request);
      return HangUp();
    case Fault::kTruncate: {
      Reaction reaction = PassOn(request);
      reaction.bytes.resize(random_.Below(reaction.bytes.size() + 1));
      reaction.closes = true;
      // Cut at the very end it would be whole.
      return reaction.bytes.ends_with('}') ? HangUp() : reaction;
    }
    case Fault::kCorrupt: {
      Reaction reaction = PassOn(request);
      const std::size_t body = reaction.bytes.find("\r\n\r\n") + 4;
      if (body < reaction.bytes.size()) {
        reaction.bytes[body + random_.Below(reaction.bytes.size() - body)] ^= 1;
      }
      return reaction;
    }
    case Fault::kDelay: {
      Reaction reaction = PassOn(request);
      std::this_thread::sleep_for(kDelayed);
      return reaction;
    }
    case Fault::kDuplicate:
      (void)PassOn(request);
      return PassOn(request);
  }
  return HangUp();
}

}  // namespace stator::client
