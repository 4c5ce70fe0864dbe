// Secrets: texts of the configuration may name variables of the environment, ${NAME}, so that no
// secret stands in a file. What they held is taken out of everything that is told about a failure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/environment.h"
#include "stator/base/result.h"

namespace stator::hosting {

class Secrets {
 public:
  // Puts the variables into the text; $$ is a dollar. Fails with kValidation, and names the
  // variable, when there is none of that name or the form is wrong.
  Result<std::string> Expand(std::string_view text, const client::Environment& environment);

  // The text with *** in the place of every value. Values of fewer than four bytes are left alone:
  // they keep no secret, and the text would be unreadable.
  [[nodiscard]] std::string Hide(std::string text) const;

 private:
  std::vector<std::string> values_;  // the longest first
};

}  // namespace stator::hosting
