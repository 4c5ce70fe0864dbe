#include "transport/curl_library.h"

#include <dlfcn.h>
#include <string>

#include "base/check.h"
#include "base/try.h"

namespace stator::transport {
namespace {

// As every distribution has called it since 2006.
constexpr char kName[] = "libcurl.so.4";
constexpr unsigned kVersionMin = 0x075500;  // 7.85: CURLOPT_PROTOCOLS_STR

Error Missing(const std::string& why) {
  return {.code = ErrorCode::kValidation,
          .message =
              "HTTP requests need libcurl 7.85 or newer (on Debian the package libcurl4): " + why};
}

template <class Function>
Result<void> Find(void* library, const char* name, Function& function) {
  // What dlsym returns is the function, as POSIX promises.
  function = reinterpret_cast<Function>(dlsym(library, name));  // NOLINT(*-reinterpret-cast)
  if (function == nullptr) {
    return std::unexpected(Missing(std::string(kName) + " has no " + name));
  }
  return {};
}

Result<CurlLibrary> Load() {
  // Never closed: it has threads and handlers of its own.
  void* const library = dlopen(kName, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return std::unexpected(Missing(why == nullptr ? kName : why));
  }
  CurlLibrary curl;
#define STATOR_CURL_FIND(name) TRY_VOID(Find(library, "curl_" #name, curl.name));
  STATOR_CURL_FUNCTIONS(STATOR_CURL_FIND)
#undef STATOR_CURL_FIND
  const curl_version_info_data* const info = curl.version_info(CURLVERSION_NOW);
  if (info->version_num < kVersionMin) {
    return std::unexpected(Missing(std::string("this one is ") + info->version));
  }
  CHECK(curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
  return curl;
}

const Result<CurlLibrary>& Loaded() {
  static const Result<CurlLibrary> loaded = Load();
  return loaded;
}

}  // namespace

Result<void> LoadCurl() {
  if (const Result<CurlLibrary>& loaded = Loaded(); !loaded) {
    return std::unexpected(loaded.error());
  }
  return {};
}

const CurlLibrary& Curl() {
  const Result<CurlLibrary>& loaded = Loaded();
  CHECK(loaded.has_value());
  return *loaded;
}

}  // namespace stator::transport
