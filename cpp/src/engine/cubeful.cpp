#include "sheshbesh/engine/cubeful.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sheshbesh {

namespace {

constexpr std::size_t kMostHeights = 16;

// Worths nearer than this are the same: turning a cube that costs nothing is right.
constexpr double kEven = 1e-9;

// Less than this a cube need not be worth, in points.
constexpr double kNothing = 1e-4;

struct Corner {
    double chance;
    double worth;
};

// The straight line through two points.
double through(Corner left, Corner right, double chance) {
    if (right.chance <= left.chance) return right.worth;
    return left.worth + (right.worth - left.worth) * (chance - left.chance) / (right.chance - left.chance);
}

// What the worth with a live cube runs straight between, from no chance of winning to every chance.
struct Path {
    std::array<Corner, 4> corners{};
    std::size_t size = 0;

    void add(Corner corner) { corners[size++] = corner; }

    double at(double chance) const {
        for (std::size_t i = 1; i < size; ++i) {
            if (chance <= corners[i].chance) return through(corners[i - 1], corners[i], chance);
        }
        return corners[size - 1].worth;
    }

    // Where it reaches a worth; at most 1. It never falls.
    double chance_at(double worth) const {
        for (std::size_t i = 1; i < size; ++i) {
            const Corner left = corners[i - 1];
            const Corner right = corners[i];
            if (worth > right.worth) continue;
            if (right.worth <= left.worth) return left.chance;
            const double share = (worth - left.worth) / (right.worth - left.worth);
            return std::clamp(left.chance + share * (right.chance - left.chance), 0.0, 1.0);
        }
        return 1;
    }
};

}  // namespace

struct CubeWorth::Ladder {
    double chance = 0;  // of my winning a game that has a winner
    double tie = 0;
    std::array<Line, kMostHeights> lines;
    std::array<double, 3> efficiency{};  // by whose the cube is
    bool is_rated = false;               // they are those of this very position

    // A side that may turn the cube stops at its point of indifference only where that beats going past it.
    static Path path(const Line& line, bool mine, bool theirs) {
        const Corner none{0, line.lose};
        const Corner every{1, line.win};
        const Corner take{line.take_point, line.drop};
        const Corner cash{line.cash_point, line.cash};
        bool they_stop = theirs && take.worth < through(none, every, take.chance);
        bool i_stop = mine && cash.worth > through(none, every, cash.chance);
        // Where one side stops, stopping can become right for the other.
        if (mine && theirs && they_stop != i_stop) {
            if (i_stop) {
                they_stop = take.worth < through(none, cash, take.chance);
            } else {
                i_stop = cash.worth > through(take, every, cash.chance);
            }
        }
        Path path;
        path.add(none);
        if (they_stop) path.add(take);
        if (i_stop) path.add(cash);
        path.add(every);
        return path;
    }
};

CubeWorth::CubeWorth(const ClassTable& classes, std::vector<CubeHeight> heights, float efficiency)
    : wins_(classes.wins()),
      classes_(classes.size()),
      heights_(std::move(heights)),
      points_(classes.money()),
      efficiency_(static_cast<double>(efficiency)) {
    if (heights_.empty() || heights_.size() > kMostHeights) {
        throw std::invalid_argument("a cube of " + std::to_string(heights_.size()) + " heights; 1 to " +
                                    std::to_string(kMostHeights) + " are possible");
    }
    heights_.back().mine = heights_.back().theirs = false;
    for (const CubeHeight& height : heights_) {
        if (height.worth.size() != static_cast<std::size_t>(classes_)) {
            throw std::invalid_argument("a cube with " + std::to_string(height.worth.size()) +
                                        " worths for a game with " + std::to_string(classes_) + " classes of results");
        }
        std::vector<float>& flipped = theirs_.emplace_back(height.worth.size());
        classes.flip(height.worth.data(), flipped.data());
    }
}

