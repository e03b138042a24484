// Which pairs of positions a two-sided database of bearoff.h holds.
#include <algorithm>
#include <array>

#include "bearoff_plays.h"
#include "sheshbesh/engine/bearoff.h"

namespace sheshbesh {

namespace {

// In a race nobody stands farther back: there is a checker of the other side ahead of 24.
constexpr int kRearmost = 23;

// Ways to choose `of` among `n`, for `of` of 3 at most.
constexpr std::uint32_t choose(int n, int of) {
    if (n < of) return 0;
    std::uint32_t ways = 1;
    for (int i = 0; i < of; ++i) {
        ways = ways * static_cast<std::uint32_t>(n - i) / static_cast<std::uint32_t>(i + 1);
    }
    return ways;
}

// Positions of `checkers` with none behind `point`.
constexpr std::uint32_t up_to(int point, int checkers) { return choose(point + checkers, checkers); }

constexpr auto kWays = [] {
    std::array<std::array<std::uint32_t, kRaceCheckers + 1>, kRearmost + kRaceCheckers> table{};
    for (int n = 0; n < kRearmost + kRaceCheckers; ++n) {
        for (int of = 0; of <= kRaceCheckers; ++of) {
            table[static_cast<std::size_t>(n)][static_cast<std::size_t>(of)] = choose(n, of);
        }
    }
    return table;
}();

// Positions are in the order of their rearmost checkers, then of those next to them.
std::uint32_t race_number(Counts side, int checkers) {
    std::uint32_t number = 0;
    int behind = checkers;  // and this one
    for (Mask points = occupied(side); points != 0;) {
        const int point = top(points);
        points &= ~bit(point);
        for (int i = count(side, point); i > 0; --i, --behind) {
            number += kWays[static_cast<std::size_t>(point + behind - 1)][static_cast<std::size_t>(behind)];
        }
    }
    return number;
}

std::vector<Counts> race_sides(int checkers) {
    std::vector<Counts> sides(up_to(kRearmost, checkers));
    const auto fill = [&](const auto& self, Counts side, int point, int left) -> void {
        if (point == 0) {
            side += static_cast<Counts>(left);
            sides[race_number(side, checkers)] = side;
            return;
        }
        for (int here = 0; here <= left; ++here) {
            self(self, side + static_cast<Counts>(here) * one(point), point - 1, left - here);
        }
    };
    fill(fill, Counts{0}, kRearmost, checkers);
    return sides;
}

}  // namespace

Pairs::Pairs(const Ruleset& rules) : checkers_(rules.checkers), races_(holds_races(rules)) {
    if (races_) {
        sides_ = race_sides(checkers_);
    } else {
        for (const HomeIndex::Word word : home_words(checkers_, std::min(checkers_, kTwoSidedCheckers))) {
            sides_.push_back(word);
        }
    }
    begin_.push_back(0);
    State over;
    over.mine = Counts{rules.checkers};
    for (const Counts side : sides_) {
        const Mask points = occupied(side);
        const int ahead = points == 0 ? kRearmost : std::min(24 - top(points), kRearmost);
        begin_.push_back(begin_.back() + (races_ ? up_to(ahead, checkers_) : sides_.size()));
        slot_.push_back(0);
        if (points == 0) continue;
        over.theirs = side;
        const GameResult found = result(rules, over);
        const auto known = std::ranges::find_if(results_, [&found](const GameResult& each) {
            return each.kind == found.kind && each.points == found.points;
        });
        slot_.back() = static_cast<std::uint8_t>(known - results_.begin());
        if (known == results_.end()) results_.push_back(found);
    }
}

std::optional<std::uint32_t> Pairs::number(Counts side) const {
    if (races_) {
        if (side >> (4 * (kRearmost + 1)) != 0) return std::nullopt;
        return race_number(side, checkers_);
    }
    if (!HomeIndex::all_home(side)) return std::nullopt;
    const std::uint32_t number = HomeIndex::of(HomeIndex::word(side));
    return number < sides_.size() ? std::optional(number) : std::nullopt;
}

}  // namespace sheshbesh
