#include "sheshbesh/engine/written_evaluation.h"

#include <algorithm>
#include <cstddef>

namespace sheshbesh {

namespace {

constexpr float kWin = 10'000;
constexpr int kQuarter = 6;
constexpr Mask kDeep = range(1, 2);

constexpr std::array<std::string_view, kFeatures> kNames = {
    "pips",  "off",  "home",    "closed",      "closed_home", "wall",   "trapped", "pile",
    "start", "deep", "captive", "captive_far", "bar",         "danger", "threat",  "tempo",
};

int checkers_on(Counts counts, Mask places) {
    int total = 0;
    for (Mask m = places & occupied(counts); m != 0; m &= m - 1) total += count(counts, lowest(m));
    return total;
}

}  // namespace

std::string_view name(Feature feature) { return kNames[static_cast<std::size_t>(feature)]; }

// Everything in the numbering of the side itself, except where a comment names the opponent's.
struct WrittenEvaluation::Side {
    Counts counts;
    Mask standing;
    Mask pinned;
    Mask closed_seen;  // points closed by this side, in the numbering of the enemy
    int rearmost;      // bar and hand as 25; 0 when all are off

    Side(const Ruleset& rules, Counts checkers, Mask own_pinned, Mask enemy_pinned)
        : counts(checkers), standing(occupied(checkers)), pinned(own_pinned) {
        const Mask points = standing & kPoints & ~own_pinned;
        Mask closed = rules.contact == Contact::block ? points : stacked(checkers) & points;
        closed_seen = rules.mirrored(closed) | (rules.mirrored(points) & enemy_pinned);
        const bool waiting = (standing & (bit(kBar) | bit(kHand))) != 0;
        rearmost = waiting ? 25 : standing == 0 ? 0 : top(standing);
    }
};

WrittenEvaluation::WrittenEvaluation(const Ruleset& rules, const Weights& weights) : rules_(rules), weights_(weights) {}

float WrittenEvaluation::value(const State& state) const {
    const GameResult outcome = result(rules_, state);
    if (outcome.kind != Kind::none) {
        if (outcome.winner == Winner::nobody) return 0;
        const float won = kWin * static_cast<float>(std::max(outcome.points, 1));
        return outcome.winner == Winner::on_roll ? won : -won;
    }
    const Side mine(rules_, state.mine, state.pinned_mine, state.pinned_theirs);
    const Side theirs(rules_, state.theirs, state.pinned_theirs, state.pinned_mine);
    return seen(mine, theirs, true) - seen(theirs, mine, false);
}

float WrittenEvaluation::seen(const Side& own, const Side& enemy, bool on_roll) const {
    float total = 0;
    const auto add = [this, &total](Feature feature, float amount) { total += weight(feature) * amount; };
    add(Feature::pips, static_cast<float>(pips(own.counts)));
    add(Feature::off, static_cast<float>(count(own.counts, kOff)));
    add(Feature::home, static_cast<float>(count(own.counts, kOff) + checkers_on(own.counts, kHome)));

    // Walls, in the numbering of the enemy.
    const Mask before = enemy.rearmost == 0 ? 0 : bit(enemy.rearmost) - 1;
    const Mask closed = own.closed_seen & before;
    int longest = 0;
    int behind_longest = 0;
    float squares = 0;
    for (Mask rest = closed; rest != 0;) {
        const int low = lowest(rest);
        const int length = std::countr_one(rest >> low);
        rest &= ~(((Mask{1} << length) - 1) << low);
        squares += static_cast<float>(length * length);
        if (length >= longest) {
            longest = length;
            behind_longest = checkers_on(enemy.counts, ~(bit(low + length) - 1) & ~bit(kOff));
        }
    }
    add(Feature::closed, static_cast<float>(std::popcount(closed)));
    add(Feature::closed_home, static_cast<float>(std::popcount(closed & rules_.mirrored(kHome))));
    add(Feature::wall, squares);
    add(Feature::trapped, static_cast<float>(behind_longest * std::max(longest - 3, 0)));

    int piled = 0;
    for (Mask m = own.standing & kPoints; m != 0; m &= m - 1) piled += std::max(count(own.counts, lowest(m)) - 3, 0);
    add(Feature::pile, static_cast<float>(piled));
    add(Feature::start, static_cast<float>(count(own.counts, 24) + count(own.counts, kHand)));
    if ((rules_.mirrored(own.standing & kPoints) & before) != 0) {
        add(Feature::deep, static_cast<float>(checkers_on(own.counts, kDeep)));
    }

    int far = 0;
    for (Mask m = enemy.pinned; m != 0; m &= m - 1) far += lowest(m);
    add(Feature::captive, static_cast<float>(std::popcount(enemy.pinned)));
    add(Feature::captive_far, static_cast<float>(far) / kQuarter);
    const int held = count(own.counts, kBar);
    if (held != 0) add(Feature::bar, static_cast<float>(held * (1 + std::popcount(enemy.closed_seen & kStartQuarter))));

    if (on_roll) add(Feature::tempo, 1);
    const Feature risk = on_roll ? Feature::threat : Feature::danger;
    if (weight(risk) != 0) add(risk, exposed(own, enemy));
    return total;
}

// What a hit costs is the way already made; what a pin costs, the way that is still to be made.
float WrittenEvaluation::exposed(const Side& own, const Side& enemy) const {
    if (rules_.contact == Contact::block) return 0;
    const Mask singles = holding(own.counts, 1) & kPoints & ~own.pinned & ~rules_.mirrored(own.closed_seen);
    const Mask hunters = (enemy.standing & kPoints) | (enemy.rearmost == 25 ? bit(25) : 0);
    float lost = 0;
    for (Mask m = singles; m != 0; m &= m - 1) {
        const int point = lowest(m);
        const int there = rules_.mirrored(point);
        float safe = 1;
        for (Mask h = hunters & ~(bit(there + 1) - 1); h != 0; h &= h - 1) {
            const auto distance = static_cast<std::size_t>(lowest(h) - there);
            safe *= 1 - kReached[distance];
        }
        lost += (1 - safe) * static_cast<float>(rules_.contact == Contact::hit ? 25 - point : point);
    }
    return lost;
}

}  // namespace sheshbesh
