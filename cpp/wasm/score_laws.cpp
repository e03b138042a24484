// The laws of score and cube for WebAssembly. All that they ask about passes as arguments: points as doubles, the owner
// of the cube as 0 for nobody, 1 for White and 2 for Black, other sides as 0 for White and 1 for Black.
#include "sheshbesh/score.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "exchange.h"

namespace sheshbesh {
namespace {

Colour colour(int side) { return side != 0 ? Colour::black : Colour::white; }

Score score_of(double length, double white, double black) {
    Score score;
    score.length = static_cast<std::int64_t>(length);
    score.won = {static_cast<std::int64_t>(white), static_cast<std::int64_t>(black)};
    return score;
}

void put_cube(Score& score, double cube, int owner) {
    if (owner < 0 || owner > 2) throw std::invalid_argument("the owner of a cube is 0, 1 or 2");
    score.cube = static_cast<std::int64_t>(cube);
    if (owner != 0) score.owner = colour(owner - 1);
}

}  // namespace
}  // namespace sheshbesh

// NOLINTBEGIN(misc-use-internal-linkage): the module's exports.
extern "C" {

using namespace sheshbesh;

// The law that a double by a side would break, as numbered in score.h; 0: none.
int SSB_EXPORT(ssb_cube_law)(double length, double white, double black, double cube, int owner, double limit,
                             int crawford, int dead_double, int side, int rolled) {
    Score score = score_of(length, white, black);
    put_cube(score, cube, owner);
    score.cube_limit = static_cast<std::int64_t>(limit);
    score.crawford = crawford != 0;
    score.allow_dead_double = dead_double != 0;
    return static_cast<int>(cube_law(score, colour(side), rolled != 0));
}

// Output: the names of what makes a score impossible, each ended by a zero: in the values themselves, or, where each is
// possible, in what does not go together. Returns their number.
int SSB_EXPORT(ssb_score_faults)(double length, double white, double black, double cube, int owner, double limit,
                                 int crawford) {
    Score score = score_of(length, white, black);
    put_cube(score, cube, owner);
    score.cube_limit = static_cast<std::int64_t>(limit);
    score.crawford = crawford != 0;
    std::vector<ScoreFault> faults = faults_alone(score);
    if (faults.empty()) faults = faults_together(score);
    output.clear();
    for (const ScoreFault one : faults) output.add(fault_name(one));
    return static_cast<int>(faults.size());
}

// What a result of a kind (as numbered in state.h) pays that is worth `points` at a cube of 1.
double SSB_EXPORT(ssb_paid)(double length, double cube, int owner, int jacoby, int automatic_doubles, int kind,
                            double points) {
    Score score = score_of(length, 0, 0);
    put_cube(score, cube, owner);
    score.jacoby = jacoby != 0;
    score.automatic_doubles = automatic_doubles;
    return static_cast<double>(paid(score, static_cast<Kind>(kind), static_cast<std::int64_t>(points)));
}

// Who has won the match: 0 nobody, 1 White, 2 Black.
int SSB_EXPORT(ssb_winner)(double length, double white, double black) {
    const std::optional<Colour> found = winner(score_of(length, white, black));
    return found ? 1 + static_cast<int>(*found) : 0;
}

// Whether the cube may be turned to a value; `limit` 0: none.
int SSB_EXPORT(ssb_allows_cube)(double limit, double value) {
    return allows_cube(static_cast<std::int64_t>(limit), static_cast<std::int64_t>(value)) ? 1 : 0;
}
}
// NOLINTEND(misc-use-internal-linkage)
