// The client and the server with everything switched on: TLS with a certificate that has to be
// trusted, signatures that are checked, compressed bodies, many threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"
#include "homes/embedded_home.h"
#include "server/server.h"
#include "server/tls.h"
#include "stator/home/open.h"
#include "storage/temporary_directory.h"
#include "wire/handler.h"

namespace stator::client {
namespace {

class SecureTest : public testing::Test {
 protected:
  SecureTest() {
    storage::StoreOptions store;
    store.in_memory = true;
    embedded_ = homes::MakeEmbeddedDatabase(store);
    handler_ = std::make_unique<wire::DatabaseHandler>(embedded_->database());
    auto identity = server::MakeDevelopmentIdentity(SystemClock().Now(), SystemRandom());
    CHECK_THAT(identity.has_value(), identity.error().message);
    ca_file_ = directory_.path() + "/ca.pem";
    std::ofstream(ca_file_) << identity->certificate_pem;
    auto server = server::Server::Start({.port = 0,
                                         .threads = 2,
                                         .tls = *std::move(identity),
                                         .credentials = OneKey("key", "secret")},
                                        *handler_);
    CHECK_THAT(server.has_value(), server.error().message);
    server_ = *std::move(server);
    options_.client.environment = [](const std::string&) { return std::nullopt; };
    options_.client.ca_file = ca_file_;
    options_.client.credentials = {
        .access_key_id = "key", .secret_access_key = "secret", .session_token = "session"};
    options_.client.attempts_max = 1;
  }

  static std::shared_ptr<const server::Credentials> OneKey(const std::string& id,
                                                           const std::string& secret) {
    auto credentials = std::make_shared<server::Credentials>();
    const Result<void> added = credentials->Add(
        "tester", {.access_key_id = id, .secret_access_key = secret, .session_token = "session"},
        std::nullopt);
    CHECK_THAT(added.has_value(), added.error().message);
    return credentials;
  }

  std::unique_ptr<Database> Connect() {
    auto opened = Open(server_->endpoint(), options_);
    CHECK_THAT(opened.has_value(), opened.error().message);
    return *std::move(opened);
  }

  static CreateTableInput Table() {
    return {.table_name = "things",
            .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
            .key_schema = {{"pk", KeyType::kHash}},
            .billing_mode = BillingMode::kPayPerRequest};
  }

  OpenOptions options_;
  std::string ca_file_;
  storage::TemporaryDirectory directory_;
  std::unique_ptr<homes::TestDatabase> embedded_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
  std::unique_ptr<server::Server> server_;
};

TEST_F(SecureTest, TheRightKeyOverATrustedConnectionWorks) {
  const auto database = Connect();
  const auto listed = database->ListTables({});
  ASSERT_TRUE(listed) << listed.error().message;
}

TEST_F(SecureTest, ACertificateThatNobodyVouchesForIsRefusedBeforeAnythingIsSent) {
  options_.client.ca_file = "";
  const auto listed = Connect()->ListTables({});
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::kAccessDenied) << listed.error().message;
}

TEST_F(SecureTest, AWrongSecretIsRefused) {
  options_.client.credentials->secret_access_key = "guess";
  const auto listed = Connect()->ListTables({});
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::kInvalidSignature) << listed.error().message;
}

TEST_F(SecureTest, ATemporaryKeyNeedsItsToken) {
  options_.client.credentials->session_token = "";
  EXPECT_FALSE(Connect()->ListTables({}));
}

TEST_F(SecureTest, AnUnknownKeyIsRefused) {
  options_.client.credentials->access_key_id = "nobody";
  const auto listed = Connect()->ListTables({});
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::kUnrecognizedClient) << listed.error().message;
}

TEST_F(SecureTest, ManyThreadsAndCompressedBodies) {
  options_.client.gzip_bytes_min = 1000;
  const auto database = Connect();
  ASSERT_TRUE(database->CreateTable(Table()));
  embedded_->Settle();
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 25; ++i) {
        const Item item = {{"pk", std::to_string(thread) + "/" + std::to_string(i)},
                           {"text", std::string(static_cast<std::size_t>(i) * 200, 'x')}};
        const auto written = database->PutItem({.table_name = "things", .item = item});
        const auto read =
            database->GetItem({.table_name = "things", .key = {{"pk", item.at("pk")}}});
        good += written && read && read->item == item ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(good, 100);
}

// What TLS says by itself, such as tickets for sessions, is not taken for an answer that nobody wanted.
TEST_F(SecureTest, AConnectionIsKept) {
  const auto database = Connect();
  ASSERT_TRUE(database->ListTables({}));
  auto another = server::MakeDevelopmentIdentity(SystemClock().Now(), SystemRandom());
  ASSERT_TRUE(another && server_->SetTlsIdentity(*another));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(database->ListTables({})) << i;
  }
  const auto listed = Connect()->ListTables({});
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::kAccessDenied) << listed.error().message;
}

// A record of TLS has 16 KB: these are many, and they arrive in other pieces than they were sent in.
TEST_F(SecureTest, LargeBodiesAndAnswersTakeManyRecords) {
  const auto database = Connect();
  ASSERT_TRUE(database->CreateTable(Table()));
  embedded_->Settle();
  std::vector<Item> items;
  KeysAndAttributes asked;
  for (const char* pk : {"a", "b", "c", "d"}) {
    items.push_back({{"pk", pk}, {"text", std::string(390'000, *pk)}});
    asked.keys.push_back({{"pk", pk}});
    const auto written = database->PutItem({.table_name = "things", .item = items.back()});
    ASSERT_TRUE(written) << written.error().message;
  }
  const auto read = database->BatchGetItem({.request_items = {{"things", asked}}});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->responses.at("things"), testing::UnorderedElementsAreArray(items));
}

}  // namespace
}  // namespace stator::client
