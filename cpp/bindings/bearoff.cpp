// The bear-off databases' Python face. Files cross as bytes; where they lie is Python's business.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "bind.h"
#include "cube_heights.h"
#include "released.h"
#include "sheshbesh/engine/bearoff.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

std::span<const std::byte> view(const nb::bytes& file) {
    return {static_cast<const std::byte*>(file.data()), file.size()};
}

std::string key_of(const Ruleset& rules, Sides sides) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(bearoff_key(rules, sides)));
    return text.data();
}

// `progress` may be None. Ctrl-C is seen now and then.
nb::bytes generate(const Ruleset& rules, Sides sides, const nb::object& progress) {
    std::vector<std::byte> file;
    {
        const Released released;
        file = generate_bearoff(rules, sides, [&progress](double done) {
            check_interrupt();
            const nb::gil_scoped_acquire held;
            if (!progress.is_none()) progress(done);
        });
    }
    return nb::bytes(file.data(), file.size());
}

template <class Half>
std::shared_ptr<Half> parse(const nb::bytes& file, const Ruleset& rules) {
    const std::span<const std::byte> bytes = view(file);
    const Released released;
    return std::const_pointer_cast<Half>(Half::parse(bytes, rules));
}

std::optional<std::vector<float>> lookup(const BearoffDatabase& database, const State& state) {
    std::vector<float> classes(static_cast<std::size_t>(database.classes()));
    return database.lookup(state, classes.data()) ? std::optional(std::move(classes)) : std::nullopt;
}

std::optional<std::tuple<float, float, float>> cubeful(const BearoffDatabase& database, const State& state) {
    const std::optional<CubefulEquities> found = database.cubeful(state);
    if (!found) return std::nullopt;
    return std::tuple(found->centred, found->owned, found->theirs);
}

std::optional<std::vector<double>> cube_values(const BearoffDatabase& database, const Ruleset& rules,
                                               const State& state, const std::vector<HeightTuple>& heights,
                                               const std::vector<std::pair<int, CubeOwner>>& places) {
    const CubefulUtility cube(ClassTable(rules), cube_heights(heights), 0.0f);
    std::vector<CubePlace> asked;
    for (const auto& [height, owner] : places) {
        if (height < 0 || height >= cube.heights()) throw std::invalid_argument("a place above the cube's heights");
        asked.push_back({height, owner});
    }
    const nb::gil_scoped_release released;
    return database.cube_values(state, cube, asked);
}

}  // namespace

void bind_bearoff(nb::module_& m) {
    nb::enum_<Sides>(m, "Sides", "Which bear-off database: of one side's turns, or of both sides' values.")
        .value("one", Sides::one)
        .value("two", Sides::two);
    m.attr("BEAROFF_VERSION") = kBearoffVersion;
    m.attr("TWO_SIDED_CHECKERS") = kTwoSidedCheckers;
    m.def(
        "bearoff_obstacle",
        [](const Ruleset& rules, Sides sides) { return std::string(bearoff_obstacle(rules, sides)); }, "rules"_a,
        "sides"_a, "Why the rules have no such database; empty if they have.");
    m.def("bearoff_key", &key_of, "rules"_a, "sides"_a, "Sixteen hexadecimal digits, equal where the databases are.");
    m.def("generate_bearoff", &generate, "rules"_a, "sides"_a, "progress"_a.none() = nb::none(),
          "The database as a file; `progress` is called with the share done. ValueError where there is an obstacle.");
    nb::class_<OneSided>(m, "OneSided", "How many turns one side needs, for every home position.")
        .def_static("parse", &parse<OneSided>, "file"_a, "rules"_a, "ValueError for what is not this database.");
    nb::class_<TwoSided>(m, "TwoSided", "The value of every pair of home positions of few checkers.")
        .def_static("parse", &parse<TwoSided>, "file"_a, "rules"_a, "ValueError for what is not this database.");
    nb::class_<BearoffDatabase, ExactValues>(m, "BearoffDatabase",
                                             "The bear-off of a game, exact where few checkers are left.")
        .def(
            "__init__",
            [](BearoffDatabase* self, const Ruleset& rules, const std::shared_ptr<OneSided>& one,
               const std::shared_ptr<TwoSided>& two) { new (self) BearoffDatabase(rules, one, two); },
            "rules"_a, "one"_a.none(), "two"_a.none())
        .def("lookup", &lookup, "state"_a, "The probability of each class for the side on roll; None if not covered.")
        .def("is_exact", &BearoffDatabase::is_exact, "state"_a,
             "Whether its value is that of the two-sided database, and not the product of two one-sided ones.")
        .def("cubeful", &cubeful, "state"_a,
             "Money equities of the side on roll if it does not double now, cube at 1: with the cube in the middle, "
             "its own, the other side's; None if not covered.")
        .def("cube_values", &cube_values, "rules"_a, "state"_a, "heights"_a, "places"_a,
             "The value to the side on roll of not turning the cube before this throw, for each of the `places`, a "
             "number among the `heights` (as `Roller` takes them) and an owner; None if not covered.")
        .def("average_turns", &BearoffDatabase::average_turns, "state"_a,
             "Turns needed on average, on roll first, when both play for the fewest; None if not covered.");
}

}  // namespace sheshbesh