// The lines of all heights from one up.
void CubeWorth::fill(Ladder& ladder, const float* probabilities, bool own, int from) const {
    const int mine = own ? 0 : wins_;  // where my wins stand
    const int theirs = own ? wins_ : 0;
    double won = 0;
    double lost = 0;
    for (int i = 0; i < wins_; ++i) {
        won += static_cast<double>(probabilities[mine + i]);
        lost += static_cast<double>(probabilities[theirs + i]);
    }
    ladder.efficiency.fill(efficiency_);
    ladder.chance = won + lost > 0 ? won / (won + lost) : 0.5;
    if (classes_ > 2 * wins_) ladder.tie = static_cast<double>(probabilities[2 * wins_]);
    const auto lowest = static_cast<std::size_t>(from);
    for (std::size_t n = lowest; n < heights_.size(); ++n) {
        const std::vector<float>& worth = own ? heights_[n].worth : theirs_[n];
        double win = 0;
        double lose = 0;
        for (int i = 0; i < wins_; ++i) {
            win += static_cast<double>(probabilities[mine + i]) *
                   static_cast<double>(worth[static_cast<std::size_t>(mine + i)]);
            lose += static_cast<double>(probabilities[theirs + i]) *
                    static_cast<double>(worth[static_cast<std::size_t>(theirs + i)]);
        }
        Line& line = ladder.lines[n];
        // Who never wins would win plainly.
        line.win = won > 0 ? win / won : static_cast<double>(worth[static_cast<std::size_t>(mine)]);
        line.lose = lost > 0 ? lose / lost : static_cast<double>(worth[static_cast<std::size_t>(theirs)]);
        line.tie = classes_ > 2 * wins_ ? static_cast<double>(worth.back()) : 0.0;
        line.cash = static_cast<double>(heights_[n].cash);
        line.drop = static_cast<double>(heights_[n].drop);
        line.height = &heights_[n];
    }
    for (std::size_t n = heights_.size() - 1; n-- > lowest;) {
        Line& here = ladder.lines[n];
        const Line& over = ladder.lines[n + 1];
        if (here.height->theirs) here.take_point = Ladder::path(over, over.height->mine, false).chance_at(here.drop);
        if (here.height->mine) here.cash_point = Ladder::path(over, false, over.height->theirs).chance_at(here.cash);
    }
}

// The efficiencies from what the cube is worth in a money game: how far that lies from dead to live.
void CubeWorth::rate(Ladder& ladder, const float* probabilities, bool own, const CubefulEquities& money) const {
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
    const double win = won > 0 ? gain / won : 1;
    const double lose = lost > 0 ? loss / lost : 1;
    const Corner none{0, -lose};
    const Corner every{1, win};
    // A cube that can be turned again and again: whoever takes owns one that is live.
    const Corner take{(lose - 0.5) / (win + lose + 0.5), -1};
    const Corner cash{(lose + 1) / (win + lose + 0.5), 1};
    const double dead = through(none, every, chance);
    const double owned = chance <= cash.chance ? through(none, cash, chance) : through(cash, every, chance);
    const double theirs = chance <= take.chance ? through(none, take, chance) : through(take, every, chance);
    const auto share = [dead](double live, float known) {
        const double worth = live - dead;
        // Where even a live cube is worth nothing, one cannot say how live it is; nor does it matter.
        return std::abs(worth) < kNothing ? 0.0 : std::clamp((static_cast<double>(known) - dead) / worth, 0.0, 1.0);
    };
    const double on_roll = share(owned, money.owned);
    const double waiting = share(theirs, money.theirs);
    const auto at = [&ladder](CubeOwner owner) -> double& {
        return ladder.efficiency[static_cast<std::size_t>(owner)];
    };
    at(own ? CubeOwner::mine : CubeOwner::theirs) = on_roll;
    at(own ? CubeOwner::theirs : CubeOwner::mine) = waiting;
    at(CubeOwner::nobody) = (on_roll + waiting) / 2;
    ladder.is_rated = true;
}

// Whether I, or they, would ever turn the cube from here.
bool CubeWorth::may_turn(bool mine, CubePlace place) const {
    const CubeHeight& height = heights_[static_cast<std::size_t>(place.height)];
    return mine ? height.mine && place.owner != CubeOwner::theirs : height.theirs && place.owner != CubeOwner::mine;
}

