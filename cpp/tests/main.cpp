// Runs every test of the core. Exit status 1 if a check failed or nothing was checked.
#include "check.h"

int main() {
    using namespace sheshbesh::test;
    for (const Case& test : cases()) {
        const int before = failures();
        context().clear();
        test.body();
        std::cout << (failures() == before ? "ok    " : "FAIL  ") << test.name << std::endl;
    }
    std::cout << cases().size() << " tests, " << failures() << " failed checks\n";
    return failures() == 0 && !cases().empty() ? 0 : 1;
}
