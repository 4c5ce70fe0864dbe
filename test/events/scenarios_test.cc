// The scenarios of dcb.events that are not about courses, each case as it is published: usernames (9),
// one-time passwords (5), invoice numbers (2), requests that are repeated (2). Events are given, a
// command decides on models of them, and what it appends or why it refuses is compared. Courses (9)
// are in courses_test.cc.

#include <functional>
#include <tuple>

#include "events/events_test.h"
#include "stator/stores/events/typed_events.h"

namespace stator::events {

struct AccountRegistered {
  std::string username;
  [[nodiscard]] std::vector<std::string> Tags() const { return {"username:" + username}; }
};
BOOST_DESCRIBE_STRUCT(AccountRegistered, (), (username))

struct AccountClosed {
  std::string username;
  int day = 0;
  [[nodiscard]] std::vector<std::string> Tags() const { return {"username:" + username}; }
};
BOOST_DESCRIBE_STRUCT(AccountClosed, (), (username, day))

struct UsernameChanged {
  std::string old_username;
  std::string new_username;
  int day = 0;
  [[nodiscard]] std::vector<std::string> Tags() const {
    return {"username:" + old_username, "username:" + new_username};
  }
};
BOOST_DESCRIBE_STRUCT(UsernameChanged, (), (old_username, new_username, day))

struct SignUpInitiated {
  std::string email;
  std::string otp;
  std::string name;
  int minute = 0;
  [[nodiscard]] std::vector<std::string> Tags() const { return {"email:" + email, "otp:" + otp}; }
};
BOOST_DESCRIBE_STRUCT(SignUpInitiated, (), (email, otp, name, minute))

struct SignUpConfirmed {
  std::string email;
  std::string otp;
  std::string name;
  [[nodiscard]] std::vector<std::string> Tags() const { return {"email:" + email, "otp:" + otp}; }
};
BOOST_DESCRIBE_STRUCT(SignUpConfirmed, (), (email, otp, name))

struct InvoiceCreated {
  int number = 0;
  std::string data;
  [[nodiscard]] std::vector<std::string> Tags() const {
    return {"invoice:" + std::to_string(number)};
  }
};
BOOST_DESCRIBE_STRUCT(InvoiceCreated, (), (number, data))

struct OrderPlaced {
  std::string order;
  std::string token;
  [[nodiscard]] std::vector<std::string> Tags() const {
    return {"order:" + order, "idempotency:" + token};
  }
};
BOOST_DESCRIBE_STRUCT(OrderPlaced, (), (order, token))

using ScenarioTypes = EventTypes<AccountRegistered, AccountClosed, UsernameChanged, SignUpInitiated,
                                 SignUpConfirmed, InvoiceCreated, OrderPlaced>;
using ScenarioFact = ScenarioTypes::Fact;
using ScenarioDecision = ScenarioTypes::Decision;

// Whether somebody has the name; for some days after it was given up nobody else may take it.
struct Username {
  std::string name;
  int today = 0;
  int retention_days = -1;  // none
  bool claimed = false;

  void Apply(const AccountRegistered&) { claimed = true; }
  void Apply(const AccountClosed& fact) { claimed = IsRetained(fact.day); }
  void Apply(const UsernameChanged& fact) {
    claimed = fact.new_username == name || IsRetained(fact.day);
  }
  [[nodiscard]] bool IsRetained(int day) const { return today - day <= retention_days; }
};

struct PendingSignUp {
  int now = 0;
  int minutes_max = -1;  // -1: it does not expire
  std::optional<std::string> name = {};
  bool used = false;
  bool expired = false;

  void Apply(const SignUpInitiated& fact) {
    name = fact.name;
    expired = minutes_max >= 0 && now - fact.minute > minutes_max;
  }
  void Apply(const SignUpConfirmed&) { used = true; }
};

struct NextInvoice {
  int number = 1;
  void Apply(const InvoiceCreated& fact) { number = fact.number + 1; }
};

struct Token {
  bool used = false;
  void Apply(const OrderPlaced&) { used = true; }
};

namespace {

constexpr int kToday = 10;
constexpr int kNow = 1000;

class ScenarioTest : public EventsTest {
 protected:
  using Command = std::function<Result<Appended>(EventStore&)>;

  // Each on a service of its own.
  void Expect(const std::vector<ScenarioFact>& given, const Command& command,
              const std::variant<ScenarioFact, std::string>& expected) {
    auto store = Open(home_->database(), {.service_id = "case-" + std::to_string(cases_++)});
    for (const ScenarioFact& fact : given) {
      ASSERT_TRUE(store->Append({*types_.Make(fact)}).has_value());
    }
    const Result<Appended> done = command(*store);
    const std::vector<Event> events = ReadFrom(*store);
    if (const auto* why = std::get_if<std::string>(&expected)) {
      ASSERT_FALSE(done.has_value());
      EXPECT_EQ(done.error().message, *why);
      EXPECT_EQ(events.size(), given.size()) << "nothing was appended";
      return;
    }
    ASSERT_TRUE(done.has_value()) << done.error().message;
    ASSERT_EQ(events.size(), given.size() + 1);
    const NewEvent wanted = *types_.Make(std::get<ScenarioFact>(expected));
    EXPECT_EQ(events.back().type, wanted.type);
    EXPECT_EQ(events.back().payload, wanted.payload);
  }

