// How the commands that serve are asked to end.

#pragma once

#include <signal.h>
#include <stop_token>

namespace stator::cli {

// SIGINT, SIGTERM and SIGHUP are from now on taken by waiting for them, so nothing runs inside a
// handler. To be called before any thread is started.
sigset_t BlockStopSignals();

// The next of them.
int WaitForSignal(const sigset_t& signals);

// A stop that is asked for when the program is told to end, so that what it does is left whole. To
// be called before any thread is started.
std::stop_token StopOnSignal();

// Asks the system to send SIGTERM when the parent ends. False when it has ended already.
bool DieWithParent();

}  // namespace stator::cli
