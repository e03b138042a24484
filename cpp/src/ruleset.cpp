#include "sheshbesh/ruleset.h"

#include <algorithm>

namespace sheshbesh {

std::uint8_t Ruleset::turns_remembered() const {
    const int head = head_exception == HeadException::none ? 0 : 1;
    const int chain = progression_from == 0 ? 0 : progression_from - 1;
    return static_cast<std::uint8_t>(std::max(head, chain));
}

Ruleset without(const Ruleset& rules, RuleBits lifted) {
    Ruleset loose = rules;
    const auto has = [lifted](Rule rule) { return (lifted & rule_bit(rule)) != 0; };
    loose.lifted |= lifted;
    if (has(Rule::stack_cap)) loose.stack_cap = 0;
    if (has(Rule::head)) loose.head_limit = 0;
    if (has(Rule::runner)) loose.runner_to = RunnerTo::none;
    if (has(Rule::prime)) loose.prime_allowed = PrimeAllowed::always;
    if (has(Rule::own_quarter)) loose.own_quarter = 6;
    if (has(Rule::opponent_quarter)) loose.opponent_quarter = 6;
    if (has(Rule::hit_and_run)) loose.hit_run_ban = HitRunBan::none;
    if (has(Rule::bear_off_pinned)) loose.pinned_blocks_bearoff = false;
    if (has(Rule::bear_off_no_inside)) loose.inside_moves = true;
    if (has(Rule::dice_all)) loose.dice_duty = DiceDuty::voluntary;
    if (has(Rule::dice_tie)) loose.duty_tie = DutyTie::none;
    if (has(Rule::bear_off_forced)) loose.forced_bearoff = ForcedBearoff::off;
    if (has(Rule::must_open)) loose.must_open = MustOpen::off;
    return loose;
}

}  // namespace sheshbesh
