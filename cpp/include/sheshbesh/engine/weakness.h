// The mistakes of weak levels: what they overlook, misjudge and fear too little.
//
// Weak players do not add noise to a table of equities. They think of some plays and not of others, and the more
// checkers a play takes, the likelier it is missed. Of the plays they see they underrate gammons, which are not on
// the board yet, and misjudge what their lone checkers risk: now bold, now timid, and the same for all plays of a
// decision. Their comparisons are rough, the more roughly the more is at stake. All of it is drawn from a generator
// that the question seeds, with plain arithmetic, so a level makes the same mistakes again, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sheshbesh/movegen.h"
#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

// What a level lacks; the defaults lack nothing.
struct Weakness {
    double sight = 1;       // the chance to think of a play for every further group of checkers it moves
    double gammons = 1;     // the share at which wins beyond a plain one are counted
    double mood = 0;        // how far a lone checker that is sure to be hit is misjudged, to either side
    double noise = 0;       // the roughness of a comparison
    double reluctance = 0;  // by how much a double must look right
    // The last three are shares of the standard deviation of what the game brings.

    bool operator==(const Weakness&) const = default;
};

// A legal play with the probability of each class, for the player who would make it.
struct Considered {
    Throw dice;
    std::size_t index = 0;  // among the plays of the throw in the order of the generator
    std::span<const float> probabilities;
};

// The place of the play that a player of this weakness makes among candidates, which stand best first. `values` are
// the equities of the classes to that player. What is drawn for a play does not depend on its place. Throws
// std::invalid_argument if there are no candidates or one of them is no play.
std::size_t pick(Generator& generator, const Ruleset& rules, const State& state, std::span<const Considered> candidates,
                 std::span<const double> values, const Weakness& weakness, std::uint64_t seed);

// Whether such a player turns the cube where that gains so much, given the probabilities of the side on roll.
bool doubles(const Ruleset& rules, const State& state, double gain, std::span<const float> probabilities,
             std::span<const double> values, const Weakness& weakness, std::uint64_t seed);

enum class Answer : std::uint8_t { drop, take, beaver };

// What such a player answers to a double of the side on roll, to which a take and a drop are worth so much. `beaver`:
// whether a beaver is right; the player makes it if it looks so.
Answer answer(const Ruleset& rules, const State& state, double double_take, double double_pass, bool beaver,
              std::span<const float> probabilities, std::span<const double> values, const Weakness& weakness,
              std::uint64_t seed);

// How much the lone checkers of the player who has just made a play risk on the way to `after`: about 0 to 1 each.
// `own`: whether that player is on roll there.
double danger(const Ruleset& rules, const State& after, bool own);

}  // namespace sheshbesh
