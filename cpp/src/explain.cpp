#include "sheshbesh/explain.h"

#include <algorithm>
#include <array>
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

// The verdict on the reading that comes closest to being legal, of those that were looked at.
class Nearest {
public:
    Nearest(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice, Asked asked)
        : generator_(generator), rules_(rules), state_(state), dice_(dice), asked_(asked) {}

    void look(const std::vector<Step>& steps) {
        if (looked_ && found_.verdict == Verdict::legal) return;
        const Refusal one = explain(generator_, rules_, state_, dice_, steps, asked_);
        if (!looked_ || one.verdict == Verdict::legal || reached(one) > reached(found_)) found_ = one;
        looked_ = true;
    }
    // Every way to give the steps from number `done.size()` on one of the dice that are left, in their order.
    void look(const std::vector<ShownStep>& steps, std::array<int, kMaxSteps>& left, std::vector<Step>& done) {
        if (done.size() == steps.size()) return look(done);
        const ShownStep& step = steps[done.size()];
        int tried = 0;
        for (int& die : left) {  // the larger first, equal ones once
            const int number = die;
            if (number == 0 || number == tried || (step.die != 0 && step.die != number) ||
                landing(step.origin, number) != step.target) {
                continue;
            }
            tried = number;
            die = 0;
            done.push_back({step.origin, number});
            look(steps, left, done);
            done.pop_back();
            die = number;
        }
    }
    // None if nothing was looked at.
    std::optional<Refusal> found() const { return looked_ ? std::optional(found_) : std::nullopt; }

private:
    static int reached(const Refusal& one) {
        return one.verdict == Verdict::broken_rule ? static_cast<int>(one.rule) : -1;
    }

    Generator& generator_;
    const Ruleset& rules_;
    const State& state_;
    const Throw& dice_;
    Asked asked_;
    Refusal found_{};
    bool looked_ = false;
};

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

Refusal explain_nearest(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                        const std::vector<std::vector<Step>>& readings, Asked asked) {
    Nearest nearest(generator, rules, state, dice, asked);
    for (const std::vector<Step>& steps : readings) nearest.look(steps);
    return nearest.found().value_or(Refusal{Verdict::not_thrown, {}});
}

Refusal judge(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
              const std::vector<ShownStep>& steps, Asked asked) {
    if (result(rules, state).kind != Kind::none) return {Verdict::game_over, {}};
    std::array<int, kMaxSteps> left{};
    for (int i = 0; i < dice.steps; ++i) left[static_cast<std::size_t>(i)] = i % 2 == 0 ? dice.high : dice.low;
    Nearest nearest(generator, rules, state, dice, asked);
    std::vector<Step> done;
    nearest.look(steps, left, done);
    if (nearest.found()) return *nearest.found();
    const auto is_reached = [&](int origin) {
        return std::any_of(steps.begin(), steps.end(), [&](const ShownStep& step) { return step.target == origin; });
    };
    const bool is_empty = std::any_of(steps.begin(), steps.end(), [&](const ShownStep& step) {
        return count(state.mine, step.origin) == 0 && !is_reached(step.origin);
    });
    return {is_empty ? Verdict::no_checker : Verdict::not_thrown, {}};
}

}  // namespace sheshbesh
