// UmaDB's service on a store, without the network: reads that are put aside between two batches,
// subscriptions and who wakes them, and what happens when there is too much of anything. The bytes are
// tested beside the service, the network in test/events_grpc.

#include <future>
#include <map>
#include <optional>
#include <semaphore>

#include "base/probe.h"
#include "event_server/event_hub.h"
#include "event_server/protobuf.h"
#include "event_server/umadb_service.h"
#include "events/events_test.h"
#include "events/foreign_events.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using event_server::AppendBytesField;
using event_server::AppendVarintField;
using event_server::EventHub;
using event_server::MessageFields;
using event_server::UmadbOptions;
using event_server::UmadbService;
using grpc::Piece;
using grpc::StatusCode;

std::string Bytes(std::uint32_t number, std::string_view bytes) {
  std::string out;
  AppendBytesField(number, bytes, out);
  return out;
}

std::string Varint(std::uint32_t number, std::uint64_t value) {
  std::string out;
  AppendVarintField(number, value, out);
  return out;
}

std::string Tagged(const std::string& tag) {
  return Bytes(1, Bytes(1, Bytes(2, tag)));
}

constexpr std::uint32_t kStart = 2;
constexpr std::uint32_t kBackwards = 3;
constexpr std::uint32_t kLimit = 4;
constexpr std::uint32_t kSubscribe = 5;
constexpr std::uint32_t kBatch = 6;

// The positions of a ReadResponse, and its head.
struct Answer {
  std::vector<std::uint64_t> positions;
  std::optional<std::uint64_t> head;
};

Answer AnswerOf(const std::string& message) {
  Answer answer;
  MessageFields fields(message);
  for (auto field = fields.Next(); field && *field; field = fields.Next()) {
    if ((*field)->number == 2) {
      answer.head = (*field)->varint;
      continue;
    }
    MessageFields event((*field)->bytes);
    answer.positions.push_back(event.Next()->value().varint);
  }
  return answer;
}

class UmadbTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    Serve({.threads = 4});
  }
  void TearDown() override { service_.reset(); }

  void Serve(UmadbOptions options) {
    service_.reset();
    auto service = UmadbService::Open(*store_, options);
    ASSERT_TRUE(service.has_value()) << service.error().message;
    service_ = *std::move(service);
  }

  std::shared_ptr<grpc::Call> Begin(const std::string& method, std::string request) {
    return service_->Begin("/umadb.v1.DCB/" + method, std::move(request));
  }

  static std::future<Piece> Ask(grpc::Call& call) {
    auto promise = std::make_shared<std::promise<Piece>>();
    call.Next([promise](Piece piece) { promise->set_value(std::move(piece)); });
    return promise->get_future();
  }

  // The next piece that says something.
  static Piece Next(grpc::Call& call) {
    Piece piece = Ask(call).get();
    return piece.message || piece.status ? piece : Ask(call).get();
  }

  std::vector<Answer> ReadAll(const std::string& request) {
    const auto call = Begin("Read", request);
    std::vector<Answer> answers;
    for (bool goes_on = true; goes_on;) {
      const Piece piece = Next(*call);
      if (piece.message) {
        answers.push_back(AnswerOf(*piece.message));
      }
      EXPECT_TRUE(!piece.status || piece.status->code == StatusCode::kOk);
      goes_on = !piece.status;
    }
    return answers;
  }

  std::unique_ptr<UmadbService> service_;
};

using Places = std::vector<std::uint64_t>;

Places PlacesOf(const std::vector<Answer>& answers) {
  Places places;
  for (const Answer& answer : answers) {
    places.insert(places.end(), answer.positions.begin(), answer.positions.end());
  }
  return places;
}

TEST_F(UmadbTest, AReadThatIsPutAsideGoesOnWhereItWas) {
  Serve({.threads = 2, .open_reads_max = 0});
  for (int number = 0; number < 7; ++number) {
    Append({Fact("A", {"x:1"}), Fact("B", {"x:2"})});
  }
  const auto forwards = Begin("Read", Tagged("x:1") + Varint(kBatch, 3));
  const auto backwards = Begin("Read", Varint(kBackwards, 1) + Varint(kBatch, 5));
  EXPECT_EQ(AnswerOf(*Next(*forwards).message).positions, (Places{1, 3, 5}));
  EXPECT_EQ(AnswerOf(*Next(*backwards).message).positions, (Places{14, 13, 12, 11, 10}));
  // What is appended meanwhile does not belong to it.
  Append({Fact("A", {"x:1"})});
  EXPECT_EQ(AnswerOf(*Next(*forwards).message).positions, (Places{7, 9, 11}));
  const Piece last = Next(*forwards);
  EXPECT_EQ(AnswerOf(*last.message).positions, (Places{13}));
  EXPECT_EQ(AnswerOf(*last.message).head, 14U);
  EXPECT_EQ(last.status->code, StatusCode::kOk);
  EXPECT_EQ(AnswerOf(*Next(*backwards).message).positions, (Places{9, 8, 7, 6, 5}));
  EXPECT_EQ(AnswerOf(*Next(*backwards).message).positions, (Places{4, 3, 2, 1}));
}

