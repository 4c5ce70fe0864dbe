// Where the threads of a benchmark wait for each other. In a program that links contention.cc, threads
// that ask for it have their mutexes, read-write locks and conditions watched, also those of the
// libraries that they call: whoever has to wait notes for how long, and from where it was called.

#pragma once

#include <string>

namespace stator::bench {

void WatchThisThread();

// The places with the longest waits since the last call, at most ten, the longest first, as JSON:
// {"kind":"mutex","waits":3,"ms":1.5,"at":["frame",...]},...
std::string TakeContention();

}  // namespace stator::bench
