// What a workflow promises when it is made, and the one that is built in.

#include "stator/stores/sessions/workflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/stores/sessions/media/workflow.h"

namespace stator::sessions {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

WorkflowSpec Small() {
  return {.name = "small",
          .steps = {{.name = "a"}, {.name = "b", .after = {"a"}}},
          .kinds = {{.name = "x", .prefix = "X#", .step = "a"},
                    {.name = "y", .prefix = "Y#", .step = "b"}}};
}

std::string WhyNot(const WorkflowSpec& spec) {
  const Result<Workflow> workflow = Workflow::Make(spec);
  return workflow ? "" : workflow.error().message;
}

TEST(Workflow, FindsKindsByNameAndByKey) {
  const Result<Workflow> workflow = Workflow::Make(Small());
  ASSERT_TRUE(workflow);
  EXPECT_EQ(workflow->FindKind("y")->prefix, "Y#");
  EXPECT_EQ(workflow->FindKind("z"), nullptr);
  EXPECT_EQ(workflow->FindKindOfKey("X#1#I#2")->name, "x");
  EXPECT_EQ(workflow->FindKindOfKey("META"), nullptr);
}

TEST(Workflow, RefusesNamesThatAreNotDistinct) {
  WorkflowSpec spec = Small();
  spec.steps.push_back({.name = "a"});
  EXPECT_THAT(WhyNot(spec), HasSubstr("distinct names of steps"));
  spec = Small();
  spec.kinds.push_back({.name = "x", .prefix = "Z#"});
  EXPECT_THAT(WhyNot(spec), HasSubstr("distinct names of kinds"));
  spec = Small();
  spec.steps.push_back({.name = "session"});
  EXPECT_THAT(WhyNot(spec), HasSubstr("no step may be called 'session'"));
}

TEST(Workflow, RefusesPrefixesThatCannotBeToldApart) {
  for (const std::string prefix : {"X#", "X#Y#", "", "Z", "META"}) {
    WorkflowSpec spec = Small();
    spec.kinds.push_back({.name = "z", .prefix = prefix});
    EXPECT_THAT(WhyNot(spec), HasSubstr("prefix")) << prefix;
  }
}

TEST(Workflow, RefusesStepsThatDependOnThemselvesOrOnNothing) {
  WorkflowSpec spec = Small();
  spec.steps[0].after = {"b"};
  EXPECT_THAT(WhyNot(spec), HasSubstr("depends on itself"));
  spec.steps[0].after = {"a"};
  EXPECT_THAT(WhyNot(spec), HasSubstr("depends on itself"));
  spec.steps[0].after = {"c"};
  EXPECT_THAT(WhyNot(spec), HasSubstr("'c', which is no step"));
  spec = Small();
  spec.kinds[0].step = "c";
  EXPECT_THAT(WhyNot(spec), HasSubstr("'c', which is no step"));
}

TEST(Workflow, RefusesMachinesThatDoNotConnect) {
  WorkflowSpec spec = Small();
  spec.kinds[0].machine = {.initial = {"new"}, .changes = {{"new", "old"}}, .failed = "broken"};
  EXPECT_THAT(WhyNot(spec), HasSubstr("state 'broken' of kind 'x' cannot be reached"));
  spec.kinds[0].machine = {.initial = {"new"}, .changes = {{"old", "new"}}};
  EXPECT_THAT(WhyNot(spec), HasSubstr("state 'old'"));
  spec.kinds[0].machine = {.changes = {{"old", "new"}}};
  EXPECT_THAT(WhyNot(spec), HasSubstr("none to begin with"));
  spec = Small();
  spec.machine = {};
  EXPECT_THAT(WhyNot(spec), HasSubstr("a session needs a state"));
}

TEST(Workflow, RefusesLivesThatDoNotFit) {
  WorkflowSpec spec = Small();
  spec.kinds[0].ttl = TtlPolicy::Fixed(std::chrono::hours(25));
  EXPECT_THAT(WhyNot(spec), HasSubstr("no longer than its session"));
  spec.kinds[0].ttl = TtlPolicy::Sliding(std::chrono::seconds(0));
  EXPECT_THAT(WhyNot(spec), HasSubstr("must live for some time"));
  spec = Small();
  spec.ttl = TtlPolicy::UntilParent();
  EXPECT_THAT(WhyNot(spec), HasSubstr("a life of its own"));
  spec.ttl = TtlPolicy::Sliding(std::chrono::hours(1), 101);
  EXPECT_THAT(WhyNot(spec), HasSubstr("0 to 100 percent"));
}

TEST(Workflow, RefusesItemsWithoutAWayToTheEnd) {
  WorkflowSpec spec = Small();
  spec.kinds[0].items.list = "items";
  EXPECT_THAT(WhyNot(spec), HasSubstr("a way from working to done"));
  spec.kinds[0].machine = {
      .initial = {"busy"}, .changes = {{"busy", "ready"}}, .working = "busy", .done = "ready"};
  EXPECT_EQ(WhyNot(spec), "");
  spec.kinds[0].spill_lists = {"items"};
  EXPECT_THAT(WhyNot(spec), HasSubstr("may not be spilled"));
}

TEST(Workflow, ReachesEverythingThatDependsOnAStep) {
  const Result<Workflow> workflow =
      Workflow::Make({.name = "diamond",
                      .steps = {{.name = "top"},
                                {.name = "left", .after = {"top"}},
                                {.name = "right", .after = {"top"}},
                                {.name = "end", .after = {"left", "right"}},
                                {.name = "alone"}}});
  ASSERT_TRUE(workflow);
  EXPECT_THAT(*workflow->StepsFrom("top"), ElementsAre("top", "left", "right", "end"));
  EXPECT_THAT(*workflow->StepsFrom("right"), ElementsAre("right", "end"));
  EXPECT_THAT(*workflow->StepsAfter("left"), ElementsAre("end"));
  EXPECT_THAT(*workflow->StepsAfter("alone"), IsEmpty());
  EXPECT_EQ(workflow->StepsFrom("bottom").error().message,
            "there is no step 'bottom'; there are top, left, right, end, alone");
}

TEST(Workflow, SurvivesItsJson) {
  const Result<Workflow> media = ParseWorkflow(ToJson(MediaWorkflowSpec()));
  ASSERT_TRUE(media) << media.error().message;
  EXPECT_EQ(media->spec(), MediaWorkflowSpec());
}

TEST(Workflow, IsReadFromJsonWithDefaults) {
  const Result<Workflow> workflow = ParseWorkflow(
      R"({"name": "print", "steps": [{"name": "layout"}],
          "ttl": {"rule": "fixed", "life": 3600},
          "kinds": [{"name": "layout", "prefix": "L#", "step": "layout"}]})");
  ASSERT_TRUE(workflow) << workflow.error().message;
  EXPECT_EQ(workflow->spec().ttl, TtlPolicy::Fixed(std::chrono::hours(1)));
  EXPECT_EQ(workflow->spec().partition_prefix, "SESSION#");
  for (const std::string json : {"", "[]", "{\"steps\": 7}", "{\"kinds\": [{\"name\": \"x\"}]}"}) {
    EXPECT_FALSE(ParseWorkflow(json)) << json;
  }
}