  [[nodiscard]] Command Register(const std::string& name, int retention_days = -1) const {
    return [this, name, retention_days](EventStore& store) {
      Ask<Username> ask("username:" + name);
      ask.initial = {.name = name, .today = kToday, .retention_days = retention_days};
      return Decide(store, types_, std::tuple(ask), [&](const Username& seen) -> ScenarioDecision {
        if (seen.claimed) {
          return Fail(ErrorCode::kRefused, "Username \"" + name + "\" is claimed");
        }
        return std::vector<ScenarioFact>{AccountRegistered{name}};
      });
    };
  }

  [[nodiscard]] Command Confirm(const std::string& email, const std::string& otp,
                                int minutes_max = -1) const {
    return [this, email, otp, minutes_max](EventStore& store) {
      Ask<PendingSignUp> ask("email:" + email, "otp:" + otp);
      ask.initial = {.now = kNow, .minutes_max = minutes_max};
      return Decide(
          store, types_, std::tuple(ask), [&](const PendingSignUp& seen) -> ScenarioDecision {
            if (!seen.name) {
              return Fail(ErrorCode::kRefused, "No pending sign-up for this OTP / email address");
            }
            if (seen.used || seen.expired) {
              return Fail(ErrorCode::kRefused, seen.used ? "OTP was already used" : "OTP expired");
            }
            return std::vector<ScenarioFact>{SignUpConfirmed{email, otp, *seen.name}};
          });
    };
  }

  [[nodiscard]] Command CreateInvoice(const std::string& data) const {
    return [this, data](EventStore& store) {
      return Decide(store, types_, std::tuple(Ask<NextInvoice>()),
                    [&](const NextInvoice& next) -> ScenarioDecision {
                      return std::vector<ScenarioFact>{InvoiceCreated{next.number, data}};
                    });
    };
  }

  [[nodiscard]] Command PlaceOrder(const std::string& order, const std::string& token) const {
    return [this, order, token](EventStore& store) {
      return Decide(store, types_, std::tuple(Ask<Token>("idempotency:" + token)),
                    [&](const Token& seen) -> ScenarioDecision {
                      if (seen.used) {
                        return Fail(ErrorCode::kRefused, "Order was already placed");
                      }
                      return std::vector<ScenarioFact>{OrderPlaced{order, token}};
                    });
    };
  }

  const ScenarioTypes types_;
  int cases_ = 0;
};

TEST_F(ScenarioTest, UsernamesAreUniqueAndReleased) {
  const std::string claimed = "Username \"u1\" is claimed";
  const ScenarioFact registered = AccountRegistered{"u1"};
  Expect({registered}, Register("u1"), claimed);
  Expect({}, Register("u1"), registered);
  Expect({registered, AccountClosed{"u1"}}, Register("u1"), registered);
  const ScenarioFact changed = UsernameChanged{"u1", "u1changed"};
  Expect({registered, changed}, Register("u1"), registered);
  Expect({registered, changed}, Register("u1changed"), "Username \"u1changed\" is claimed");
  // Names that were given up three days ago are not free yet, four days ago they are.
  Expect({registered, AccountClosed{"u1", kToday - 3}}, Register("u1", 3), claimed);
  Expect({registered, UsernameChanged{"u1", "u1changed", kToday - 3}}, Register("u1", 3), claimed);
  Expect({registered, AccountClosed{"u1", kToday - 4}}, Register("u1", 3), registered);
  Expect({registered, UsernameChanged{"u1", "u1changed", kToday - 4}}, Register("u1", 3),
         registered);
}

TEST_F(ScenarioTest, OneTimePasswordsAreForOneAddressAndOneUse) {
  const std::string john = "john.doe@example.com";
  const std::string none = "No pending sign-up for this OTP / email address";
  Expect({}, Confirm(john, "000000"), none);
  Expect({SignUpInitiated{john, "111111", "John Doe"}}, Confirm("jane.doe@example.com", "111111"),
         none);
  Expect({SignUpInitiated{john, "222222", "John Doe"}, SignUpConfirmed{john, "222222", "John Doe"}},
         Confirm(john, "222222"), "OTP was already used");
  Expect({SignUpInitiated{john, "444444", "John Doe"}}, Confirm(john, "444444"),
         ScenarioFact(SignUpConfirmed{john, "444444", "John Doe"}));
  Expect({SignUpInitiated{john, "333333", "John Doe", kNow - 61}}, Confirm(john, "333333", 60),
         "OTP expired");
  // And one more, which is not published: just before it expires.
  Expect({SignUpInitiated{john, "333333", "John Doe", kNow - 60}}, Confirm(john, "333333", 60),
         ScenarioFact(SignUpConfirmed{john, "333333", "John Doe"}));
}

TEST_F(ScenarioTest, InvoicesAreNumberedWithoutAGap) {
  Expect({}, CreateInvoice("bar"), ScenarioFact(InvoiceCreated{1, "bar"}));
  Expect({InvoiceCreated{1, "bar"}}, CreateInvoice("baz"), ScenarioFact(InvoiceCreated{2, "baz"}));
}

TEST_F(ScenarioTest, ARequestThatIsRepeatedIsNotDoneTwice) {
  const ScenarioFact first = OrderPlaced{"o12345", "11111"};
  Expect({first}, PlaceOrder("o54321", "11111"), "Order was already placed");
  Expect({first}, PlaceOrder("o54321", "22222"), ScenarioFact(OrderPlaced{"o54321", "22222"}));
}

}  // namespace
}  // namespace stator::events