// Between dead and live, ties included.
double CubeWorth::between(const Ladder& ladder, CubePlace place) const {
    const double worth = untied(ladder, place);
    return worth + ladder.tie * (ladder.lines[static_cast<std::size_t>(place.height)].tie - worth);
}

// Between dead and live in a game that has a winner.
double CubeWorth::untied(const Ladder& ladder, CubePlace place) const {
    const Line& line = ladder.lines[static_cast<std::size_t>(place.height)];
    const double chance = ladder.chance;
    const bool mine = may_turn(true, place);
    const bool theirs = may_turn(false, place);
    const double live = Ladder::path(line, mine, theirs).at(chance);
    const double dead = line.lose + chance * (line.win - line.lose);
    const double blend = dead + ladder.efficiency[static_cast<std::size_t>(place.owner)] * (live - dead);
    // What is known of the position knows whether there is a turn to come at all.
    if (ladder.is_rated) return blend;
    // Turned at once: a live cube up to the pass; who plays on for more than that may lose it again.
    if (mine && line.height->mine_free) return std::min(live, std::max(line.cash, blend));
    if (theirs && line.height->theirs_free) return std::max(live, std::min(line.drop, blend));
    const auto above = static_cast<std::size_t>(place.height) + 1;
    if (mine && theirs && !heights_[above].mine && !heights_[above].theirs) {
        // Either side may turn it, and then nobody again: worth no less than the other's cube, no more than one's own.
        const double least = untied(ladder, {place.height, CubeOwner::theirs});
        const double most = untied(ladder, {place.height, CubeOwner::mine});
        return std::min(std::max(live, least), most);
    }
    return blend;
}

double CubeWorth::holding(const float* probabilities, bool own, CubePlace place,
                          const std::optional<CubefulEquities>& money) const {
    Ladder ladder;
    fill(ladder, probabilities, own, place.height);
    if (money) rate(ladder, probabilities, own, *money);
    return between(ladder, place);
}

CubeWorth::Decision CubeWorth::decide(const float* probabilities, bool own, CubePlace place,
                                      const std::optional<CubefulEquities>& money) const {
    Ladder ladder;
    fill(ladder, probabilities, own, place.height);
    if (money) rate(ladder, probabilities, own, *money);
    const double hold = between(ladder, place);
    if (!may_turn(own, place)) return {CubeAction::hold, hold};
    return choose(hold, between(ladder, taken(place, own)), own, place);
}

double CubeWorth::holding(const CubefulEquities& known, bool own, CubePlace place) const {
    const bool centred = place.owner == CubeOwner::nobody;
    const bool owned = place.owner == (own ? CubeOwner::mine : CubeOwner::theirs);
    const auto equity = static_cast<double>(centred ? known.centred : owned ? known.owned : known.theirs);
    const auto unit = static_cast<double>(heights_[static_cast<std::size_t>(place.height)].cash);  // a pass pays 1
    return (own ? unit : -unit) * equity;
}

CubeWorth::Decision CubeWorth::decide(const CubefulEquities& known, bool own, CubePlace place) const {
    const double hold = holding(known, own, place);
    if (!may_turn(own, place)) return {CubeAction::hold, hold};
    return choose(hold, holding(known, own, taken(place, own)), own, place);
}

// What the side on roll, which may turn the cube, does when not to is worth `hold` and to be taken is `take`.
CubeWorth::Decision CubeWorth::choose(double hold, double take, bool own, CubePlace place) const {
    const CubeHeight& here = heights_[static_cast<std::size_t>(place.height)];
    const auto pass = static_cast<double>(own ? here.cash : here.drop);
    const double sign = own ? 1 : -1;  // of two worths, who is on roll likes the one larger times `sign`
    const bool drops = sign * take > sign * pass;
    const double turned = drops ? pass : take;
    if (sign * turned < sign * hold - kEven) return {CubeAction::hold, hold};
    return {drops ? CubeAction::drop : CubeAction::turn, turned};
}

double CubeWorth::worth(int index, bool own, CubePlace place) const {
    const auto height = static_cast<std::size_t>(place.height);
    const std::vector<float>& worths = own ? heights_[height].worth : theirs_[height];
    return static_cast<double>(worths[static_cast<std::size_t>(index)]);
}

}  // namespace sheshbesh
