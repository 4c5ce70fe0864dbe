// Memory of texts that are written and thrown away again and again, as the bodies of answers: a thread
// keeps one that was of use and begins the next with it. Larger blocks are not what allocators are
// quick with.

#pragma once

#include <string>

namespace stator::base {

// An empty text, with the room of the one that this thread has kept, if it has one.
std::string TakeSpareText();

// For the next who takes one on this thread. Very large ones are not kept.
void KeepSpareText(std::string&& text);

}  // namespace stator::base