TEST_F(UmadbTest, EveryReadIsTheSameHoweverItIsCut) {
  for (int number = 0; number < 20; ++number) {
    Append({Fact(number % 3 == 0 ? "A" : "B", {"x:" + std::to_string(number % 2)})});
  }
  const std::vector<std::string> requests = {
      "",
      Tagged("x:1"),
      Varint(kBackwards, 1),
      Tagged("x:0") + Varint(kBackwards, 1) + Varint(kStart, 15),
      Varint(kStart, 5) + Varint(kLimit, 9),
      Tagged("x:1") + Varint(kStart, 6) + Varint(kLimit, 4),
      Bytes(1, Bytes(1, Bytes(1, "A"))) + Varint(kBackwards, 1) + Varint(kLimit, 3)};
  for (const std::size_t open_reads : {std::size_t{0}, std::size_t{9}}) {
    Serve({.threads = 2, .open_reads_max = open_reads});
    for (const std::string& request : requests) {
      const Places whole = PlacesOf(ReadAll(request));
      EXPECT_FALSE(whole.empty());
      for (const std::uint64_t batch : {1U, 2U, 7U}) {
        EXPECT_EQ(PlacesOf(ReadAll(request + Varint(kBatch, batch))), whole);
      }
    }
  }
}

TEST_F(UmadbTest, BatchesAreBoundedByBytes) {
  Serve({.threads = 2, .batch_bytes = 2500});
  for (int number = 0; number < 5; ++number) {
    Append({Fact("A", {"x:1"}, std::string(1000, 'x'))});
  }
  const std::vector<Answer> answers = ReadAll("");
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].positions.size(), 3U);
}

TEST_F(UmadbTest, ASubscriptionGoesOnWithWhatAnyProcessAppends) {
  Append({Fact("A", {"x:1"})});
  const auto call = Begin("Read", Tagged("x:1") + Varint(kSubscribe, 1));
  EXPECT_EQ(AnswerOf(*Next(*call).message).positions, (Places{1}));
  std::future<Piece> next = Ask(*call);
  Append({Fact("A", {"x:2"}), Fact("A", {"x:1"})});
  EXPECT_EQ(AnswerOf(*next.get().message).positions, (Places{3}));
  next = Ask(*call);
  const auto other = Open(home_->database());
  ASSERT_TRUE(other->Append({Fact("A", {"x:1"})}).has_value());
  const Answer last = AnswerOf(*next.get().message);
  EXPECT_EQ(last.positions, (Places{4}));
  EXPECT_EQ(last.head, std::nullopt);
  next = Ask(*call);
  call->EndSoon();
  EXPECT_EQ(next.get().status->code, StatusCode::kUnavailable);
}

TEST_F(UmadbTest, ManySubscriptionsMissNothingWhileOthersAppend) {
  constexpr int kSubscriptions = 12;
  constexpr int kEvents = 60;
  std::vector<std::future<Places>> readers;
  for (int number = 0; number < kSubscriptions; ++number) {
    const auto call =
        Begin("Read", Tagged("x:" + std::to_string(number % 3)) + Varint(kSubscribe, 1) +
                          Varint(kBatch, 4) + Varint(kLimit, kEvents / 3));
    readers.push_back(std::async(std::launch::async, [call] {
      Places places;
      while (true) {
        const Piece piece = Next(*call);
        if (piece.message) {
          const Places more = AnswerOf(*piece.message).positions;
          places.insert(places.end(), more.begin(), more.end());
        }
        if (piece.status) {
          return places;
        }
      }
    }));
  }
  for (int number = 0; number < kEvents; ++number) {
    Append({Fact("A", {"x:" + std::to_string(number % 3)})});
  }
  for (int number = 0; number < kSubscriptions; ++number) {
    Places expected;
    for (int place = number % 3; place < kEvents; place += 3) {
      expected.push_back(static_cast<std::uint64_t>(place) + 1);
    }
    EXPECT_EQ(readers[static_cast<std::size_t>(number)].get(), expected);
  }
}

TEST_F(UmadbTest, SubscriptionsHaveABoundAndGiveTheirPlaceBack) {
  Serve({.threads = 2, .subscriptions_max = 2});
  auto first = Begin("Read", Varint(kSubscribe, 1));
  const auto second = Begin("Read", Varint(kSubscribe, 1));
  EXPECT_FALSE(Ask(*first).get().status.has_value());
  EXPECT_FALSE(Ask(*second).get().status.has_value());
  const auto third = Begin("Read", Varint(kSubscribe, 1));
  EXPECT_EQ(Ask(*third).get().status->code, StatusCode::kResourceExhausted);
  // In the middle of waiting.
  first->Next([](const Piece&) {});
  first->Cancel();
  const std::weak_ptr<grpc::Call> gone = first;
  first.reset();
  while (!gone.expired()) {
    std::this_thread::yield();
  }
  const auto fourth = Begin("Read", Varint(kSubscribe, 1));
  EXPECT_FALSE(Ask(*fourth).get().status.has_value());
}

