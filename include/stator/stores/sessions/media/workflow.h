// The workflow that the store was first made for: photos and videos of a journey are sorted,
// chosen, improved, grouped, packed, described and published.
//
//   triage > selection > enhancement > grouping > download > description > publish
//
// Each step uses what the one before it has made, so redoing one invalidates all behind it. Beside
// the steps: preparation for Facebook, results and fingerprints of uploaded files. media/records.h
// has the records.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/stores/sessions/workflow.h"

namespace stator::sessions {

WorkflowSpec MediaWorkflowSpec();
const Workflow& MediaWorkflow();

// The id of the result of one file of a job. Fails with kValidation unless the name is one that
// uploads may have: letters, digits and ._ ()- after a first letter or digit, at most 255, no "..".
Result<std::string> MakeFileId(std::string_view job, std::string_view filename);

}  // namespace stator::sessions
