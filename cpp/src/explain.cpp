#include "sheshbesh/explain.h"

#include <algorithm>

namespace sheshbesh {

namespace {

// Whether the numbers of the steps are on the dice.
bool is_thrown(const Throw& dice, const std::vector<Step>& steps) {
    if (dice.same()) {
        return static_cast<int>(steps.size()) <= dice.steps &&
               std::all_of(steps.begin(), steps.end(), [&](const Step& step) { return step.die == dice.high; });
    }
    const auto used = [&](int die) {
        return std::count_if(steps.begin(), steps.end(), [die](const Step& step) { return step.die == die; });
    };
    return used(dice.high) <= 1 && used(dice.low) <= 1 &&
           used(dice.high) + used(dice.low) == static_cast<std::ptrdiff_t>(steps.size());
}

// Tries the rules of `order` alone, then together one after the other.
struct Referee {
    Generator& generator;
    const State& state;
    const Throw& dice;
    const std::vector<Step>& steps;
    Asked asked;

    bool permits(const Ruleset& rules) const {
        const TurnGraph& graph = generator.explore(rules, state, dice);
        return asked == Asked::whole_play ? graph.find(steps) >= 0 : graph.leads_on(steps);
    }

    bool name(const Ruleset& rules, const std::vector<Rule>& order, Refusal& refusal) const {
        for (const Rule rule : order) {
            if (permits(lift(rules, rule_bit(rule)))) return refusal = {Verdict::broken_rule, rule}, true;
        }
        RuleBits lifted = 0;
        for (const Rule rule : order) {
            lifted |= rule_bit(rule);
            if (permits(lift(rules, lifted))) return first_needed(rules, order, lifted, refusal), true;
        }
        return false;
    }

    // Of several broken rules the first in the order: the one without which the rest does not help.
    void first_needed(const Ruleset& rules, const std::vector<Rule>& order, RuleBits lifted, Refusal& refusal) const {
        for (const Rule rule : order) {
            if ((lifted & rule_bit(rule)) == 0) continue;
            refusal = {Verdict::broken_rule, rule};
            if (!permits(lift(rules, lifted & ~rule_bit(rule)))) return;
        }
    }
};

// A ban on hit-and-run that only judges whole plays is a duty; otherwise it forbids a step.
bool is_duty(const Ruleset& rules, Rule rule) {
    if (rule != Rule::hit_and_run) return static_cast<int>(rule) >= kFirstDuty;
    return rules.hit_run_ban == HitRunBan::soft || rules.hit_run_priority == HitRunPriority::dice_first;
}

}  // namespace

Refusal explain(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                const std::vector<Step>& steps, Asked asked) {
    if (result(rules, state).kind != Kind::none) return {Verdict::game_over, {}};
    if (!is_thrown(dice, steps)) return {Verdict::not_thrown, {}};
    const Referee referee{generator, state, dice, steps, asked};
    if (referee.permits(rules)) return {};
    if (steps.empty()) return {Verdict::broken_rule, Rule::dice_all};

    std::vector<Rule> step_rules;
    std::vector<Rule> duties;
    RuleBits all_duties = 0;
    for (int i = 0; i < kRuleCount; ++i) {
        const auto rule = static_cast<Rule>(i);
        (is_duty(rules, rule) ? duties : step_rules).push_back(rule);
        if (is_duty(rules, rule)) all_duties |= rule_bit(rule);
    }
    Refusal refusal{Verdict::no_checker, {}};
    const Ruleset dutiless = lift(rules, all_duties);
    if (!referee.permits(dutiless)) {
        referee.name(dutiless, step_rules, refusal);
    } else {
        referee.name(rules, duties, refusal);
    }
    return refusal;
}

}  // namespace sheshbesh
