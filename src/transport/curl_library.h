// libcurl, loaded when somebody first asks for an HTTP exchange. It brings along thirty libraries that a
// program with an embedded database never uses: 4 MB of its memory, and a tenth of the time to start it.
// Its functions are called by their names here, without "curl_". For the folder itself.
//
// THREADS: everything may be called from many threads.

#pragma once

#include <curl/curl.h>

#include "stator/base/result.h"

namespace stator::transport {

// X(name): every function of libcurl that this folder calls.
#define STATOR_CURL_FUNCTIONS(X) \
  X(easy_cleanup)                \
  X(easy_getinfo)                \
  X(easy_init)                   \
  X(easy_recv)                   \
  X(easy_send)                   \
  X(easy_setopt)                 \
  X(easy_strerror)               \
  X(free)                        \
  X(global_init)                 \
  X(multi_add_handle)            \
  X(multi_cleanup)               \
  X(multi_info_read)             \
  X(multi_init)                  \
  X(multi_perform)               \
  X(multi_poll)                  \
  X(multi_remove_handle)         \
  X(multi_wakeup)                \
  X(url)                         \
  X(url_cleanup)                 \
  X(url_get)                     \
  X(url_set)                     \
  X(version_info)

struct CurlLibrary {
#define STATOR_CURL_MEMBER(name) decltype(&::curl_##name) name = nullptr;
  STATOR_CURL_FUNCTIONS(STATOR_CURL_MEMBER)
#undef STATOR_CURL_MEMBER
};

// Loads libcurl and initializes it, once. Fails with kValidation, which nobody repeats, when the machine
// has none or one that is too old; the message says what to install.
Result<void> LoadCurl();

// REQUIRES: LoadCurl has succeeded.
const CurlLibrary& Curl();

}  // namespace stator::transport
