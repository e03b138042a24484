// Rule sets and positions for the tests, by what they are made of, and random ones over all axes.
#pragma once

#include <initializer_list>
#include <utility>

#include "sheshbesh/random.h"
#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh::test {

inline Counts board(std::initializer_list<std::pair<int, int>> checkers) {
    Counts counts = 0;
    for (const auto& [index, number] : checkers) counts += static_cast<Counts>(number) << (4 * index);
    return counts;
}

inline int total(Counts counts) {
    int sum = 0;
    for (int i = 0; i <= kBar; ++i) sum += count(counts, i);
    return sum;
}

// Standard backgammon: hits, a bar, 1/2/3.
inline Ruleset hitting() {
    Ruleset rules;
    rules.setup = board({{24, 2}, {13, 5}, {8, 3}, {6, 5}});
    rules.score_gammon = 2;
    rules.score_backgammon = 3;
    return rules;
}

// All fifteen on 24, contrary, a lone checker is imprisoned.
inline Ruleset pinning() {
    Ruleset rules;
    rules.contact = Contact::pin;
    rules.setup = board({{24, 15}});
    rules.score_gammon = 2;
    return rules;
}

// All fifteen on 24, parallel, one checker closes a point.
inline Ruleset blocking() {
    Ruleset rules;
    rules.contact = Contact::block;
    rules.movement = Movement::parallel;
    rules.setup = board({{24, 15}});
    rules.score_gammon = 2;
    return rules;
}

// `blocking` with the head and prime rules of the long game.
inline Ruleset long_blocking() {
    Ruleset rules = blocking();
    rules.head_limit = 1;
    rules.head_exception = HeadException::three_doubles;
    rules.prime_allowed = PrimeAllowed::ahead_of_block;
    return rules;
}

inline State position(Counts mine, Counts theirs) {
    State state;
    state.mine = mine;
    state.theirs = theirs;
    return state;
}

// A number of 0 to `words` - 1, as an answer to an axis of that many words.
template <class Enum>
Enum pick(Random& random, int words) {
    return static_cast<Enum>(random.below(static_cast<std::uint32_t>(words)));
}

inline bool chance(Random& random, std::uint32_t one_in) { return random.below(one_in) == 0; }

inline std::uint8_t number(Random& random, int low, int high) {
    return static_cast<std::uint8_t>(low + static_cast<int>(random.below(static_cast<std::uint32_t>(high - low + 1))));
}

inline void randomize_board(Ruleset& rules, Random& random) {
    rules.movement = pick<Movement>(random, 2);
    rules.contact = pick<Contact>(random, 3);
    rules.checkers = number(random, 1, 15);
    rules.hand = chance(random, 4) ? number(random, 0, rules.checkers) : std::uint8_t{0};
    rules.setup = 0;
    // Both sides may not start on one point, or a hit would find two colours there: a setup that
    // the loader refuses. Everything else may be as odd as it likes.
    const bool one_stack = chance(random, 3);
    for (int left = rules.checkers - rules.hand; left > 0; --left) {
        int point = one_stack ? 24 : 0;
        while (point == 0 || count(rules.setup, rules.mirrored(point)) > 0) point = number(random, 1, 24);
        rules.setup += one(point);
    }
}

inline void randomize_rules(Ruleset& rules, Random& random) {
    rules.stack_cap = chance(random, 4) ? number(random, 1, 15) : std::uint8_t{0};
    rules.own_quarter = chance(random, 3) ? number(random, 1, 5) : std::uint8_t{6};
    rules.opponent_quarter = chance(random, 3) ? number(random, 1, 5) : std::uint8_t{6};
    rules.quarter_until = pick<QuarterUntil>(random, 3);
    rules.prime_allowed = pick<PrimeAllowed>(random, 4);
    rules.prime_transit = !chance(random, 3);
    rules.head_limit = chance(random, 3) ? number(random, 1, 15) : std::uint8_t{0};
    rules.head_exception = pick<HeadException>(random, 4);
    rules.runner_to = chance(random, 3) ? pick<RunnerTo>(random, 3) : RunnerTo::none;
    rules.dice_duty = chance(random, 2) ? DiceDuty::all : pick<DiceDuty>(random, 3);
    rules.duty_tie = pick<DutyTie>(random, 3);
    rules.must_open = pick<MustOpen>(random, 3);
    rules.hit_run_ban = pick<HitRunBan>(random, 3);
    rules.hit_run_priority = pick<HitRunPriority>(random, 2);
    rules.overshoot = pick<Overshoot>(random, 3);
    rules.inside_moves = !chance(random, 3);
    rules.forced_bearoff = pick<ForcedBearoff>(random, 3);
    rules.pinned_blocks_bearoff = chance(random, 2);
}

inline void randomize_throw_and_ending(Ruleset& rules, Random& random) {
    rules.double_steps = number(random, 1, 4);
    rules.progression_from = chance(random, 2) ? number(random, 1, 9) : std::uint8_t{0};
    rules.progression_count = pick<ProgressionCount>(random, 2);
    rules.progression_in_bearoff = chance(random, 2);
    rules.unused_to_opponent = chance(random, 2);
    rules.forfeit_simple = chance(random, 3);
    rules.one_two_bonus = pick<OneTwoBonus>(random, 3);
    rules.mother = pick<Mother>(random, 3);
    rules.mother_points = number(random, 1, 3);
    rules.closed_area = chance(random, 4);
    rules.closed_area_wins = !chance(random, 4);
    rules.last_roll_tie = chance(random, 3);
    rules.score_gammon = number(random, 0, 3);
    rules.score_backgammon = number(random, 0, 3);
    rules.score_home_mars = number(random, 0, 3);
    rules.score_koks = number(random, 0, 3);
    rules.score_left = pick<ScoreLeft>(random, 3);
}

// Any answer on any axis, absurd combinations included.
inline Ruleset random_rules(Random& random) {
    Ruleset rules;
    randomize_board(rules, random);
    randomize_rules(rules, random);
    randomize_throw_and_ending(rules, random);
    return rules;
}

}  // namespace sheshbesh::test
