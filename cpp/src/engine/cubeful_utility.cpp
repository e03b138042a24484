#include "sheshbesh/engine/cubeful_utility.h"

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace sheshbesh {

CubefulUtility::CubefulUtility(const ClassTable& classes, std::vector<HeightValues> heights, float efficiency)
    : wins_(classes.wins()),
      classes_(classes.size()),
      heights_(std::move(heights)),
      points_(classes.money()),
      efficiency_(static_cast<double>(efficiency)) {
    if (heights_.empty() || heights_.size() > CubeModel::kMostHeights) {
        throw std::invalid_argument("a cube of " + std::to_string(heights_.size()) + " heights; 1 to " +
                                    std::to_string(CubeModel::kMostHeights) + " are possible");
    }
    heights_.back().mine = heights_.back().theirs = false;
    for (const HeightValues& height : heights_) {
        if (height.value.size() != static_cast<std::size_t>(classes_)) {
            throw std::invalid_argument("a cube with " + std::to_string(height.value.size()) +
                                        " values for a game with " + std::to_string(classes_) + " classes of results");
        }
        std::vector<float>& flipped = theirs_.emplace_back(height.value.size());
        classes.flip(height.value.data(), flipped.data());
    }
}

CubefulUtility::Here CubefulUtility::model_at(const float* probabilities, bool own, int from,
                                              const std::optional<CubefulEquities>& money) const {
    const int mine = own ? 0 : wins_;  // where my wins stand
    const int theirs = own ? wins_ : 0;
    double won = 0;
    double lost = 0;
    for (int i = 0; i < wins_; ++i) {
        won += static_cast<double>(probabilities[mine + i]);
        lost += static_cast<double>(probabilities[theirs + i]);
    }
    std::array<CubeHeight, CubeModel::kMostHeights> heights;
    std::size_t size = 0;
    for (auto n = static_cast<std::size_t>(from); n < heights_.size(); ++n) {
        const HeightValues& known = heights_[n];
        const std::vector<float>& values = own ? known.value : theirs_[n];
        double win = 0;
        double lose = 0;
        for (int i = 0; i < wins_; ++i) {
            win += static_cast<double>(probabilities[mine + i]) *
                   static_cast<double>(values[static_cast<std::size_t>(mine + i)]);
            lose += static_cast<double>(probabilities[theirs + i]) *
                    static_cast<double>(values[static_cast<std::size_t>(theirs + i)]);
        }
        heights[size++] = {
            // A side that never wins counts with its plain win.
            .win = won > 0 ? win / won : static_cast<double>(values[static_cast<std::size_t>(mine)]),
            .lose = lost > 0 ? lose / lost : static_cast<double>(values[static_cast<std::size_t>(theirs)]),
            .cash = static_cast<double>(known.cash),
            .drop = static_cast<double>(known.drop),
            .mine = known.mine,
            .theirs = known.theirs,
            .mine_free = known.mine_free,
            .theirs_free = known.theirs_free,
        };
    }
    Here here{CubeModel(std::span(heights).first(size), efficiency_), from, won + lost > 0 ? won / (won + lost) : 0.5,
              classes_ > 2 * wins_ ? static_cast<double>(probabilities[2 * wins_]) : 0.0};
    if (money) here.model.set_known(known(probabilities, own, *money));
    return here;
}

CubeEfficiencies CubefulUtility::known(const float* probabilities, bool own, const CubefulEquities& money) const {
    double won = 0;
    double lost = 0;
    double gain = 0;
    double loss = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(wins_); ++i) {
        const auto mine = static_cast<double>(probabilities[i]);
        const auto theirs = static_cast<double>(probabilities[i + static_cast<std::size_t>(wins_)]);
        won += mine;
        lost += theirs;
        gain += mine * static_cast<double>(points_[i]);
        loss += theirs * static_cast<double>(points_[i]);
    }
    const double chance = won + lost > 0 ? won / (won + lost) : 0.5;
    return known_efficiencies(money, chance, won > 0 ? gain / won : 1, lost > 0 ? loss / lost : 1, own);
}

bool CubefulUtility::may_turn(bool mine, CubePlace place) const {
    const HeightValues& height = heights_[static_cast<std::size_t>(place.height)];
    return mine ? height.mine && place.owner != CubeOwner::theirs : height.theirs && place.owner != CubeOwner::mine;
}

// Ties included.
double CubefulUtility::holding(const Here& here, CubePlace place) const {
    const double decided = here.model.value(here.chance, {place.height - here.from, place.owner});
    if (classes_ == 2 * wins_) return decided;
    const auto tie = static_cast<double>(heights_[static_cast<std::size_t>(place.height)].value.back());
    return decided + here.tie * (tie - decided);
}

double CubefulUtility::holding(const float* probabilities, bool own, CubePlace place,
                               const std::optional<CubefulEquities>& money) const {
    return holding(model_at(probabilities, own, place.height, money), place);
}

CubefulUtility::Decision CubefulUtility::decide(const float* probabilities, bool own, CubePlace place,
                                                const std::optional<CubefulEquities>& money) const {
    const Here here = model_at(probabilities, own, place.height, money);
    const double hold = holding(here, place);
    if (!may_turn(own, place)) return {CubeAction::hold, hold};
    return choose(hold, holding(here, taken(place, own)), own, place);
}

double CubefulUtility::holding(const CubefulEquities& known, bool own, CubePlace place) const {
    const bool centred = place.owner == CubeOwner::nobody;
    const bool owned = place.owner == (own ? CubeOwner::mine : CubeOwner::theirs);
    const auto equity = static_cast<double>(centred ? known.centred : owned ? known.owned : known.theirs);
    const auto unit = static_cast<double>(heights_[static_cast<std::size_t>(place.height)].cash);  // a pass pays 1
    return (own ? unit : -unit) * equity;
}

CubefulUtility::Decision CubefulUtility::decide(const CubefulEquities& known, bool own, CubePlace place) const {
    const double hold = holding(known, own, place);
    if (!may_turn(own, place)) return {CubeAction::hold, hold};
    return choose(hold, holding(known, own, taken(place, own)), own, place);
}

CubefulUtility::Decision CubefulUtility::choose(double hold, double take, bool own, CubePlace place) const {
    if (!may_turn(own, place)) return {CubeAction::hold, hold};
    const HeightValues& here = heights_[static_cast<std::size_t>(place.height)];
    const auto pass = static_cast<double>(own ? here.cash : here.drop);
    const double sign = own ? 1 : -1;  // the side on roll prefers the value that is larger times `sign`
    const bool drops = sign * take > sign * pass;
    const double turned = drops ? pass : take;
    if (sign * turned < sign * hold - kEven) return {CubeAction::hold, hold};
    return {drops ? CubeAction::drop : CubeAction::turn, turned};
}

double CubefulUtility::equity(int index, bool own, CubePlace place) const {
    const auto height = static_cast<std::size_t>(place.height);
    const std::vector<float>& values = own ? heights_[height].value : theirs_[height];
    return static_cast<double>(values[static_cast<std::size_t>(index)]);
}

}  // namespace sheshbesh
