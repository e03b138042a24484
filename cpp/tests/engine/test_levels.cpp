// Levels and features under random rules: what a level picks depends on the plays, not on their order, and everything
// can be counted in every position.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../check.h"
#include "../shapes.h"
#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/features.h"
#include "sheshbesh/engine/weakness.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh::test {
namespace {

// The candidates of a throw with made-up probabilities of two classes, each play's its own.
struct Made {
    std::vector<std::vector<float>> shares;
    std::vector<Considered> candidates;

    Made(const Throw& dice, std::size_t plays, std::size_t classes, Random& random) {
        for (std::size_t i = 0; i < plays; ++i) {
            const float win = static_cast<float>(random.below(1000)) / 1000;
            shares.emplace_back(classes, 0.0f);
            shares.back()[0] = win;
            shares.back()[classes / 2] = 1 - win;
        }
        for (std::size_t i = 0; i < plays; ++i) candidates.push_back({dice, i, shares[i]});
    }
};

TEST("what a level picks does not depend on the order of the plays, and nothing lacking picks the first") {
    Random random(35);
    Generator generator;
    for (int trial = 0; trial < 200; ++trial) {
        const Ruleset rules = random_rules(random);
        const ClassTable classes(rules);
        const std::vector<float> money = classes.money();
        const std::vector<double> values(money.begin(), money.end());
        const State state = start(rules, trial % 2 == 0);
        const Throw dice = element(rules, state, 1 + static_cast<int>(random.below(6)), 1);
        const std::size_t plays = generator.plays(rules, state, dice).size();
        if (plays < 2) continue;
        Made made(dice, plays, values.size(), random);
        const Weakness rough{1, 0.2, 0.2, 0.05, 0.2};
        const std::uint64_t seed = random.next();
        const std::size_t first = pick(generator, rules, state, made.candidates, values, rough, seed);
        const std::size_t chosen = made.candidates[first].index;
        CHECK_EQUAL(pick(generator, rules, state, made.candidates, values, Weakness{}, seed), std::size_t{0});
        // The best stays in its place: what is at stake with it measures the roughness of all.
        std::reverse(made.candidates.begin() + 1, made.candidates.end());
        const std::size_t again = pick(generator, rules, state, made.candidates, values, rough, seed);
        CHECK_EQUAL(made.candidates[again].index, chosen);
    }
}

TEST("in every position of random games all throws are counted, of 36") {
    Random random(36);
    Generator generator;
    for (int trial = 0; trial < 40; ++trial) {
        const Ruleset rules = random_rules(random);
        State state = start(rules, false);
        for (int step = 0; step < 60 && result(rules, state).kind == Kind::none; ++step) {
            if (state.pending.choose_double) break;
            const auto die = [&random] { return 1 + static_cast<int>(random.below(6)); };
            const Throw dice = element(rules, state, die(), die());
            const std::vector<Play>& plays = generator.plays(rules, state, dice);
            const auto chosen = random.below(static_cast<std::uint32_t>(plays.size()));
            state = position_after(rules, state, dice, plays[chosen]);
            for (const bool own : {false, true}) {
                const auto next = next_throw(generator, rules, state, own);
                if (!next) continue;
                CHECK(!own);
                CHECK_EQUAL(next->of(NextThrow::harmful) + next->of(NextThrow::dancing) + next->of(NextThrow::partial) +
                                next->of(NextThrow::quiet),
                            36);
                CHECK_EQUAL(next->answers.back().last, next->reached.size());
                CHECK(next->of(NextThrow::harmful) == 0 || rules.contact != Contact::block);
            }
            for (const auto& measured : measure(generator, rules, state, true)) {
                CHECK(!measured || measured->points == 0 || measured->number > 0);
            }
        }
    }
}

}  // namespace
}  // namespace sheshbesh::test