TEST(Workflow, AMistypedNameIsNotPassedOver) {
  const auto why_not = [](const std::string& json) {
    const Result<Workflow> workflow = ParseWorkflow(json);
    return workflow ? "" : workflow.error().message;
  };
  EXPECT_THAT(why_not(R"({"name": "p", "stpes": []})"),
              HasSubstr("there is no 'stpes'; there are "));
  EXPECT_THAT(why_not(R"({"name": "p", "steps": [{"name": "a"}, {"name": "b", "aftr": ["a"]}]})"),
              HasSubstr("steps[1]: there is no 'aftr'"));
  EXPECT_THAT(why_not(R"({"name": "p", "steps": [{"name": "a"}],
                          "kinds": [{"name": "k", "prefix": "K#", "step": "a",
                                     "machine": {"initial": ["x"], "workin": "x"}}]})"),
              HasSubstr("kinds[0].machine: there is no 'workin'"));
  EXPECT_THAT(why_not(R"({"name": "p", "ttl": {"rule": "fixed", "live": 3600}})"),
              HasSubstr("ttl: there is no 'live'"));
}

TEST(MediaWorkflow, FilesHaveNamesThatUploadsMayHave) {
  EXPECT_EQ(*MakeFileId("triage-1", "IMG (1)-a_b.jpg"), "triage-1/IMG (1)-a_b.jpg");
  for (const std::string name :
       {"", ".hidden", "a/b", "a\\b", "a..b", "-a", "a#b", "a\n", "\xC3\xA4.jpg"}) {
    EXPECT_FALSE(MakeFileId("triage-1", name)) << name;
  }
  EXPECT_TRUE(MakeFileId("t", std::string(255, 'a')));
  EXPECT_FALSE(MakeFileId("t", std::string(256, 'a')));
}

}  // namespace
}  // namespace stator::sessions
