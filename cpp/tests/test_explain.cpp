// The referee names the rule that stands in the way, for whole plays and for beginnings.
#include "check.h"
#include "shapes.h"
#include "sheshbesh/explain.h"

namespace sheshbesh::test {
namespace {

struct Case {
    Ruleset rules;
    State state;
    Throw dice;

    Refusal ask(const std::vector<Step>& steps, Asked asked) const {
        Generator generator;
        return explain(generator, rules, state, dice, steps, asked);
    }
    void is_legal(const std::vector<Step>& steps) const {
        CHECK(ask(steps, Asked::whole_play).verdict == Verdict::legal);
        CHECK(ask(steps, Asked::beginning).verdict == Verdict::legal);
    }
    void breaks(const std::vector<Step>& steps, Rule rule, Asked asked = Asked::whole_play) const {
        const Refusal refusal = ask(steps, asked);
        CHECK(refusal.verdict == Verdict::broken_rule);
        CHECK_EQUAL(static_cast<int>(refusal.rule), static_cast<int>(rule));
    }
    void is(const std::vector<Step>& steps, Verdict verdict) const {
        CHECK(ask(steps, Asked::whole_play).verdict == verdict);
        CHECK(ask(steps, Asked::beginning).verdict == verdict);
    }
};

TEST("legal plays in any order of their steps, and their beginnings") {
    const Case start_of_31{hitting(), start(hitting(), false), {3, 1, 2}};
    start_of_31.is_legal({{8, 3}, {6, 1}});
    start_of_31.is_legal({{6, 1}, {8, 3}});
    CHECK(start_of_31.ask({}, Asked::beginning).verdict == Verdict::legal);
    start_of_31.breaks({}, Rule::dice_all);
    start_of_31.breaks({{8, 3}}, Rule::dice_all);
    CHECK(start_of_31.ask({{8, 3}}, Asked::beginning).verdict == Verdict::legal);
}

TEST("dice, checkers and the end come before every rule") {
    const Case start_of_31{hitting(), start(hitting(), false), {3, 1, 2}};
    start_of_31.is({{8, 5}}, Verdict::not_thrown);
    start_of_31.is({{8, 3}, {6, 3}}, Verdict::not_thrown);
    start_of_31.is({{8, 3}, {6, 1}, {6, 1}}, Verdict::not_thrown);
    start_of_31.is({{7, 3}}, Verdict::no_checker);
    const State over = position(board({{kOff, 15}}), board({{6, 15}}));
    Case{hitting(), over, {3, 1, 2}}.is({{8, 3}}, Verdict::game_over);
    Case{hitting(), over, {3, 1, 2}}.is({}, Verdict::game_over);
}

TEST("steps: entering, closed points, bearing off") {
    const Counts far = board({{1, 13}, {3, 2}});  // their 3 is my 22
    const State hit = position(board({{kBar, 1}, {8, 4}, {6, 10}}), far);
    Case{hitting(), hit, {3, 1, 2}}.breaks({{6, 1}}, Rule::enter_first, Asked::beginning);
    Case{hitting(), hit, {3, 1, 2}}.breaks({{kBar, 3}}, Rule::point_closed, Asked::beginning);
    const State last = position(board({{13, 1}, {6, 14}}), board({{1, 15}}));
    Case{hitting(), last, {6, 1, 2}}.breaks({{6, 6}, {6, 1}}, Rule::bear_off_all_home);
    const State home = position(board({{6, 2}, {3, 2}, {kOff, 11}}), board({{1, 15}}));
    Case{hitting(), home, {5, 4, 2}}.breaks({{3, 5}, {6, 4}}, Rule::bear_off_number);
}

TEST("duties: the larger die, every die") {
    // Either die can be played, not both: my 3 is their 22.
    const State lone = position(board({{10, 1}, {kOff, 14}}), board({{22, 2}, {1, 13}}));
    const Case either{hitting(), lone, {4, 3, 2}};
    either.is_legal({{10, 4}});
    either.breaks({{10, 3}}, Rule::dice_tie);
    either.breaks({{10, 3}}, Rule::dice_tie, Asked::beginning);
    either.breaks({}, Rule::dice_all);
}

TEST("heads, runners, primes, quarters") {
    const State long_start = start(long_blocking(), false);
    Case{long_blocking(), long_start, {6, 1, 2}}.breaks({{24, 6}, {24, 1}}, Rule::head);
    Case{long_blocking(), long_start, {6, 6, 4}}.is_legal({{24, 6}, {24, 6}});

    Ruleset running = blocking();
    running.runner_to = RunnerTo::past_opponent_start;
    const State under_way = position(board({{24, 14}, {20, 1}}), board({{24, 15}}));
    Case{running, under_way, {2, 1, 2}}.breaks({{24, 2}, {20, 1}}, Rule::runner);

    const Counts five = board({{24, 9}, {23, 1}, {22, 1}, {21, 1}, {20, 1}, {19, 1}, {10, 1}});
    const State behind = position(five, board({{24, 15}}));
    Case{long_blocking(), behind, {6, 1, 2}}.breaks({{24, 6}, {10, 1}}, Rule::prime);
    const State ahead = position(five, board({{24, 14}, {1, 1}}));
    Case{long_blocking(), ahead, {6, 1, 2}}.is_legal({{24, 6}, {10, 1}});

    Ruleset quartered = blocking();
    quartered.own_quarter = 5;
    const State open = position(board({{24, 9}, {23, 1}, {22, 1}, {21, 1}, {20, 2}, {5, 1}}), board({{24, 15}}));
    Case{quartered, open, {5, 1, 2}}.breaks({{24, 5}, {5, 1}}, Rule::own_quarter);
}

TEST("prisoners, caps, hit and run, forced bear-offs") {
    State pinned = position(board({{24, 14}, {18, 1}}), board({{7, 1}, {24, 14}}));
    pinned.pinned_mine = bit(18);
    Case{pinning(), pinned, {3, 1, 2}}.breaks({{18, 3}, {24, 1}}, Rule::captive);

    Ruleset capped = hitting();
    capped.stack_cap = 5;
    Case{capped, start(capped, false), {2, 1, 2}}.breaks({{8, 2}, {24, 1}}, Rule::stack_cap);

    Ruleset banned = hitting();
    banned.hit_run_ban = HitRunBan::hard;
    const State blot = position(board({{8, 3}, {6, 12}}), board({{20, 1}, {1, 14}}));  // their 20 is my 5
    Case{banned, blot, {3, 2, 2}}.breaks({{8, 3}, {5, 2}}, Rule::hit_and_run);
    Case{hitting(), blot, {3, 2, 2}}.is_legal({{8, 3}, {5, 2}});

    Ruleset forced = hitting();
    forced.forced_bearoff = ForcedBearoff::after_duty;
    const State home = position(board({{6, 2}, {4, 2}, {2, 2}, {kOff, 9}}), board({{1, 15}}));
    Case{forced, home, {4, 2, 2}}.breaks({{6, 4}, {6, 2}}, Rule::bear_off_forced);
    Case{forced, home, {4, 2, 2}}.is_legal({{4, 4}, {2, 2}});
}

TEST("a prime before the whole enemy stack must be opened") {
    Ruleset opening = blocking();
    opening.must_open = MustOpen::stack_behind;
    // My 6 to 1 are their 18 to 13; their stack stands on their 19, my 7.
    const Counts prime = board({{10, 3}, {6, 2}, {5, 2}, {4, 2}, {3, 2}, {2, 2}, {1, 2}});
    const State locked = position(prime, board({{19, 15}}));
    Case{opening, locked, {2, 1, 2}}.breaks({{10, 2}, {10, 1}}, Rule::must_open);
}

}  // namespace
}  // namespace sheshbesh::test
