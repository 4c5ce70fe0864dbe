// What credential providers see of the machine: its environment, its files, its programs, the
// network and the time. Tests bring their own.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "client/environment.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "transport/http.h"

namespace stator::client {

struct ProcessContext {
  Environment environment = ProcessEnvironment;
  // Fails with kResourceNotFound when there is no such file.
  std::function<Result<std::string>(const std::string& path)> read_file;
  // What the command writes to its standard output. Fails when it does not end well.
  std::function<Result<std::string>(const std::string& command)> run;
  std::shared_ptr<transport::Transport> transport;
  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();

  // The setting `variable`, else "~/" + `below_home`.
  [[nodiscard]] std::string PathOf(const std::string& variable,
                                   const std::string& below_home) const;
};

// Those of the process, with that transport.
ProcessContext ContextOfThisProcess(std::shared_ptr<transport::Transport> transport);

}  // namespace stator::client
