#include "sheshbesh/score.h"

#include <algorithm>
#include <array>

namespace sheshbesh {

namespace {

constexpr std::array<std::string_view, kScoreFaults> kFaultNames = {
    "cube.value",     "cube.highest", "cube.limit", "score.both",     "crawford.money", "crawford.rule",
    "cube.automatic", "cube.owner",   "cube.early", "crawford.score", "crawford.cube",
};

// What a cube stands at that nobody has turned.
std::int64_t unturned(const Score& score) { return std::int64_t{1} << score.automatic_doubles; }

// Whether Jacoby's rule takes the further points of a result; checkers counted and mothers are no gammons.
bool is_gammon(Kind kind) {
    return kind == Kind::gammon || kind == Kind::backgammon || kind == Kind::home_mars || kind == Kind::koks;
}

}  // namespace

std::int64_t away(const Score& score, Colour side) {
    return std::max<std::int64_t>(score.length - score.won[static_cast<std::size_t>(side)], 0);
}

std::optional<Colour> winner(const Score& score) {
    if (score.length == 0) return std::nullopt;
    for (const Colour side : {Colour::white, Colour::black}) {
        if (away(score, side) == 0) return side;
    }
    return std::nullopt;
}

bool allows_cube(std::int64_t limit, std::int64_t value) { return value <= (limit != 0 ? limit : kHighestCube); }

bool is_cube_value(std::int64_t value) { return value >= 1 && value <= kHighestCube && (value & (value - 1)) == 0; }

std::string_view fault_name(ScoreFault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }

std::vector<ScoreFault> faults_alone(const Score& score) {
    std::vector<ScoreFault> found;
    const bool is_value = is_cube_value(score.cube);
    const bool is_limit = score.cube_limit == 0 || is_cube_value(score.cube_limit);
    if (!is_value) found.push_back(ScoreFault::cube_value);
    if (!is_limit) found.push_back(ScoreFault::limit_value);
    if (is_value && is_limit && !allows_cube(score.cube_limit, score.cube)) found.push_back(ScoreFault::cube_limit);
    const bool is_match = score.length != 0;
    if (is_match && std::min(score.won[0], score.won[1]) >= score.length) found.push_back(ScoreFault::both);
    if (score.crawford && !is_match) found.push_back(ScoreFault::crawford_money);
    if (score.crawford && !score.crawford_rule) found.push_back(ScoreFault::crawford_rule);
    return found;
}

std::vector<ScoreFault> faults_together(const Score& score) {
    std::vector<ScoreFault> found;
    if (score.automatic_doubles != 0 && score.length != 0) {
        found.push_back(ScoreFault::automatic);
    } else if (!score.owner && score.cube != unturned(score)) {
        found.push_back(ScoreFault::unowned);
    } else if (score.owner && score.cube <= unturned(score)) {
        found.push_back(ScoreFault::unturned);
    }
    if (!score.crawford || score.length == 0) return found;
    if (score.length - std::max(score.won[0], score.won[1]) != 1) found.push_back(ScoreFault::crawford_score);
    if (score.owner) found.push_back(ScoreFault::crawford_owner);
    return found;
}

CubeLaw cube_law(const Score& score, Colour side, bool rolled) {
    if (winner(score)) return CubeLaw::match_over;
    if (rolled) return CubeLaw::after_roll;
    if (score.crawford) return CubeLaw::crawford;
    if (score.owner && *score.owner != side) return CubeLaw::owner;
    if (!allows_cube(score.cube_limit, 2 * score.cube)) return CubeLaw::limit;
    const bool is_dead = score.length != 0 && score.cube >= away(score, side);
    return is_dead && !score.allow_dead_double ? CubeLaw::dead : CubeLaw::none;
}

std::int64_t paid(const Score& score, Kind kind, std::int64_t points) {
    const bool is_unturned = !score.owner && score.cube == unturned(score);
    const bool lowered = score.length == 0 && score.jacoby && is_unturned && is_gammon(kind);
    return (lowered ? std::min<std::int64_t>(points, 1) : points) * score.cube;
}

}  // namespace sheshbesh
