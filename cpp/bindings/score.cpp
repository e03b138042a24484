// The laws of score and cube in Python; the sense of each name is in score.h.
#include "sheshbesh/score.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

std::vector<std::string> names(const std::vector<ScoreFault>& faults) {
    std::vector<std::string> found;
    found.reserve(faults.size());
    for (const ScoreFault one : faults) found.emplace_back(fault_name(one));
    return found;
}

}  // namespace

void bind_score(nb::module_& m) {
    m.attr("HIGHEST_CUBE") = kHighestCube;
    m.def("is_cube_value", &is_cube_value, "value"_a,
          "Whether a cube can stand at a value: a power of two that the program counts to.");
    m.def("allows_cube", &allows_cube, "limit"_a, "value"_a,
          "Whether the cube may be turned to a value; `limit` is the highest one agreed on, 0 for none.");
    nb::enum_<CubeLaw>(m, "CubeLaw", "The laws that a double may break.")
        .value("none", CubeLaw::none)
        .value("match_over", CubeLaw::match_over)
        .value("after_roll", CubeLaw::after_roll)
        .value("crawford", CubeLaw::crawford)
        .value("owner", CubeLaw::owner)
        .value("limit", CubeLaw::limit)
        .value("dead", CubeLaw::dead);
    nb::class_<Score>(m, "Score", "Score and cube at one moment; a `length` of 0 is money play, a limit of 0 none.")
        .def(
            "__init__",
            [](Score* self, std::int64_t length, std::int64_t white, std::int64_t black, std::int64_t cube,
               std::optional<bool> black_owns, bool crawford, bool jacoby, bool allow_dead_double,
               int automatic_doubles, std::int64_t cube_limit, bool crawford_rule) {
                std::optional<Colour> owner;
                if (black_owns) owner = *black_owns ? Colour::black : Colour::white;
                new (self) Score{
                    length,     {white, black}, cube, owner, crawford, jacoby, allow_dead_double, automatic_doubles,
                    cube_limit, crawford_rule};
            },
            nb::kw_only(), "length"_a, "white"_a, "black"_a, "cube"_a, "black_owns"_a.none(), "crawford"_a, "jacoby"_a,
            "allow_dead_double"_a, "automatic_doubles"_a, "cube_limit"_a, "crawford_rule"_a)
        .def(
            "faults_alone", [](const Score& score) { return names(faults_alone(score)); },
            "The names of what is wrong with the values themselves.")
        .def(
            "faults_together", [](const Score& score) { return names(faults_together(score)); },
            "The names of what does not go together, each value being possible.")
        .def(
            "winner",
            [](const Score& score) -> std::optional<bool> {
                const std::optional<Colour> found = winner(score);
                if (!found) return std::nullopt;
                return *found == Colour::black;
            },
            "Whether Black has won the match; None where nobody has.")
        .def(
            "away", [](const Score& score, bool black) { return away(score, black ? Colour::black : Colour::white); },
            "black"_a, "Points that a side still needs in a match.")
        .def(
            "cube_law",
            [](const Score& score, bool black, bool rolled) {
                return cube_law(score, black ? Colour::black : Colour::white, rolled);
            },
            "black"_a, "rolled"_a, "The law that a double by a side, whose turn it is, would break.")
        .def(
            "paid",
            [](const Score& score, int kind, std::int64_t points) {
                return paid(score, static_cast<Kind>(kind), points);
            },
            "kind"_a, "points"_a, "What a result pays that is worth `points` at a cube of 1; kinds as in state.h.");
}

}  // namespace sheshbesh
