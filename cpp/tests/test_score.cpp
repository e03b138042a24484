// The laws of score and cube. Sources: Khalili (004), p. 11 and 12; rule sheet B 21, B 22, B 44.
#include "check.h"
#include "sheshbesh/score.h"

namespace sheshbesh {
namespace {

constexpr int as_number(CubeLaw law) { return static_cast<int>(law); }

TEST("a double is refused by the first law that it breaks") {
    Score score;
    score.length = 5;
    CHECK_EQUAL(as_number(cube_law(score, Colour::white, false)), as_number(CubeLaw::none));
    CHECK_EQUAL(as_number(cube_law(score, Colour::white, true)), as_number(CubeLaw::after_roll));
    score.cube = 2;
    score.owner = Colour::black;
    CHECK_EQUAL(as_number(cube_law(score, Colour::white, false)), as_number(CubeLaw::owner));
    score.won = {0, 3};
    CHECK_EQUAL(as_number(cube_law(score, Colour::black, false)), as_number(CubeLaw::dead));
    score.cube_limit = 2;
    CHECK_EQUAL(as_number(cube_law(score, Colour::black, false)), as_number(CubeLaw::limit));
    score.won = {5, 3};
    CHECK_EQUAL(as_number(cube_law(score, Colour::black, false)), as_number(CubeLaw::match_over));
    CHECK(winner(score) == Colour::white);
}

TEST("Jacoby's rule takes gammons while the cube is unturned, in money play alone") {
    Score score;
    score.jacoby = true;
    CHECK_EQUAL(paid(score, Kind::gammon, 2), 1);
    CHECK_EQUAL(paid(score, Kind::mother, 2), 2);
    score.cube = 4;
    score.automatic_doubles = 2;
    CHECK_EQUAL(paid(score, Kind::backgammon, 3), 4);
    score.owner = Colour::white;
    score.cube = 8;
    CHECK_EQUAL(paid(score, Kind::backgammon, 3), 24);
    score.length = 7;
    score.owner.reset();
    CHECK_EQUAL(paid(score, Kind::gammon, 2), 16);
}

}  // namespace
}  // namespace sheshbesh
