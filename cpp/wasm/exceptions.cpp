// Exceptions in WebAssembly without unwinding: what was thrown is kept as text, and the instance ends.
//
// The toolchain's libc++abi has no exceptions for this target. Nothing that was held is let go, so an instance that
// has trapped must not be asked again: its caller reads the text and makes a fresh one.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

namespace sheshbesh {

// The text of the last fault, read by ssb_error.
std::string& fault_text() {
    static std::string text;
    return text;
}

}  // namespace sheshbesh

#ifdef _LIBCPP_VERSION
// In place of the library's, which brings the whole of printf with it.
void std::__libcpp_verbose_abort(const char* format, ...) noexcept {
    sheshbesh::fault_text() = format;
    __builtin_trap();
}
#endif

extern "C" {

void* __cxa_allocate_exception(std::size_t size) { return ::operator new(size); }

// Everything that the core throws derives from std::exception alone, which therefore lies at its beginning.
[[noreturn]] void __cxa_throw(void* thrown, void* /*type*/, void (* /*destroy*/)(void*)) {
    sheshbesh::fault_text() = static_cast<const std::exception*>(thrown)->what();
    __builtin_trap();
}
}
