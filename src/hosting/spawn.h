// Starting a program as a child whose ends of standard input, output and error we hold.

#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/descriptor.h"
#include "stator/base/result.h"

namespace stator::hosting {

struct Command {
  std::string program;                        // the path of the file
  std::vector<std::string> argv;              // the first is the name that the program sees
  std::vector<std::string> environment = {};  // "NAME=value", all that it gets
  std::string directory = {};                 // where it runs
};

using base::Descriptor;

struct Spawned {
  pid_t pid = -1;
  Descriptor process = {};  // readable when the child has ended
  Descriptor input = {};    // ours; none of the three blocks
  Descriptor output = {};
  Descriptor errors = {};
};

// The child leads a process group of its own, has default signals and no descriptor besides the
// three, and is killed when the calling thread ends. Fails with kIo and the system's reason: no
// such program, too many processes, no such directory.
Result<Spawned> Spawn(const Command& command);

}  // namespace stator::hosting
