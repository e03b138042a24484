// Counting and playing at random: the two ways to exercise the generator in bulk.
#pragma once

#include <cstdint>

#include "sheshbesh/movegen.h"

namespace sheshbesh {

// The number of positions `depth` plays away: the sum over the 21 different throws (or the one
// element that is owed, or the six doubles that may be named) of the distinct final positions,
// recursively. A pass counts as one position; a game that is over has none.
std::uint64_t perft(const Ruleset& rules, const State& state, int depth);

struct PlayoutCount {
    std::uint64_t games = 0;
    std::uint64_t decisions = 0;  // throws and elements played
    std::uint64_t positions = 0;  // final positions generated for them
    std::uint64_t checksum = 0;   // over the positions chosen: equal work, equal number
};

// Plays games at random, each play chosen uniformly, until `decisions` have been made. A game that
// has not ended after `longest_game` decisions (some rule sets can lock) is given up.
PlayoutCount play_at_random(const Ruleset& rules, std::uint64_t decisions, std::uint64_t seed, int longest_game = 2000);

}  // namespace sheshbesh
