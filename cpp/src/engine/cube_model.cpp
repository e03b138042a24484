#include "sheshbesh/engine/cube_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sheshbesh {

namespace {

// Below this difference of equity between a live and a dead cube, the efficiency cannot be measured.
constexpr double kNoDifference = 1e-4;

struct Corner {
    double chance;
    double value;
};

// The straight line through two points.
double through(Corner left, Corner right, double chance) {
    if (right.chance <= left.chance) return right.value;
    return left.value + (right.value - left.value) * (chance - left.chance) / (right.chance - left.chance);
}

// The broken line of the value with a live cube, from no chance of winning to every chance.
class LiveLine {
public:
    // `mine` and `theirs`: whether that side may turn the cube. It stops at its point of indifference only where
    // that beats going past it.
    LiveLine(const CubeHeight& height, double take_point, double cash_point, bool mine, bool theirs) {
        const Corner none{0, height.lose};
        const Corner every{1, height.win};
        const Corner take{take_point, height.drop};
        const Corner cash{cash_point, height.cash};
        bool they_stop = theirs && take.value < through(none, every, take.chance);
        bool i_stop = mine && cash.value > through(none, every, cash.chance);
        // Where one side stops, stopping can become right for the other.
        if (mine && theirs && they_stop != i_stop) {
            if (i_stop) {
                they_stop = take.value < through(none, cash, take.chance);
            } else {
                i_stop = cash.value > through(take, every, cash.chance);
            }
        }
        add(none);
        if (they_stop) add(take);
        if (i_stop) add(cash);
        add(every);
    }

    double at(double chance) const {
        for (std::size_t i = 1; i < size_; ++i) {
            if (chance <= corners_[i].chance) return through(corners_[i - 1], corners_[i], chance);
        }
        return corners_[size_ - 1].value;
    }

    // Where it reaches a value; at most 1. It never falls.
    double chance_at(double value) const {
        for (std::size_t i = 1; i < size_; ++i) {
            const Corner left = corners_[i - 1];
            const Corner right = corners_[i];
            if (value > right.value) continue;
            if (right.value <= left.value) return left.chance;
            const double share = (value - left.value) / (right.value - left.value);
            return std::clamp(left.chance + share * (right.chance - left.chance), 0.0, 1.0);
        }
        return 1;
    }

private:
    void add(Corner corner) { corners_[size_++] = corner; }

    std::array<Corner, 4> corners_{};
    std::size_t size_ = 0;
};

}  // namespace

CubeEfficiencies known_efficiencies(const CubefulEquities& money, double chance, double win, double lose, bool own) {
    const Corner none{0, -lose};
    const Corner every{1, win};
    // A cube that can be turned again and again: the taker owns one that is live.
    const Corner take{(lose - 0.5) / (win + lose + 0.5), -1};
    const Corner cash{(lose + 1) / (win + lose + 0.5), 1};
    const double dead = through(none, every, chance);
    const double owned = chance <= cash.chance ? through(none, cash, chance) : through(cash, every, chance);
    const double theirs = chance <= take.chance ? through(none, take, chance) : through(take, every, chance);
    const auto share = [dead](double live, float known) {
        const double gain = live - dead;
        // Where even a live cube adds nothing, its efficiency is undefined and does not matter.
        return std::abs(gain) < kNoDifference ? 0.0 : std::clamp((static_cast<double>(known) - dead) / gain, 0.0, 1.0);
    };
    const double on_roll = share(owned, money.owned);
    const double waiting = share(theirs, money.theirs);
    CubeEfficiencies found{};
    found[static_cast<std::size_t>(CubeOwner::mine)] = own ? on_roll : waiting;
    found[static_cast<std::size_t>(CubeOwner::theirs)] = own ? waiting : on_roll;
    found[static_cast<std::size_t>(CubeOwner::nobody)] = (on_roll + waiting) / 2;
    return found;
}

CubeModel::CubeModel(std::span<const CubeHeight> heights, double efficiency) : size_(heights.size()) {
    if (heights.empty() || heights.size() > kMostHeights) {
        throw std::invalid_argument("a cube of " + std::to_string(heights.size()) + " heights; 1 to " +
                                    std::to_string(kMostHeights) + " are possible");
    }
    efficiency_.fill(efficiency);
    for (std::size_t n = 0; n < size_; ++n) lines_[n].height = heights[n];
    lines_[size_ - 1].height.mine = lines_[size_ - 1].height.theirs = false;
    for (std::size_t n = size_ - 1; n-- > 0;) {
        Line& here = lines_[n];
        const Line& over = lines_[n + 1];
        const auto live = [&over](bool mine, bool theirs) {
            return LiveLine(over.height, over.take_point, over.cash_point, mine, theirs);
        };
        if (here.height.theirs) here.take_point = live(over.height.mine, false).chance_at(here.height.drop);
        if (here.height.mine) here.cash_point = live(false, over.height.theirs).chance_at(here.height.cash);
    }
}

void CubeModel::set_known(const CubeEfficiencies& efficiency) {
    efficiency_ = efficiency;
    is_known_ = true;
}

double CubeModel::dead(double chance, int height) const {
    const CubeHeight& here = line(height).height;
    return here.lose + chance * (here.win - here.lose);
}

double CubeModel::live(double chance, CubePlace place) const {
    const Line& here = line(place.height);
    const bool mine = here.height.mine && place.owner != CubeOwner::theirs;
    const bool theirs = here.height.theirs && place.owner != CubeOwner::mine;
    return LiveLine(here.height, here.take_point, here.cash_point, mine, theirs).at(chance);
}

double CubeModel::value(double chance, CubePlace place) const {
    const CubeHeight& here = line(place.height).height;
    const double live_value = live(chance, place);
    const double dead_value = dead(chance, place.height);
    const double blend = dead_value + efficiency_[static_cast<std::size_t>(place.owner)] * (live_value - dead_value);
    if (is_known_) return blend;
    if (here.mine_free && place.owner != CubeOwner::theirs) return std::min(live_value, std::max(here.cash, blend));
    if (here.theirs_free && place.owner != CubeOwner::mine) return std::max(live_value, std::min(here.drop, blend));
    if (place.owner == CubeOwner::nobody && here.mine && here.theirs) {
        const CubeHeight& above = line(place.height + 1).height;
        if (!above.mine && !above.theirs) {
            const double least = value(chance, {place.height, CubeOwner::theirs});
            const double most = value(chance, {place.height, CubeOwner::mine});
            return std::min(std::max(live_value, least), most);
        }
    }
    return blend;
}

}  // namespace sheshbesh
