// Random games under random rule sets, the absurd ones included: nothing may crash, loop, lose a
// checker, or be found by one generator and not by the other. The main target of the sanitizers.
#include <algorithm>
#include <sstream>

#include "check.h"
#include "shapes.h"
#include "sheshbesh/explain.h"
#include "sheshbesh/movegen.h"
#include "sheshbesh/playout.h"

namespace sheshbesh::test {
namespace {

std::vector<Step> steps_of(const Play& play) {
    std::vector<Step> steps;
    steps.reserve(kMaxSteps);
    for (int i = 0; i < play.depth; ++i) steps.push_back({path_origin(play.path, i), path_die(play.path, i)});
    return steps;
}

bool before(const Play& a, const Play& b) {
    if (a.mine != b.mine) return a.mine < b.mine;
    if (a.hits != b.hits) return a.hits < b.hits;
    return a.mother_taken < b.mother_taken;
}

std::vector<Play> sorted(std::vector<Play> plays) {
    std::sort(plays.begin(), plays.end(), before);
    return plays;
}

// A throw as it may be asked for here: anything, a double where one is to be named.
Throw any_throw(const Ruleset& rules, const State& state, Random& random) {
    const int first = static_cast<int>(random.below(6)) + 1;
    const int second = state.pending.choose_double ? first : static_cast<int>(random.below(6)) + 1;
    return element(rules, state, first, second);
}

void check_position(const Ruleset& rules, const State& state) {
    CHECK_EQUAL(total(state.mine), int{rules.checkers});
    CHECK_EQUAL(total(state.theirs), int{rules.checkers});
    CHECK(swapped(swapped(state)) == state);
    CHECK(int{state.turns_mine} <= rules.turns_remembered());
    const Mask shared = occupied(state.mine) & kPoints & rules.mirrored(occupied(state.theirs) & kPoints);
    if (rules.contact != Contact::pin) {
        CHECK_EQUAL(shared, Mask{0});
    } else {
        // Every shared point has one prisoner: one checker of one side.
        const Mask pinned_theirs = rules.mirrored(state.pinned_theirs);
        CHECK_EQUAL(state.pinned_mine | pinned_theirs, shared);
        CHECK_EQUAL(state.pinned_mine & pinned_theirs, Mask{0});
        CHECK_EQUAL(state.pinned_mine & ~holding(state.mine, 1), Mask{0});
        CHECK_EQUAL(state.pinned_theirs & ~holding(state.theirs, 1), Mask{0});
    }
    const Pending& owed = state.pending;
    CHECK(owed.steps <= kMaxSteps);
    CHECK((owed.steps == 0) == (owed.die == 0));
    CHECK(!(owed.choose_double && owed.steps != 0));
    CHECK(owed.second == 0 || (owed.steps == 2 && owed.second < owed.die));
    if (rules.last_roll_tie) CHECK(state.i_started != state.they_started);
}

// A walk over the stages finds every legal play, meets nothing but legal plays, and offers at each
// stage what `next_steps` offers.
void check_stages(const TurnGraph& graph, const std::vector<Play>& plays) {
    const std::vector<Stage> stages = graph.stages();
    std::vector<std::vector<Step>> path(stages.size());
    std::vector<Play> met;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        std::vector<Step> offered;
        for (const Onward& onward : stages[i].onward) {
            offered.push_back(onward.step);
            CHECK(onward.stage > i);
            path.at(onward.stage) = path[i];
            path[onward.stage].push_back(onward.step);
        }
        const std::vector<Step> next = graph.next_steps(path[i]);
        CHECK(offered.size() == next.size() && std::is_permutation(offered.begin(), offered.end(), next.begin()));
        CHECK(stages[i].is_whole == graph.find(path[i]).has_value());
        if (stages[i].is_whole) met.push_back(play_of(graph.node(stages[i].node)));
    }
    const std::vector<Play> all = sorted(plays);
    met = sorted(met);
    met.erase(std::unique(met.begin(), met.end()), met.end());
    CHECK(met == all);
}

void check_plays(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                 const std::vector<Play>& plays) {
    CHECK(!plays.empty());
    const std::vector<Play> in_order = sorted(plays);
    CHECK(std::adjacent_find(in_order.begin(), in_order.end()) == in_order.end());
    CHECK(in_order == sorted(generator.plays_by_graph(rules, state, dice)));
    for (const Play& play : plays) {
        CHECK_EQUAL(total(play.mine), int{rules.checkers});
        CHECK(play.depth <= dice.steps);
        CHECK(pips(play.mine) <= pips(state.mine));
    }
    const TurnGraph& graph = generator.explore(rules, state, dice);
    for (const Play& play : plays) {
        const std::vector<Step> steps = steps_of(play);
        CHECK(graph.find(steps).has_value());
        CHECK(graph.leads_on(steps));
        for (std::size_t done = 0; done < steps.size(); ++done) {
            const std::vector<Step> first(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(done));
            const std::vector<Step> next = graph.next_steps(first);
            CHECK(std::find(next.begin(), next.end(), steps[done]) != next.end());
        }
    }
    check_stages(graph, plays);
}

// The referee agrees with the generator about legal plays, and has an answer to any nonsense.
void check_referee(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                   const std::vector<Play>& plays, Random& random) {
    const Play& legal = plays[random.below(static_cast<std::uint32_t>(plays.size()))];
    CHECK(explain(generator, rules, state, dice, steps_of(legal), Asked::whole_play).verdict == Verdict::legal);
    CHECK(explain(generator, rules, state, dice, steps_of(legal), Asked::beginning).verdict == Verdict::legal);

    std::vector<Step> nonsense;
    for (std::uint32_t left = random.below(5); left > 0; --left) {
        const int die = chance(random, 5)   ? static_cast<int>(random.below(6)) + 1
                        : chance(random, 2) ? dice.high
                                            : dice.low;
        nonsense.push_back({static_cast<int>(random.below(26)) + 1, die});
    }
    const bool found = generator.explore(rules, state, dice).find(nonsense).has_value();
    const Refusal refusal = explain(generator, rules, state, dice, nonsense, Asked::whole_play);
    CHECK_EQUAL(refusal.verdict == Verdict::legal, found);
    CHECK(refusal.verdict != Verdict::game_over);
    explain(generator, rules, state, dice, nonsense, Asked::beginning);
}

// Plays `decisions` throws of random games. Returns how many games came to an end.
int play(const Ruleset& rules, Random& random, int decisions, int referee_every) {
    Generator generator;
    State state = start(rules, false);
    int ended = 0;
    for (int n = 0; n < decisions; ++n) {
        check_position(rules, state);
        const Throw dice = any_throw(rules, state, random);
        const std::vector<Play> plays = generator.plays(rules, state, dice);
        if (result(rules, state).kind != Kind::none) {
            CHECK(plays.empty());
            state = start(rules, chance(random, 2));
            ++ended;
            continue;
        }
        check_plays(generator, rules, state, dice, plays);
        if (plays.empty()) return ended;
        if (n % referee_every == 0) check_referee(generator, rules, state, dice, plays, random);
        const Play& chosen = plays[random.below(static_cast<std::uint32_t>(plays.size()))];
        state = position_after(rules, state, dice, chosen);
    }
    return ended;
}

TEST("random games under random rules: both generators agree, nothing is lost") {
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        Random random(seed);
        const Ruleset rules = random_rules(random);
        std::ostringstream where;
        where << "random rules, seed " << seed;
        context() = where.str();
        play(rules, random, 100, 5);
    }
}

