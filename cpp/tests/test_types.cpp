// Counts, masks, pips, mirrored points, lifted rules.
#include "check.h"
#include "shapes.h"

namespace sheshbesh::test {
namespace {

Counts random_counts(Random& random) {
    Counts counts = 0;
    for (int left = kMaxCheckers; left > 0; --left) counts += one(static_cast<int>(random.below(kBar + 1)));
    return counts;
}

TEST("masks of counts agree with counting index by index") {
    Random random(1);
    for (int round = 0; round < 5000; ++round) {
        const Counts counts = random_counts(random);
        Mask some = 0;
        Mask several = 0;
        int distance = 0;
        for (int i = 1; i <= kBar; ++i) {
            if (count(counts, i) >= 1) some |= bit(i);
            if (count(counts, i) >= 2) several |= bit(i);
            distance += count(counts, i) * (i > 24 ? 25 : i);
        }
        CHECK_EQUAL(occupied(counts), some);
        CHECK_EQUAL(stacked(counts), several);
        CHECK_EQUAL(pips(counts), distance);
        for (int wanted = 0; wanted <= 15; ++wanted) {
            Mask exactly = 0;
            for (int i = 1; i <= kBar; ++i) exactly |= count(counts, i) == wanted ? bit(i) : 0;
            CHECK_EQUAL(holding(counts, wanted), exactly);
        }
    }
}

TEST("a full nibble does not spill into its neighbours") {
    for (int i = 0; i <= kBar; ++i) {
        const Counts full = static_cast<Counts>(15) << (4 * i);
        CHECK_EQUAL(total(full), 15);
        CHECK_EQUAL(count(full, i), 15);
        CHECK_EQUAL(occupied(full), i == 0 ? Mask{0} : bit(i));
        CHECK_EQUAL(stacked(full), i == 0 ? Mask{0} : bit(i));
    }
}

TEST("ranges, tops and lows") {
    CHECK_EQUAL(range(1, 6), kHome);
    CHECK_EQUAL(range(19, 24), kStartQuarter);
    CHECK_EQUAL(range(7, 7), bit(7));
    for (int low = 1; low <= kBar; ++low) {
        for (int high = low; high <= kBar; ++high) {
            CHECK_EQUAL(top(range(low, high)), high);
            CHECK_EQUAL(lowest(range(low, high)), low);
            CHECK_EQUAL(std::popcount(range(low, high)), high - low + 1);
        }
    }
}

TEST("mirrored points are an involution, in masks as one by one") {
    Random random(2);
    for (const Movement movement : {Movement::contrary, Movement::parallel}) {
        Ruleset rules;
        rules.movement = movement;
        for (int point = 1; point <= 24; ++point) {
            CHECK_EQUAL(rules.mirrored(rules.mirrored(point)), point);
            CHECK_EQUAL(rules.mirrored(bit(point)), bit(rules.mirrored(point)));
        }
        for (int round = 0; round < 2000; ++round) {
            const Mask points = static_cast<Mask>(random.next()) & kPoints;
            CHECK_EQUAL(rules.mirrored(rules.mirrored(points)), points);
            CHECK_EQUAL(std::popcount(rules.mirrored(points)), std::popcount(points));
        }
    }
    CHECK_EQUAL(hitting().mirrored(24), 1);
    CHECK_EQUAL(blocking().mirrored(24), 12);
}

TEST("a lifted rule is gone and the others stay") {
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        const Ruleset rules = random_rules(random);
        for (int i = 0; i < kRuleCount; ++i) {
            const auto rule = static_cast<Rule>(i);
            const Ruleset loose = without(rules, rule_bit(rule));
            CHECK(loose.is_lifted(rule));
            CHECK_EQUAL(loose.lifted, rule_bit(rule));
            CHECK_EQUAL(int{loose.stack_cap}, rule == Rule::stack_cap ? 0 : int{rules.stack_cap});
            CHECK_EQUAL(int{loose.head_limit}, rule == Rule::head ? 0 : int{rules.head_limit});
            CHECK_EQUAL(int{loose.own_quarter}, rule == Rule::own_quarter ? 6 : int{rules.own_quarter});
            CHECK_EQUAL(int{loose.opponent_quarter}, rule == Rule::opponent_quarter ? 6 : int{rules.opponent_quarter});
            CHECK((loose.runner_to == rules.runner_to) == (rule != Rule::runner || rules.runner_to == RunnerTo::none));
            CHECK((loose.must_open == rules.must_open) ==
                  (rule != Rule::must_open || rules.must_open == MustOpen::off));
            CHECK_EQUAL(loose.inside_moves, rules.inside_moves || rule == Rule::bear_off_no_inside);
        }
        CHECK_EQUAL(without(rules, 0).lifted, RuleBits{0});
    }
}

TEST("turns are remembered as far as a rule asks") {
    Ruleset rules = hitting();
    CHECK_EQUAL(int{rules.turns_remembered()}, 0);
    rules.head_exception = HeadException::any_double;
    CHECK_EQUAL(int{rules.turns_remembered()}, 1);
    rules.progression_from = 4;
    CHECK_EQUAL(int{rules.turns_remembered()}, 3);
}

}  // namespace
}  // namespace sheshbesh::test
