// Why a play is refused: the rules are lifted one after the other in a fixed order, and the first
// whose absence makes the play legal is the reason. No rule is stated twice for this.
#pragma once

#include <cstdint>
#include <vector>

#include "sheshbesh/movegen.h"

namespace sheshbesh {

enum class Verdict : std::uint8_t {
    legal,
    broken_rule,  // `rule` names it
    game_over,
    not_thrown,  // more steps, or other numbers, than the dice show
    no_checker,  // nothing of the mover stands where a step begins
};

struct Refusal {
    Verdict verdict = Verdict::legal;
    Rule rule = Rule::enter_first;
};

enum class Asked : std::uint8_t {
    whole_play,  // the steps in any order are a complete play
    beginning,   // the steps in this order may still become one
};

// The verdict on `steps` as what is `asked`; where they break several rules, on the first in the order
// of `Rule`, those about single steps before the duties.
Refusal explain(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                const std::vector<Step>& steps, Asked asked);

// The same of several readings of one text or of one way over the board: legal if one of them is, else the verdict on
// the one that comes closest to it. The later a referee comes to the rule, the more of the play was in order.
Refusal explain_nearest(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                        const std::vector<std::vector<Step>>& readings, Asked asked);

// A step as a player shows it.
struct ShownStep {
    int origin = 0;
    int target = 0;
    int die = 0;  // 0: whichever of the dice leads there
};

// The verdict on steps that a player shows, by whichever of the dice.
Refusal judge(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
              const std::vector<ShownStep>& steps, Asked asked);

}  // namespace sheshbesh