TEST("random games of plain rule sets come to an end") {
    Random random(7);
    for (const Ruleset& rules : {hitting(), pinning(), blocking(), long_blocking()}) {
        CHECK(play(rules, random, 1500, 50) > 3);
    }
}

TEST("a side with one checker, and boards full of single checkers on a double") {
    Ruleset rules;
    rules.checkers = 1;
    rules.setup = board({{24, 1}});
    Random random(8);
    CHECK(play(rules, random, 600, 5) > 3);

    Generator generator;
    Ruleset spread = hitting();
    for (const HitRunBan ban : {HitRunBan::none, HitRunBan::soft, HitRunBan::hard}) {
        spread.hit_run_ban = ban;
        Counts mine = 0;
        for (int point = 10; point <= 24; ++point) mine += one(point);
        const State state = position(mine, board({{24, 1}, {23, 1}, {22, 1}, {21, 1}, {20, 1}, {19, 1}, {0, 9}}));
        for (int die = 1; die <= 6; ++die) {
            const Throw dice{die, die, 4};
            check_plays(generator, spread, state, dice, generator.plays(spread, state, dice));
        }
    }
}

TEST("where every play would keep a forbidden prime, the play is the pass") {
    Ruleset rules = long_blocking();
    rules.prime_transit = false;
    // A prime that no game would build: my 6 to 1 with all of the enemy behind. 6-5 cannot break it.
    const State state = position(board({{6, 3}, {5, 3}, {4, 3}, {3, 3}, {2, 2}, {1, 1}}), board({{24, 15}}));
    Generator generator;
    for (const auto exception : {HeadException::three_doubles, HeadException::any_blocked}) {
        rules.head_exception = exception;
        const std::vector<Play> plays = generator.plays(rules, state, Throw{6, 5, 2});
        CHECK_EQUAL(plays.size(), std::size_t{1});
        CHECK(!plays.empty() && plays.front().depth == 0);
    }
}

TEST("the head is widened only where dice are blocked, not where they may be left") {
    Ruleset rules = long_blocking();
    rules.head_exception = HeadException::any_blocked;
    rules.dice_duty = DiceDuty::voluntary;
    Generator generator;
    for (const Play& play : generator.plays(rules, start(rules, false), Throw{5, 3, 2})) {
        CHECK(count(play.mine, 24) >= 14);  // 24/16 plays both dice with one checker
    }
}

TEST("bulk play-outs are the same for the same seed and differ for another") {
    const PlayoutCount first = play_at_random(hitting(), 3000, 11);
    const PlayoutCount again = play_at_random(hitting(), 3000, 11);
    const PlayoutCount other = play_at_random(hitting(), 3000, 12);
    CHECK_EQUAL(first.decisions, std::uint64_t{3000});
    CHECK(first.games > 5);
    CHECK(first.positions > first.decisions);
    CHECK_EQUAL(first.checksum, again.checksum);
    CHECK_EQUAL(first.positions, again.positions);
    CHECK(first.checksum != other.checksum);
}

TEST("a game that cannot end is given up") {
    Ruleset stuck = blocking();
    stuck.overshoot = Overshoot::exact;
    stuck.setup = board({{24, 15}});
    stuck.stack_cap = 1;  // neither side can ever bear off fifteen without crossing: long, maybe endless
    const PlayoutCount total = play_at_random(stuck, 500, 3, 50);
    CHECK_EQUAL(total.decisions, std::uint64_t{500});
    CHECK(total.games >= 9);
}

TEST("perft of the start of backgammon") {
    const Ruleset rules = hitting();
    CHECK_EQUAL(perft(rules, start(rules, false), 0), std::uint64_t{1});
    CHECK_EQUAL(perft(rules, start(rules, false), 1), std::uint64_t{447});
    CHECK_EQUAL(perft(rules, start(rules, true), 2), std::uint64_t{202782});
}

}  // namespace
}  // namespace sheshbesh::test
