// The example service, driven over HTTP by clients and workers in parallel.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <atomic>
#include <thread>

#include "media_service.h"
#include "sessions/sessions_test.h"
#include "value/plain_json.h"

namespace stator::sessions {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using net::ip::tcp;

struct Reply {
  int status = 0;
  Item body = {};
};

class ServiceTest : public SessionsTest {
 protected:
  static constexpr const char* kSecret = "only for workers";

  void SetUp() override {
    SessionsTest::SetUp();
    auto service = media::MediaService::Start(*store_, 0, kSecret);
    ASSERT_TRUE(service) << service.error().message;
    service_ = *std::move(service);
  }
  void TearDown() override { service_.reset(); }

  Reply Send(http::verb verb, const std::string& target, const std::string& user,
             const std::string& body = "", const std::string& secret = "") const {
    net::io_context context;
    tcp::socket socket(context);
    socket.connect({net::ip::address_v4::loopback(), service_->port()});
    http::request<http::string_body> request(verb, target, 11);
    request.set(http::field::host, "127.0.0.1");
    request.set("X-User", user);
    request.set("X-Worker", secret);
    request.keep_alive(false);
    request.body() = body;
    request.prepare_payload();
    http::write(socket, request);
    boost::beast::flat_buffer buffer;
    http::response<http::string_body> response;
    http::read(socket, buffer, response);
    const auto json = value::ValueFromPlainJson(response.body());
    EXPECT_TRUE(json) << response.body();
    return {.status = static_cast<int>(response.result_int()),
            .body = json && json->Is<Map>() ? *json->If<Map>() : Map()};
  }
  Reply Get(const std::string& target, const std::string& user) const {
    return Send(http::verb::get, target, user);
  }
  Reply Post(const std::string& target, const std::string& user,
             const std::string& body = "") const {
    return Send(http::verb::post, target, user, body);
  }
  Reply Work(const std::string& session, const std::string& job, const std::string& photo) const {
    return Send(http::verb::post, "/results/" + session + "/" + job, "", photo + "\n" + photo + "+",
                kSecret);
  }

  static std::string Path(const std::string& rest = "", const std::string& session = kSessionId) {
    return "/sessions/" + session + rest;
  }

  std::unique_ptr<media::MediaService> service_;
};

TEST_F(ServiceTest, ServesTheWorkflow) {
  const Reply made = Post(Path("/description"), "ann", "caption=Sun\ngroupLabel=Beach");
  ASSERT_EQ(made.status, 201);
  const std::string job = "/description/" + TextIn(made.body, "id");
  EXPECT_EQ(Post(Path(job + "/processing"), "ann").status, 200);
  EXPECT_EQ(Post(Path(job + "/processing"), "ann").status, 409);
  EXPECT_EQ(Post(Path(job + "/complete"), "ann").status, 200);
  const Reply read = Get(Path(job), "ann");
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(TextIn(*read.body.at("value").If<Map>(), "caption"), "Sun");
  EXPECT_EQ(Get(Path(), "ann").body.at("records").If<List>()->size(), 1);
  EXPECT_EQ(NumberIn(Post(Path("/invalidate/triage"), "ann").body, "removed"), 1);
  EXPECT_EQ(Get(Path(job), "ann").status, 404);
  EXPECT_EQ(Send(http::verb::delete_, Path(), "ann").status, 200);
  EXPECT_EQ(Get(Path(), "bob").status, 200) << "the id is free again";
}

TEST_F(ServiceTest, EveryRouteAsksWhoseTheSessionIs) {
  const Reply made = Post(Path("/enhancement"), "ann", "a.jpg");
  ASSERT_EQ(made.status, 201);
  const std::string job = "/enhancement/" + TextIn(made.body, "id");
  for (const std::string user : {"bob", ""}) {
    const int refused = user.empty() ? 401 : 403;
    EXPECT_EQ(Get(Path(), user).status, refused);
    EXPECT_EQ(Get(Path(job), user).status, refused);
    EXPECT_EQ(Post(Path("/group"), user, "name=x").status, refused);
    EXPECT_EQ(Post(Path(job + "/error"), user).status, refused);
    EXPECT_EQ(Post(Path("/invalidate/triage"), user).status, refused);
    EXPECT_EQ(Send(http::verb::delete_, Path(), user).status, refused);
  }
  EXPECT_EQ(
      Send(http::verb::post, "/results/" + std::string(kSessionId) + "/x", "ann", "a\nb", "guess")
          .status,
      401);
  EXPECT_EQ(Get(Path("", "not-a-session"), "ann").status, 400);
  EXPECT_EQ(Get("/", "ann").status, 404);
  EXPECT_EQ(Get(Path(job), "ann").status, 200);
}

TEST_F(ServiceTest, ParallelClientsAndWorkersComeToOneEnd) {
  constexpr int kUsers = 3;
  constexpr int kPhotos = 12;
  std::atomic<int> complete = 0;
  std::atomic<int> foreign = 0;
  {
    std::vector<std::jthread> users;
    for (int number = 0; number < kUsers; ++number) {
      users.emplace_back([&, number] {
        const std::string user = "user-" + std::to_string(number);
        const std::string session = store_->MakeSessionId();
        std::string photos;
        for (int photo = 0; photo < kPhotos; ++photo) {
          photos += "photo-" + std::to_string(photo) + "\n";
        }
        const Reply made = Post(Path("/enhancement", session), user, photos);
        ASSERT_EQ(made.status, 201);
        const std::string job = TextIn(made.body, "id");
        {
          // Each photo is sent to two workers.
          std::vector<std::jthread> workers;
          for (int worker = 0; worker < 2; ++worker) {
            workers.emplace_back([&] {
              for (int photo = 0; photo < kPhotos; ++photo) {
                EXPECT_EQ(Work(session, job, "photo-" + std::to_string(photo)).status, 200);
              }
            });
          }
        }
        const Reply read = Get(Path("/enhancement/" + job, session), user);
        const Map value = *read.body.at("value").If<Map>();
        complete +=
            TextIn(value, "status") == "complete" && NumberIn(value, "completedCount") == kPhotos
                ? 1
                : 0;
        const std::string other = "user-" + std::to_string((number + 1) % kUsers);
        foreign += Get(Path("", session), other).status == 403 ? 1 : 0;
        EXPECT_EQ(Post(Path("/invalidate/enhancement", session), user).status, 200);
        EXPECT_EQ(Work(session, job, "photo-1").status, 409) << "too late";
      });
    }
  }
  EXPECT_EQ(complete, kUsers);
  EXPECT_EQ(foreign, kUsers);
}

}  // namespace
}  // namespace stator::sessions
