// Random sequences of operations on the embedded engine, each answer compared with that of a plain
// model. A failure prints the shortest sequence found and an RC_PARAMS value that repeats it.

#include <gtest/gtest.h>
#include <rapidcheck/detail/TestListenerAdapter.h>
#include <rapidcheck/state.h>

#include <cstdlib>
#include <iostream>
#include <rapidcheck.h>
#include <string>

#include "model/item_commands.h"
#include "model/read_commands.h"

namespace stator::model {
namespace {

struct Effort {
  int cases;
  int commands_per_case_max;
  std::size_t commands_min;
};

// STATOR_TEST_FULL asks for the long run.
Effort EffortOfThisRun() {
  if (std::getenv("STATOR_TEST_FULL") != nullptr) {
    return {.cases = 700, .commands_per_case_max = 150, .commands_min = 20'000};
  }
  return {.cases = 150, .commands_per_case_max = 80, .commands_min = 0};
}

TEST(Model, EveryAnswerIsThatOfAPlainMap) {
  const Effort effort = EffortOfThisRun();
  rc::detail::TestMetadata metadata;
  metadata.id = "Model/EveryAnswerIsThatOfAPlainMap";
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = effort.cases;
  params.maxSize = effort.commands_per_case_max;
  std::cout << "RC_PARAMS=\"seed=" << params.seed << "\" repeats this run\n";
  rc::detail::TestListenerAdapter listener;
  std::size_t commands = 0;
  const auto result = rc::detail::checkTestable(
      [&commands] {
        Sut sut{.database = OpenEmpty(), .commands = commands};
        rc::state::check(
            Model(), sut,
            rc::state::gen::execOneOfWithArgs<
                WriteCommand, WriteCommand, WriteCommand, WriteCommand, ReadCommand,
                BatchWriteCommand, TransactWriteCommand, TransactWriteCommand, QueryCommand,
                QueryCommand, QueryCommand, ScanCommand, HistoryCommand, IndexCommand>());
        commands = sut.commands;
      },
      metadata, params, listener, rc::detail::configuration().reproduce);
  if (!result.template is<rc::detail::SuccessResult>()) {
    rc::detail::printResultMessage(result, std::cerr);
    FAIL() << "the engine and the model differ";
  }
  std::cout << commands << " commands\n";
  EXPECT_GE(commands, effort.commands_min);
}

}  // namespace
}  // namespace stator::model