TEST_F(UmadbTest, WhenTooManyWaitCallsAreRefused) {
  Serve({.threads = 1, .waiting_max = 0});
  const auto call = Begin("Head", "");
  EXPECT_EQ(Ask(*call).get().status->code, StatusCode::kUnavailable);
}

TEST_F(UmadbTest, AppendsThatWaitHoldNoThread) {
  std::binary_semaphore may_put(0);
  support::FaultyDatabase slow(home_->database());
  const auto store = Open(slow);
  service_ = *UmadbService::Open(*store, {.threads = 1});
  slow.BeforeNext("PutItem", [&] { may_put.acquire(); });
  auto broken_off = Begin("Append", Bytes(1, Bytes(1, "A")));
  auto unused = Ask(*broken_off);
  auto append = Begin("Append", Bytes(1, Bytes(1, "B")));
  auto answer = Ask(*append);
  EXPECT_EQ(Next(*Begin("Head", "")).status->code, StatusCode::kOk);
  // Nobody wants to know any more, but it was sent.
  broken_off->Cancel();
  const std::weak_ptr<grpc::Call> gone = broken_off;
  broken_off.reset();
  append.reset();
  may_put.release();
  EXPECT_EQ(answer.get().status->code, StatusCode::kOk);
  service_.reset();
  EXPECT_TRUE(gone.expired());
  EXPECT_EQ(Read().size(), 2U);
}

TEST_F(UmadbTest, ACallThatWasBrokenOffDoesNothing) {
  const auto call = Begin("Append", Bytes(1, Bytes(1, "A")));
  call->Cancel();
  call->Next([](const Piece&) { FAIL(); });
  Serve({});
  EXPECT_EQ(PlacesOf(ReadAll("")), Places{});
}

TEST_F(UmadbTest, TablesOfAnotherSystemHaveNoPositions) {
  const auto foreign = Open(home_->database(), {.service_id = "s", .read_only = true});
  PutForeign(home_->database(),
             {.place = SortableId::At(clock_.Now()), .type = "A", .tags = {"x:1"}, .payload = "1"});
  const auto service = UmadbService::Open(*foreign);
  ASSERT_FALSE(service.has_value());
  EXPECT_EQ(service.error().code, ErrorCode::kValidation);
}

TEST_F(UmadbTest, TheHubWakesThoseWhoMayHaveMissedSomething) {
  Append({Fact("A", {"x:1"})});
  EventHub hub(*store_);
  const EventHub::Member member = hub.Join();
  // Of what was read before the hub looked for the first time, nobody knows.
  std::promise<void> woken;
  hub.Wait(member, {}, std::nullopt, [&] { woken.set_value(); });
  woken.get_future().get();
  const auto seen = hub.position();
  EXPECT_EQ(seen, 1U);
  Append({Fact("B", {"x:2"})});
  while (hub.position() == seen) {
    std::this_thread::yield();
  }
  // It came between their read and now.
  bool woken_now = false;
  hub.Wait(member, EventQuery::Tagged("x:2"), seen, [&] { woken_now = true; });
  EXPECT_TRUE(woken_now);
  woken_now = false;
  hub.Wait(member, EventQuery::Tagged("x:1"), seen, [&] { woken_now = true; });
  EXPECT_FALSE(woken_now);
  hub.Leave(member);
}

TEST_F(UmadbTest, TheHubWakesWhoeverReadTooLongAgo) {
  Append({Fact("A", {"x:1"})});
  EventHub hub(*store_);
  const EventHub::Member member = hub.Join();
  while (!hub.position()) {
    std::this_thread::yield();
  }
  const auto seen = hub.position();
  constexpr int kMoreThanItKeeps = 5000;
  Append(std::vector<NewEvent>(kMoreThanItKeeps, Fact("B", {"x:2"})));
  while (hub.position() != 1U + kMoreThanItKeeps) {
    std::this_thread::yield();
  }
  bool woken = false;
  hub.Wait(member, EventQuery::Tagged("x:1"), seen, [&] { woken = true; });
  EXPECT_TRUE(woken) << "what came first is not known any more";
  EXPECT_TRUE(base::ProbeWasReached("events came faster than a subscription could look"));
  // Nor is anybody woken when it has stopped.
  woken = false;
  hub.Wait(member, {}, hub.position(), [&] { woken = true; });
  hub.Stop();
  Append({Fact("C", {"x:3"})});
  EXPECT_FALSE(woken);
}

}  // namespace
}  // namespace stator::events
