// For tests only: properties checked by RapidCheck inside a GoogleTest test, with the number of
// cases said where the property stands.
//
//   TEST(Number, SurvivesItsText) {
//     CheckProperty(1000,
//                   [](std::int64_t integer) { RC_ASSERT(Parse(Print(integer)) == integer); });
//   }
//
// A failure prints the smallest case found and an RC_PARAMS value that repeats it.

#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <rapidcheck.h>
#include <sstream>
#include <string>
#include <utility>

namespace stator::base {

template <class Property>
void CheckProperty(int cases, Property&& property) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
  metadata.description = test->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = cases;
  rc::detail::TestListenerAdapter listener;
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params,
                                                listener, rc::detail::configuration().reproduce);
  if (!result.template is<rc::detail::SuccessResult>()) {
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    FAIL() << message.str();
  }
}

}  // namespace stator::base
