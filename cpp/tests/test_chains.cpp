// Turns of several elements: doubles that run on, what goes to the other side, the bonus of 1-2.
#include <algorithm>

#include "check.h"
#include "shapes.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh::test {
namespace {

struct Owed {
    int die, second, steps;
    bool rest, then_throw, choose;
};

void check_owed(const State& state, const Owed& wanted) {
    CHECK_EQUAL(int{state.pending.die}, wanted.die);
    CHECK_EQUAL(int{state.pending.second}, wanted.second);
    CHECK_EQUAL(int{state.pending.steps}, wanted.steps);
    CHECK_EQUAL(state.pending.rest, wanted.rest);
    CHECK_EQUAL(state.pending.then_throw, wanted.then_throw);
    CHECK_EQUAL(state.pending.choose_double, wanted.choose);
}

const Owed kNothing{0, 0, 0, false, false, false};

// Plays the longest play of a throw (or of what is owed) in a position.
State play(const Ruleset& rules, const State& state, int first = 0, int second = 0) {
    Generator generator;
    const Throw dice = element(rules, state, first, second);
    const std::vector<Play> plays = generator.plays(rules, state, dice);
    CHECK(!plays.empty());
    const auto longest =
        std::max_element(plays.begin(), plays.end(), [](const Play& a, const Play& b) { return a.depth < b.depth; });
    return position_after(rules, state, dice, *longest);
}

Ruleset running() {
    Ruleset rules = blocking();
    rules.progression_from = 1;
    return rules;
}

TEST("a double runs on through the higher ones, four steps each") {
    const Ruleset rules = running();
    State state = start(rules, false);
    state = play(rules, state, 3, 3);
    CHECK(!state.black_on_roll);
    check_owed(state, {4, 0, 4, true, false, false});
    for (int die = 4; die < 6; ++die) {
        CHECK_EQUAL(element(rules, state, 1, 2).high, die);  // dice are not asked
        state = play(rules, state);
        check_owed(state, {die + 1, 0, 4, die + 1 < 6, false, false});
    }
}

TEST("doubles run on from the turn the rules name") {
    Ruleset rules = running();
    rules.progression_from = 4;
    State state = start(rules, false);
    check_owed(play(rules, state, 2, 2), kNothing);
    state.turns_mine = 2;
    check_owed(play(rules, state, 2, 2), kNothing);
    state.turns_mine = 3;
    check_owed(play(rules, state, 2, 2), {3, 0, 4, true, false, false});
    state.turns_mine = 1;
    state.turns_theirs = 2;
    check_owed(play(rules, state, 2, 2), kNothing);
    rules.progression_count = ProgressionCount::game;
    check_owed(play(rules, state, 2, 2), {3, 0, 4, true, false, false});
}

TEST("a double of sixes and a simple throw owe nothing") {
    const Ruleset rules = running();
    State state = position(board({{24, 15}}), board({{1, 15}}));
    state = play(rules, state, 6, 6);
    check_owed(state, kNothing);
    CHECK(state.black_on_roll);
    check_owed(play(rules, start(rules, false), 2, 1), kNothing);
}

TEST("a broken element ends the turn, or goes to the other side") {
    Ruleset rules = running();
    // Parallel: my 14 and 12 are the enemy's 2 and 24. One five, then no more.
    const State state = position(board({{24, 1}, {kOff, 14}}), board({{2, 1}, {24, 14}}));
    State after = play(rules, state, 5, 5);
    CHECK(after.black_on_roll);
    check_owed(after, kNothing);
    rules.unused_to_opponent = true;
    after = play(rules, state, 5, 5);
    CHECK(after.black_on_roll);
    check_owed(after, {5, 0, 3, true, true, false});
    // They play what they can, then the rest, then throw themselves; nothing comes back.
    State back = play(rules, after);
    CHECK(back.black_on_roll);
    check_owed(back, {6, 0, 4, false, true, false});
    back = play(rules, back);
    CHECK(back.black_on_roll);
    check_owed(back, kNothing);
}

TEST("a die of a simple throw that cannot be played goes over where the rules say so") {
    Ruleset rules = blocking();
    rules.forfeit_simple = rules.unused_to_opponent = true;
    // My 19 is the enemy's 7 and my 18 their 6: the 5 and the 6 are closed.
    State after = play(rules, position(board({{24, 15}}), board({{7, 8}, {6, 7}})), 6, 5);
    CHECK(after.black_on_roll);
    check_owed(after, {6, 5, 2, false, true, false});
    // The enemy's 6 and 5 are my 18 and 17: the 1 can be played, the 6 neither before it nor after it.
    const State half = position(board({{24, 15}}), board({{6, 8}, {5, 7}}));
    check_owed(play(rules, half, 6, 1), {6, 0, 1, false, true, false});
    rules.unused_to_opponent = false;
    check_owed(play(rules, half, 6, 1), kNothing);
}

TEST("1-2 fully played names a double, and all of it gives another throw") {
    Ruleset rules = hitting();
    rules.one_two_bonus = OneTwoBonus::needs_all;
    State state = play(rules, start(rules, false), 1, 2);
    CHECK(!state.black_on_roll);
    check_owed(state, {0, 0, 0, false, false, true});
    const State complete = play(rules, state, 2, 2);
    CHECK(!complete.black_on_roll);
    check_owed(complete, kNothing);
    // 5-5 from the start: 13/8, 13/8, 8/3, 8/3; a sixth point of the enemy leaves fewer.
    State blocked = state;
    blocked.mine = board({{24, 15}});
    blocked.theirs = board({{6, 2}, {1, 13}});
    const State broken = play(rules, blocked, 5, 5);
    CHECK(broken.black_on_roll);
    check_owed(broken, kNothing);
    rules.one_two_bonus = OneTwoBonus::always;
    CHECK(!play(rules, blocked, 5, 5).black_on_roll);
}

TEST("a finished game owes nothing") {
    Ruleset rules = running();
    rules.unused_to_opponent = true;
    const State after = play(rules, position(board({{1, 1}, {kOff, 14}}), board({{24, 15}})), 2, 2);
    CHECK(result(rules, after).kind != Kind::none);
    check_owed(after, kNothing);
}

}  // namespace
}  // namespace sheshbesh::test
