// In what two plays of the same throw differ, in numbers, and what each difference is worth.
//
// Two kinds of reason stand side by side. Those about the result (more wins, fewer gammons lost) add up to the
// difference in equity itself. Those about the board are what a player can see. Of them those about the next throw of
// the other side are measured in the position: its throws are sorted by whether they can hit or imprison, let nothing
// move, can be played in part only, or none of these, each is answered by the best reply, and the difference of the
// means falls into what other numbers of such throws make, what hits cost more or less, and a rest. That is what those
// about what stands there share, by the weights of the game.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sheshbesh/engine/features.h"
#include "sheshbesh/engine/search.h"

namespace sheshbesh {

// What a reason about the result is about; the ids go on where those of the features end.
enum class ResultReason : std::uint8_t { wins, gammons_won, gammons_lost, points_won, points_lost };
constexpr int kReasons = kBoardFeatures + static_cast<int>(ResultReason::points_lost) + 1;

// The name of a reason: that of its feature, or of what it says about the result.
std::string_view reason_name(int id);

// One difference. `mine` and `other` are the numbers of the two plays; about the result they are shares of all games
// or, where points are counted, mean points a game. `weight` is the worth of the difference in equity, negative
// where it favours the other play. `gained` are the points that only the first play holds, `lost` those that only the
// other does.
struct Reason {
    int id = 0;
    double mine = 0;
    double other = 0;
    double weight = 0;
    Mask gained = 0;
    Mask lost = 0;
};

// A play as its result: the position after it and the probability of each class for the player.
struct AfterPlay {
    State after;
    std::span<const float> probabilities;
};

// All differences between two plays of a player, the heaviest first. `values` are the equities of the classes to the
// player, `weights` one for each feature, of which those of the next throw are not asked.
std::vector<Reason> reasons(Searcher& searcher, bool black_plays, const AfterPlay& mine, const AfterPlay& other,
                            std::span<const double> values, std::span<const double> weights);

}  // namespace sheshbesh
