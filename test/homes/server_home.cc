// A client of a server in the same process, whose engine keeps its data in memory: every call is an
// HTTP request over a loopback socket.

#include <utility>

#include "base/check.h"
#include "homes/embedded_home.h"
#include "server/server.h"
#include "stator/home/open.h"
#include "wire/handler.h"

namespace stator::homes {
namespace {

class ServedDatabase final : public TestDatabase {
 public:
  ServedDatabase() {
    storage::StoreOptions store;
    store.in_memory = true;
    embedded_ = MakeEmbeddedDatabase(store);
    handler_ = std::make_unique<wire::DatabaseHandler>(embedded_->database());
    Result<std::unique_ptr<server::Server>> started =
        server::Server::Start({.port = 0, .threads = 1}, *handler_);
    CHECK_THAT(started.has_value(), started.error().message);
    server_ = *std::move(started);
    OpenOptions options;
    options.clock = &client_clock_;
    options.client.environment = [](const std::string&) { return std::nullopt; };
    Result<std::unique_ptr<Database>> opened = Open(server_->endpoint(), options);
    CHECK_THAT(opened.has_value(), opened.error().message);
    client_ = *std::move(opened);
  }

  Database& database() override { return *client_; }
  void Settle() override { embedded_->Settle(); }
  [[nodiscard]] TimePoint Now() const override { return embedded_->Now(); }
  void Advance(Duration duration) override { embedded_->Advance(duration); }
  void Housekeep() override { embedded_->Housekeep(); }
  void Reopen() override { CHECK(false); }

 private:
  std::unique_ptr<TestDatabase> embedded_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
  std::unique_ptr<server::Server> server_;
  ManualClock client_clock_{TimePoint(std::chrono::seconds(1'794'744'000))};  // never waits
  std::unique_ptr<Database> client_;
};

const RegisteredHome kRegistered(Home{
    .name = "server",
    .controls_time = true,
    .keeps_data = false,
    .make = [] { return std::make_unique<ServedDatabase>(); },
});

}  // namespace
}  // namespace stator::homes
