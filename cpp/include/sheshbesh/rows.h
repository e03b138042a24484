// Positions as rows of bytes, for arrays: everything that a State holds, at fixed places.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

// The places of a row; every value is a byte.
namespace row {
inline constexpr std::size_t kMine = 0;           // 27 counts of the side on roll, as in types.h
inline constexpr std::size_t kTheirs = 27;        // the other side's, in its own numbering
inline constexpr std::size_t kPinnedMine = 54;    // points 1 to 24 of the side on roll: 1 where it is pinned
inline constexpr std::size_t kPinnedTheirs = 78;  // the same for the other side
inline constexpr std::size_t kBlackOnRoll = 102;  // 0 or 1, as are all flags
inline constexpr std::size_t kTurnsMine = 103;    // finished turns, counted as far as the rules ask
inline constexpr std::size_t kTurnsTheirs = 104;
inline constexpr std::size_t kStartedMine = 105;
inline constexpr std::size_t kStartedTheirs = 106;
inline constexpr std::size_t kMotherLostMine = 107;
inline constexpr std::size_t kMotherLostTheirs = 108;
inline constexpr std::size_t kPending = 109;  // die, second, steps, rest, then_throw, choose_double, head
inline constexpr std::size_t kWidth = 116;
// What an observation of a game has beyond its position.
inline constexpr std::size_t kDice = 116;      // high, low, steps; all 0 where they are not known
inline constexpr std::size_t kPhase = 119;     // 0: a play, or a double to be named; 1: to double or not; 2: the answer
inline constexpr std::size_t kCube = 120;      // 0 for a cube at 1, 1 at 2, 2 at 4, ...
inline constexpr std::size_t kOwner = 121;     // 0: nobody, 1: the side on roll, 2: the other side
inline constexpr std::size_t kAwayMine = 122;  // points that the side on roll still needs; 0 in money play
inline constexpr std::size_t kAwayTheirs = 123;
inline constexpr std::size_t kCrawford = 124;
inline constexpr std::size_t kObservation = 125;
}  // namespace row

void write_row(const State& state, std::uint8_t* out);

// The state of a row. std::invalid_argument names the place that holds what no position can: a count
// or a sum that is not the game's number of checkers, a flag that is neither 0 nor 1, a die above 6.
State read_row(const Ruleset& rules, const std::uint8_t* in);

}  // namespace sheshbesh
