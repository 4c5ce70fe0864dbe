// The backfill command of a program, and backfills of everything: items of the current version get
// the keys of an index, the guards of a field and the life that were declared after they were
// written.

#include "stator/stores/entities/backfill_main.h"

#include <gmock/gmock.h>

#include "entities/entities_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::entities {

// A member before anything was declared beside its key, and after.
struct Member {
  std::string id;
  std::string email = {};
  std::string team = {};

  friend bool operator==(const Member&, const Member&) = default;
};
BOOST_DESCRIBE_STRUCT(Member, (), (id, email, team))
struct GrownMember : Member {};
BOOST_DESCRIBE_STRUCT(GrownMember, (Member), ())
struct MortalMember : Member {};
BOOST_DESCRIBE_STRUCT(MortalMember, (Member), ())

template <>
struct EntityTraits<Member> {
  static constexpr std::string_view kName = "member";
  static constexpr KeyTemplate kPartitionKey = {"MEMBER#{id}"};
};
template <>
struct EntityTraits<GrownMember> : EntityTraits<Member> {
  static constexpr std::array kIndexes = {
      Index{.name = "by_team", .partition_key = {"TEAM#{team}", "team_key"}}};
  static constexpr std::array kUnique = {std::string_view("email")};
};
template <>
struct EntityTraits<MortalMember> : EntityTraits<Member> {
  static constexpr std::string_view kExpiry = "until";
  static constexpr std::chrono::seconds kLife = std::chrono::hours(1);
};

namespace {

using testing::HasSubstr;
using Members = Repository<Member, kAllVerbs>;
using GrownMembers = Repository<GrownMember, kAllVerbs, "by_team">;
using MortalMembers = Repository<MortalMember, kAllVerbs>;

class BackfillMainTest : public EntitiesTest {
 protected:
  void SetUp() override {
    Open<GrownMembers>();  // makes the table, with its index
    for (int n = 0; n < 6; ++n) {
      const std::string id = std::to_string(n);
      Must(members_.Insert({.id = id, .email = id + "@example.org", .team = "red"}));
    }
  }

  // The command, as a program with these repositories has it.
  int Run(std::vector<std::string> arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code =
        RunBackfills(arguments,
                     [&](const std::string& location) -> Result<std::unique_ptr<Database>> {
                       if (location != "here") {
                         return Invalid("there is nothing at " + location);
                       }
                       return std::make_unique<ForwardingDatabase>(db());
                     },
                     {BackfillOf<GrownMembers>(), BackfillOf<Documents>()});
    output_ = testing::internal::GetCapturedStdout();
    error_ = testing::internal::GetCapturedStderr();
    return code;
  }
  std::size_t CountOfTeam(const GrownMembers& members) {
    std::size_t count = 0;
    for (const auto& member : members.QueryIndex<"by_team">({"red"})) {
      EXPECT_TRUE(Succeeds(member));
      ++count;
    }
    return count;
  }

