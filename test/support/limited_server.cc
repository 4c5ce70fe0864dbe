#include "support/limited_server.h"

#include <cstddef>
#include <utility>

#include "base/check.h"
#include "homes/embedded_home.h"
#include "server/credentials.h"
#include "stator/home/open.h"
#include "stator/mapping/schema.h"

namespace stator::support {
namespace {

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

}  // namespace

LimitedServer::LimitedServer(const Map& policy, const policy::Variables& variables) {
  storage::StoreOptions store;
  store.in_memory = true;
  embedded_ = homes::MakeEmbeddedDatabase(store);
  handler_ = std::make_unique<wire::DatabaseHandler>(embedded_->database());
  const auto credentials = std::make_shared<server::Credentials>();
  CHECK(credentials->Add("admin", {"admin", std::string(kSecret)}, std::nullopt).has_value());
  Result<policy::Policy> parsed = policy::Policy::Parse(CanonicalJson(policy), variables);
  CHECK_THAT(parsed.has_value(), parsed.error().message);
  CHECK(credentials->Add("limited", {"limited", std::string(kSecret)}, *std::move(parsed))
            .has_value());
  Result<std::unique_ptr<server::Server>> started = server::Server::Start(
      {.port = 0, .threads = 1, .credentials = credentials, .clock = clock_}, *handler_);
  CHECK_THAT(started.has_value(), started.error().message);
  server_ = *std::move(started);
  admin_ = Connect("admin");
  limited_ = Connect("limited");
}

std::unique_ptr<Database> LimitedServer::Connect(const std::string& key) {
  OpenOptions options;
  options.clock = &clock_;
  options.client.region = "us-east-1";
  options.client.credentials = ClientCredentials{key, std::string(kSecret)};
  options.client.environment = [](const std::string&) { return std::nullopt; };
  Result<std::unique_ptr<Database>> opened = Open(server_->endpoint(), options);
  CHECK_THAT(opened.has_value(), opened.error().message);
  return *std::move(opened);
}

std::vector<Map> WithOneLess(const Map& policy) {
  std::vector<Map> fewer;
  const List& statements = *policy.at("Statement").If<List>();
  for (std::size_t number = 0; number < statements.size(); ++number) {
    for (const char* part : {"Action", "Resource"}) {
      const std::size_t count = statements[number].If<Map>()->at(part).If<List>()->size();
      for (std::size_t at = 0; at < count; ++at) {
        Map less = policy;
        List& changed = *less.Find("Statement")->If<List>();
        List& list = *changed[number].If<Map>()->Find(part)->If<List>();
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        // Nothing is left of a statement without actions or resources.
        if (list.empty()) {
          changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(number));
        }
        fewer.push_back(std::move(less));
      }
    }
  }
  return fewer;
}

}  // namespace stator::support
