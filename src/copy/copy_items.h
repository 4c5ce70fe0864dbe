// Copies every item of a table into another, in any homes, in segments at a time. What is copied
// twice, after an interruption, is the same as once.
//
// What others write meanwhile is copied or not; FollowChanges brings the rest.

#pragma once

#include <functional>
#include <stop_token>

#include "copy/copy_state.h"
#include "copy/side.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"

namespace stator::copy {

struct CopyOptions {
  std::stop_token stop = {};
  // After each page, by one thread at a time. A failure ends the copy.
  std::function<Result<void>(const CopyState&)> on_page = {};
  patterns::Environment environment = {};
};

// From where `state` says, which has at least one segment, on. Good when everything is copied; with
// kIncomplete when it was asked to stop.
Result<void> CopyItems(const Side& from, const Side& to, CopyState& state,
                       const CopyOptions& options = {});

}  // namespace stator::copy
