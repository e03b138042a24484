// Runs every test of the core, or with the name of a file (`test_types`) the tests of that one. Exit status 1
// if a check failed or nothing was checked.
#include <string_view>

#include "check.h"

namespace {

// "test_types" for ".../test_types.cpp".
std::string_view stem(std::string_view path) {
    path.remove_prefix(path.find_last_of("/\\") + 1);
    return path.substr(0, path.find('.'));
}

}  // namespace

int main(int argc, char** argv) {
    using namespace sheshbesh::test;
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    int run = 0;
    for (const Case& test : cases()) {
        if (!wanted.empty() && stem(test.file) != wanted) continue;
        const int before = failures();
        context().clear();
        test.body();
        ++run;
        std::cout << (failures() == before ? "ok    " : "FAIL  ") << test.name << std::endl;
    }
    std::cout << run << " tests, " << failures() << " failed checks\n";
    return failures() == 0 && run > 0 ? 0 : 1;
}
