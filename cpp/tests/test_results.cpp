// How games end, read from the position alone, with either side on roll.
#include "check.h"
#include "shapes.h"

namespace sheshbesh::test {
namespace {

// The result for the side whose checkers are `mine`; the other side on roll must see the same.
void check_result(const Ruleset& rules, const State& state, Kind kind, Winner winner, int points) {
    const GameResult seen = result(rules, state);
    CHECK_EQUAL(static_cast<int>(seen.kind), static_cast<int>(kind));
    CHECK_EQUAL(static_cast<int>(seen.winner), static_cast<int>(winner));
    CHECK_EQUAL(seen.points, points);
    const GameResult other = result(rules, swapped(state));
    const Winner turned = winner == Winner::nobody    ? Winner::nobody
                          : winner == Winner::on_roll ? Winner::other
                                                      : Winner::on_roll;
    CHECK_EQUAL(static_cast<int>(other.kind), static_cast<int>(kind));
    CHECK_EQUAL(static_cast<int>(other.winner), static_cast<int>(turned));
    CHECK_EQUAL(other.points, points);
}

const Counts kAllOff = board({{kOff, 15}});

TEST("a game that goes on has no result") {
    check_result(hitting(), start(hitting(), false), Kind::none, Winner::nobody, 0);
    check_result(pinning(), start(pinning(), true), Kind::none, Winner::nobody, 0);
}

TEST("the sides meet while the ways before them share a point, seen from either side") {
    const auto meet = [](const Ruleset& rules, const State& state) {
        CHECK(has_contact(rules, state) == has_contact(rules, swapped(state)));
        return has_contact(rules, state);
    };
    CHECK(meet(hitting(), start(hitting(), false)));
    CHECK(meet(hitting(), position(board({{8, 15}}), board({{17, 1}, {1, 14}}))));
    CHECK(!meet(hitting(), position(board({{8, 15}}), board({{16, 1}, {1, 14}}))));
    CHECK(meet(hitting(), position(board({{kBar, 1}, {1, 14}}), board({{1, 15}}))));
    CHECK(!meet(hitting(), position(board({{kBar, 1}, {1, 14}}), kAllOff)));
    CHECK(meet(pinning(), position(board({{8, 15}}), board({{17, 1}, {1, 14}}))));
    CHECK(meet(blocking(), position(board({{13, 1}, {1, 14}}), board({{1, 15}}))));
    CHECK(!meet(blocking(), position(board({{12, 15}}), board({{12, 15}}))));
    CHECK(meet(blocking(), position(board({{kHand, 1}, {1, 14}}), board({{1, 15}}))));
}

TEST("single, gammon, backgammon") {
    const Ruleset rules = hitting();
    check_result(rules, position(kAllOff, board({{kOff, 1}, {6, 14}})), Kind::single, Winner::on_roll, 1);
    check_result(rules, position(kAllOff, board({{6, 15}})), Kind::gammon, Winner::on_roll, 2);
    check_result(rules, position(kAllOff, board({{6, 14}, {19, 1}})), Kind::backgammon, Winner::on_roll, 3);
    check_result(rules, position(kAllOff, board({{6, 14}, {18, 1}})), Kind::gammon, Winner::on_roll, 2);
    check_result(rules, position(kAllOff, board({{6, 14}, {kBar, 1}})), Kind::backgammon, Winner::on_roll, 3);
    check_result(rules, position(board({{6, 15}}), kAllOff), Kind::gammon, Winner::other, 2);
    Ruleset plain = hitting();
    plain.score_gammon = plain.score_backgammon = 0;
    check_result(plain, position(kAllOff, board({{kBar, 15}})), Kind::single, Winner::on_roll, 1);
}

TEST("home mars, koks, and the winner's home on a parallel board") {
    Ruleset rules = blocking();
    rules.score_home_mars = 3;
    check_result(rules, position(kAllOff, board({{1, 15}})), Kind::home_mars, Winner::on_roll, 3);
    check_result(rules, position(kAllOff, board({{7, 1}, {1, 14}})), Kind::gammon, Winner::on_roll, 2);
    rules.score_koks = 3;
    check_result(rules, position(kAllOff, board({{24, 1}, {1, 14}})), Kind::koks, Winner::on_roll, 3);
    rules.score_koks = 0;
    rules.score_backgammon = 3;
    // The winner's 1 to 6 are the loser's 13 to 18.
    check_result(rules, position(kAllOff, board({{13, 1}, {1, 14}})), Kind::backgammon, Winner::on_roll, 3);
    check_result(rules, position(kAllOff, board({{19, 1}, {1, 14}})), Kind::gammon, Winner::on_roll, 2);
}

TEST("checkers left are counted") {
    Ruleset rules = blocking();
    rules.score_left = ScoreLeft::count;
    check_result(rules, position(kAllOff, board({{kOff, 4}, {3, 11}})), Kind::count, Winner::on_roll, 11);
    rules.score_left = ScoreLeft::difference;
    check_result(rules, position(kAllOff, board({{24, 15}})), Kind::difference, Winner::on_roll, 15);
}

TEST("the last roll of the second player and the tie") {
    Ruleset rules = blocking();
    rules.last_roll_tie = true;
    // Here it matters who is on roll: the second player is, and has their turn still to come.
    State state = position(board({{kOff, 13}, {2, 2}}), kAllOff);
    state.they_started = true;
    CHECK(result(rules, state).kind == Kind::none);
    CHECK(result(rules, swapped(state)).kind == Kind::single);
    CHECK(result(rules, swapped(state)).winner == Winner::on_roll);
    state.mine = kAllOff;
    check_result(rules, state, Kind::tie, Winner::nobody, 0);
    // The second player who is off first has won: the starter has had their turn.
    state.mine = board({{kOff, 13}, {2, 2}});
    state.they_started = false;
    state.i_started = true;
    check_result(rules, state, Kind::single, Winner::other, 1);
}

TEST("an imprisoned mother loses once the enemy has left their start") {
    Ruleset rules = pinning();
    rules.mother = Mother::at_once;
    // My last checker on 24 lies under an enemy on their own point 1.
    State state = position(board({{24, 1}, {13, 14}}), board({{1, 1}, {13, 14}}));
    state.pinned_mine = bit(24);
    check_result(rules, state, Kind::mother, Winner::other, 2);
    rules.mother_points = 1;
    check_result(rules, state, Kind::mother, Winner::other, 1);
    // While they still have a checker on their 24 the game goes on; with both imprisoned neither side wins.
    state.theirs = board({{24, 2}, {1, 1}, {13, 12}});
    check_result(rules, state, Kind::none, Winner::nobody, 0);
    state.theirs = board({{24, 1}, {1, 1}, {13, 13}});
    state.mine = board({{24, 1}, {1, 1}, {13, 13}});
    state.pinned_theirs = bit(24);
    check_result(rules, state, Kind::tie, Winner::nobody, 0);
    rules.mother = Mother::off;
    check_result(rules, state, Kind::none, Winner::nobody, 0);
}

TEST("a closed area wins while the enemy's runner is on its way") {
    Ruleset rules = blocking();
    rules.movement = Movement::contrary;
    rules.closed_area = true;
    const Counts closed = board({{24, 4}, {23, 2}, {22, 2}, {21, 2}, {20, 2}, {19, 2}, {6, 1}});
    check_result(rules, position(closed, board({{24, 14}, {13, 1}})), Kind::closed_area, Winner::on_roll, 2);
    check_result(rules, position(closed, board({{24, 14}, {18, 1}})), Kind::closed_area, Winner::on_roll, 2);
    check_result(rules, position(closed, board({{24, 14}, {kOff, 1}})), Kind::none, Winner::nobody, 0);
    rules.closed_area_wins = false;
    check_result(rules, position(closed, board({{24, 14}, {13, 1}})), Kind::tie, Winner::nobody, 0);
    rules.closed_area = false;
    check_result(rules, position(closed, board({{24, 14}, {13, 1}})), Kind::none, Winner::nobody, 0);
}

}  // namespace
}  // namespace sheshbesh::test
