// The laws of the score and of the doubling cube: when a side may double, what a result pays, who has won.
//
// Sources: Khalili (004), p. 10 to 12; Masters of Nard rules (002), doubling cube; rule sheet B 21, B 22 and B 44.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sheshbesh/state.h"

namespace sheshbesh {

// The highest value of a cube that the program counts to; a table that has agreed on less says so.
inline constexpr std::int64_t kHighestCube = std::int64_t{1} << 30;

enum class Colour : std::uint8_t { white, black };

// Score and cube at one moment.
struct Score {
    std::int64_t length = 0;            // points that win the match; 0: money play
    std::array<std::int64_t, 2> won{};  // points of White and of Black
    std::int64_t cube = 1;              // its value
    std::optional<Colour> owner;        // the only side that may turn it; none: centred
    bool crawford = false;              // this is the Crawford game
    bool jacoby = false;                // in money play gammons count only once the cube was turned
    bool allow_dead_double = false;
    int automatic_doubles = 0;    // of a centred cube, by equal opening dice; they do not count as turning it
    std::int64_t cube_limit = 0;  // the highest value agreed on; 0: none
};

// Points that a side still needs in a match; a match may be won by more than its length.
std::int64_t away(const Score& score, Colour side);

// The winner of the match; none in money play.
std::optional<Colour> winner(const Score& score);

// Whether the cube may be turned to a value: a table may have agreed on a highest one (0: none).
bool allows_cube(std::int64_t limit, std::int64_t value);

// The law that a double would break, in the order in which a referee considers them.
enum class CubeLaw : std::uint8_t { none, match_over, after_roll, crawford, owner, limit, dead };

// The law that a double by `side`, whose turn it is, would break; `rolled`: it has thrown in this turn.
CubeLaw cube_law(const Score& score, Colour side, bool rolled);

// What a result pays: its `points` at a cube of 1, or 1 under Jacoby's rule.
std::int64_t paid(const Score& score, Kind kind, std::int64_t points);

}  // namespace sheshbesh