  const Members members_ = *Members::Open(db(), {}, environment());
  std::string output_;
  std::string error_;
};

TEST_F(BackfillMainTest, EverythingGetsTheKeysOfANewIndexAndTheGuardsOfANewUniqueField) {
  const GrownMembers grown = *GrownMembers::Open(db(), {}, environment());
  EXPECT_EQ(CountOfTeam(grown), 0U);
  EXPECT_TRUE(Succeeds(grown.Insert({{.id = "new", .email = "0@example.org"}})))
      << "nobody knows that the value is taken";
  Must(grown.RemoveUnchecked({"new"}));

  const BackfillReport plain = Must(Backfill(grown));
  EXPECT_EQ(plain.migrated + plain.completed, 0U) << "they are of the current version";
  EXPECT_EQ(Must(Backfill(grown, {.everything = true, .dry_run = true})).completed, 6U);
  EXPECT_EQ(CountOfTeam(grown), 0U);

  const BackfillReport report = Must(Backfill(grown, {.everything = true}));
  EXPECT_EQ(report.completed, 6U) << report.Text();
  EXPECT_EQ(report.failed, 0U) << report.Text();
  home().Settle();
  EXPECT_EQ(CountOfTeam(grown), 6U);
  EXPECT_TRUE(
      FailsWith(grown.Insert({{.id = "new", .email = "0@example.org"}}), ErrorCode::kNotUnique));
  EXPECT_EQ(Must(Backfill(grown, {.everything = true})).completed, 0U) << "once is enough";
  Must(grown.Modify({"3"}, [](GrownMember& member) { member.email = "three@example.org"; }));
  EXPECT_TRUE(Succeeds(grown.Insert({{.id = "new", .email = "3@example.org"}})))
      << "a guard that the backfill wrote is freed as any other";
}

TEST_F(BackfillMainTest, ValuesThatAreTakenTwiceAreNamed) {
  Must(members_.Insert({.id = "twin", .email = "0@example.org", .team = "red"}));
  const GrownMembers grown = *GrownMembers::Open(db(), {}, environment());
  const BackfillReport report = Must(Backfill(grown, {.everything = true}));
  EXPECT_EQ(report.completed, 6U);
  EXPECT_EQ(report.failed, 1U);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_THAT(report.problems[0].why, HasSubstr("another entity has this value of email"));
  EXPECT_EQ(Must(members_.ReadStrong({"twin"}))->data.email, "0@example.org") << "it stays";
}

TEST_F(BackfillMainTest, AWriterMeanwhileIsNotWrittenOver) {
  const GrownMembers grown = *GrownMembers::Open(faulty(), {}, environment());
  faulty().BeforeNext("TransactWriteItems", [&] {
    for (int n = 0; n < 6; ++n) {
      Must(members_.Modify({std::to_string(n)}, [](Member& member) { member.email += "x"; }));
    }
  });
  const BackfillReport report =
      Must(Backfill(grown, {.scan = {.segments = 1}, .everything = true}));
  EXPECT_GE(report.lost, 1U) << report.Text();
  for (int n = 0; n < 6; ++n) {
    const std::string id = std::to_string(n);
    EXPECT_EQ(Must(members_.ReadStrong({id}))->data.email, id + "@example.orgx");
  }
  EXPECT_EQ(Must(Backfill(grown, {.everything = true})).failed, 0U);
  EXPECT_TRUE(
      FailsWith(grown.Insert({{.id = "new", .email = "0@example.orgx"}}), ErrorCode::kNotUnique));
}

TEST_F(BackfillMainTest, LivesBeginWhenTheyAreAskedTo) {
  const MortalMembers mortal = *MortalMembers::Open(db(), {}, environment());
  Must(mortal.Insert({{.id = "immortal"}}, {.forever = true}));
  EXPECT_EQ(Must(Backfill(mortal, {.everything = true})).completed, 0U);
  EXPECT_FALSE(Backfill(mortal, {.begin_lives = true})) << "only of everything";
  EXPECT_FALSE(Backfill(members_, {.everything = true, .begin_lives = true})) << "no life";
  EXPECT_EQ(Must(Backfill(mortal, {.everything = true, .begin_lives = true})).completed, 7U);
  EXPECT_TRUE(Must(mortal.Exists({"1"})));
  clock_.Advance(2h);
  EXPECT_FALSE(Must(mortal.Exists({"1"})));
}

TEST_F(BackfillMainTest, TheCommandRunsWhatItIsAskedTo) {
  Open<Documents>();
  Put("document", {{"pk", "DOC#a"},
                   {"id", "a"},
                   {"title", "t"},
                   {"words", 1},
                   {"rev", 1},
                   {"write_id", "w"},
                   {"data_version", 1}});
  EXPECT_EQ(Run({"--data", "here", "--dry-run"}), 0) << error_;
  EXPECT_THAT(output_, HasSubstr("document: 1 items read, 0 migrated"));
  EXPECT_THAT(output_, HasSubstr("version 1: 1"));
  EXPECT_EQ(Run({"member", "--data", "here", "--everything", "--json", "--segments", "2"}), 0);
  EXPECT_THAT(output_, HasSubstr(R"("completed":6)"));
  EXPECT_THAT(output_, testing::Not(HasSubstr("document")));
  EXPECT_EQ(Run({"--data", "here"}), 0);
  EXPECT_THAT(output_, HasSubstr("1 migrated"));
}

TEST_F(BackfillMainTest, TypingMistakesAreErrorsAndNothingIsDone) {
  const std::vector<std::vector<std::string>> mistakes = {
      {},
      {"--data"},
      {"--data", "here", "membr"},
      {"--data", "here", "--evrything"},
      {"--data", "here", "--segments", "many"},
      {"--data", "here", "--segments", "0"},
      {"--data", "here", "--units-per-second", "-1"}};
  for (const auto& arguments : mistakes) {
    EXPECT_EQ(Run(arguments), 2) << testing::PrintToString(arguments);
    EXPECT_THAT(error_, HasSubstr("--data LOCATION"));
  }
  EXPECT_EQ(Run({"--data", "there"}), 1);
  EXPECT_THAT(error_, HasSubstr("nothing at there"));
  EXPECT_EQ(Run({"member", "--data", "here", "--table", "missing"}), 1);
  EXPECT_THAT(error_, HasSubstr("member: "));
  EXPECT_EQ(Run({"--help"}), 0);
}

}  // namespace
}  // namespace stator::entities
