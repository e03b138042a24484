#include "sheshbesh/explain.h"

#include <algorithm>
#include <optional>

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

// Checks one list of steps under rule sets with rules taken away.
struct Referee {
    Generator& generator;
    const State& state;
    const Throw& dice;
    const std::vector<Step>& steps;
    Asked asked;

    bool permits(const Ruleset& rules) const {
        const TurnGraph& graph = generator.explore(rules, state, dice);
        return asked == Asked::whole_play ? graph.find(steps).has_value() : graph.leads_on(steps);
    }

    // The rule of `order` that the steps break: the first that alone stands in their way; where it
    // takes several, the first of those. None if they are not permitted without all of them.
    std::optional<Rule> broken_rule(const Ruleset& rules, const std::vector<Rule>& order) const {
        for (const Rule rule : order) {
            if (permits(without(rules, rule_bit(rule)))) return rule;
        }
        RuleBits lifted = 0;
        for (const Rule rule : order) {
            lifted |= rule_bit(rule);
            if (permits(without(rules, lifted))) return first_needed(rules, order, lifted);
        }
        return std::nullopt;
    }

    // The first rule that must be among the `lifted` ones for the steps to be permitted. There is
    // one: without the last of them they were not.
    Rule first_needed(const Ruleset& rules, const std::vector<Rule>& order, RuleBits lifted) const {
        return *std::find_if(order.begin(), order.end(), [&](Rule rule) {
            return (lifted & rule_bit(rule)) != 0 && !permits(without(rules, lifted & ~rule_bit(rule)));
        });
    }
};

// A ban on hit-and-run that only concerns whole plays is a duty; otherwise it forbids a step.
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
    if (steps.empty()) return {Verdict::broken_rule, Rule::dice_all};  // all that forbids a pass

    std::vector<Rule> step_rules;
    std::vector<Rule> duties;
    RuleBits all_duties = 0;
    for (int i = 0; i < kRuleCount; ++i) {
        const auto rule = static_cast<Rule>(i);
        (is_duty(rules, rule) ? duties : step_rules).push_back(rule);
        if (is_duty(rules, rule)) all_duties |= rule_bit(rule);
    }
    // A step that no rule allows is reported before a duty that the play as a whole neglects.
    const Ruleset dutiless = without(rules, all_duties);
    const std::optional<Rule> broken =
        referee.permits(dutiless) ? referee.broken_rule(rules, duties) : referee.broken_rule(dutiless, step_rules);
    if (!broken) return {Verdict::no_checker, {}};
    return {Verdict::broken_rule, *broken};
}

}  // namespace sheshbesh
