#include "sheshbesh/score.h"

#include <algorithm>

namespace sheshbesh {

namespace {

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
    const bool unturned = !score.owner && score.cube == std::int64_t{1} << score.automatic_doubles;
    const bool lowered = score.length == 0 && score.jacoby && unturned && is_gammon(kind);
    return (lowered ? std::min<std::int64_t>(points, 1) : points) * score.cube;
}

}  // namespace sheshbesh
