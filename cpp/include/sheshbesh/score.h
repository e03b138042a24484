// The laws of the score and of the doubling cube: when a side may double, what a result pays, who has won.
//
// Sources: Khalili (004), p. 10 to 12; Masters of Nard rules (002), doubling cube; rule sheet B 21, B 22 and B 44.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sheshbesh/state.h"

namespace sheshbesh {

// The highest value of a cube that the program counts to; a table that has agreed on less says so.
inline constexpr std::int64_t kHighestCube = std::int64_t{1} << 30;

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
    bool crawford_rule = true;    // the match has a Crawford game
};

// Points that a side still needs in a match; a match may be won by more than its length.
std::int64_t away(const Score& score, Colour side);

// The winner of the match; none in money play.
std::optional<Colour> winner(const Score& score);

// Whether the cube may be turned to a value: a table may have agreed on a highest one (0: none).
bool allows_cube(std::int64_t limit, std::int64_t value);

// Whether a cube can stand at a value: a power of two that the program counts to.
bool is_cube_value(std::int64_t value);

// What makes a score impossible.
enum class ScoreFault : std::uint8_t {
    cube_value,
    limit_value,
    cube_limit,
    both,
    crawford_money,
    crawford_rule,
    automatic,
    unowned,
    unturned,
    crawford_score,
    crawford_owner,
};
constexpr int kScoreFaults = static_cast<int>(ScoreFault::crawford_owner) + 1;
std::string_view fault_name(ScoreFault fault);

// What is wrong with the values themselves, and what, each being possible, does not go together.
std::vector<ScoreFault> faults_alone(const Score& score);
std::vector<ScoreFault> faults_together(const Score& score);

// The law that a double would break, in the order in which a referee considers them.
enum class CubeLaw : std::uint8_t { none, match_over, after_roll, crawford, owner, limit, dead };

// The law that a double by `side`, whose turn it is, would break; `rolled`: it has thrown in this turn.
CubeLaw cube_law(const Score& score, Colour side, bool rolled);

// What a result pays: its `points` at a cube of 1, or 1 under Jacoby's rule.
std::int64_t paid(const Score& score, Kind kind, std::int64_t points);

}  // namespace sheshbesh
