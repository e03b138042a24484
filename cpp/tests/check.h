// The smallest test harness that reports well: tests register themselves, checks count failures and
// go on, and none of it depends on NDEBUG.
#pragma once

#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace sheshbesh::test {

struct Case {
    std::string name;
    std::string file;
    std::function<void()> body;
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

// How often a test repeats what it does with other numbers. AddressSanitizer makes each round ten times as dear and
// looks for what the first ones show; the plain build runs them all.
constexpr int rounds(int all) {
#if defined(__SANITIZE_ADDRESS__)
    return (all + 3) / 4;
#else
    return all;
#endif
}

// What the running test is looking at (a seed, a step number), printed with every failure.
inline std::string& context() {
    static std::string text;
    return text;
}

struct Registrar {
    Registrar(const char* name, const char* file, std::function<void()> body) {
        cases().push_back({name, file, std::move(body)});
    }
};

inline void report(const std::string& what, const char* file, int line) {
    // One broken rule fails thousands of checks of a play-out; the first few are enough.
    if (++failures() > 25) return;
    std::cerr << file << ':' << line << ": " << what;
    if (!context().empty()) std::cerr << "  [" << context() << ']';
    std::cerr << '\n';
}

template <class A, class B>
void check_equal(const A& got, const B& wanted, const char* text, const char* file, int line) {
    if (got == wanted) return;
    std::ostringstream message;
    message << text << ": got " << got << ", expected " << wanted;
    report(message.str(), file, line);
}

}  // namespace sheshbesh::test

#define SHESHBESH_JOIN2(a, b, c) a##b##_##c
#define SHESHBESH_JOIN(a, b, c) SHESHBESH_JOIN2(a, b, c)
// Where several files are compiled as one, CMake defines UNITY_ID anew for each: lines alone would be there twice.
#define SHESHBESH_HERE(a) SHESHBESH_JOIN(a, UNITY_ID, __LINE__)

// TEST("what must hold") { ... }
#define TEST(name)                                                                                               \
    static void SHESHBESH_HERE(test_)();                                                                         \
    static const ::sheshbesh::test::Registrar SHESHBESH_HERE(registrar_)(name, __FILE__, SHESHBESH_HERE(test_)); \
    static void SHESHBESH_HERE(test_)()

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) ::sheshbesh::test::report(#condition, __FILE__, __LINE__); \
    } while (false)

#define CHECK_EQUAL(got, wanted) ::sheshbesh::test::check_equal((got), (wanted), #got, __FILE__, __LINE__)
