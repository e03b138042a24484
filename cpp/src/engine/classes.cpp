#include "sheshbesh/engine/classes.h"

#include <algorithm>
#include <tuple>

namespace sheshbesh {

namespace {

// What a win by bearing off can be, and its points.
std::vector<ResultClass> borne_off(const Ruleset& rules) {
    std::vector<ResultClass> found;
    if (rules.score_left != ScoreLeft::off) {
        const Kind kind = rules.score_left == ScoreLeft::count ? Kind::count : Kind::difference;
        for (int left = 1; left <= rules.checkers; ++left) found.push_back({kind, left});
        return found;
    }
    const auto add = [&found](Kind kind, int points) {
        if (points != 0) found.push_back({kind, points});
    };
    found.push_back({Kind::single, rules.score_single});
    add(Kind::gammon, rules.score_gammon);
    add(Kind::backgammon, rules.score_backgammon);
    add(Kind::home_mars, rules.score_home_mars);
    add(Kind::koks, rules.score_koks);
    return found;
}

// How many checkers the loser has borne off at most when a game ends so.
int most_off(const Ruleset& rules, const ResultClass& win) {
    switch (win.kind) {
        case Kind::single:
        case Kind::mother:
            return rules.checkers;
        case Kind::count:
        case Kind::difference:
            return rules.checkers - win.points;
        default:
            return 0;
    }
}

// The chances of one side's wins given how many the other has borne off.
void leave_possible_wins(std::span<const int> most_off, int off, float* chances) {
    float all = 0;
    float left = 0;
    for (std::size_t i = 0; i < most_off.size(); ++i) {
        all += chances[i];
        if (off <= most_off[i]) left += chances[i];
    }
    if (left == all) return;
    const auto possible = std::ranges::find_if(most_off, [off](int most) { return off <= most; });
    if (possible == most_off.end()) return;  // all are off, and the other side has its last turn
    if (left < 1e-6f * all) chances[possible - most_off.begin()] = left = 1.0f;  // too little to go by
    for (std::size_t i = 0; i < most_off.size(); ++i)
        chances[i] = off <= most_off[i] ? chances[i] * (all / left) : 0.0f;
}

}  // namespace

int height(const ResultClass& win, bool counted) {
    constexpr int kPlain = 1;
    constexpr int kThird = 3;
    if (counted) return kPlain;
    switch (win.kind) {
        case Kind::backgammon:
        case Kind::home_mars:
        case Kind::koks:
            return kThird;
        case Kind::gammon:
            return 2;
        case Kind::mother:
        case Kind::closed_area:
            return std::clamp(win.points, kPlain, kThird);
        default:
            return kPlain;
    }
}

ClassTable::ClassTable(const Ruleset& rules) : wins_(borne_off(rules)), counted_(rules.score_left != ScoreLeft::off) {
    if (rules.closed_area && rules.closed_area_wins) {
        // A side that is locked out has borne nothing off and brought nothing home.
        const std::vector<ResultClass> by_bearing_off = wins_;
        for (const ResultClass& found : by_bearing_off) {
            if (counted_ ? found.points != rules.checkers : found.kind == Kind::home_mars) continue;
            const ResultClass closed{Kind::closed_area, found.points};
            if (std::ranges::find(wins_, closed) == wins_.end()) wins_.push_back(closed);
        }
    }
    if (rules.mother != Mother::off) wins_.push_back({Kind::mother, rules.mother_points});
    std::ranges::stable_sort(wins_, [](const ResultClass& a, const ResultClass& b) {
        return std::tie(a.points, a.kind) < std::tie(b.points, b.kind);
    });
    tie_ = rules.last_roll_tie || rules.mother != Mother::off || (rules.closed_area && !rules.closed_area_wins);
    for (const ResultClass& win : wins_) most_off_.push_back(most_off(rules, win));
}

void ClassTable::leave_possible(const State& state, float* probabilities) const {
    if (const int off = count(state.theirs, kOff); off > 0) leave_possible_wins(most_off_, off, probabilities);
    if (const int off = count(state.mine, kOff); off > 0) leave_possible_wins(most_off_, off, probabilities + wins());
}

int ClassTable::index(const GameResult& outcome) const {
    if (outcome.winner == Winner::nobody) return 2 * wins();
    const auto found = std::ranges::find(wins_, ResultClass{outcome.kind, outcome.points});
    const int place = static_cast<int>(found - wins_.begin());
    return outcome.winner == Winner::on_roll ? place : place + wins();
}

std::vector<float> ClassTable::money() const {
    std::vector<float> equity(static_cast<std::size_t>(size()), 0.0f);
    for (std::size_t i = 0; i < wins_.size(); ++i) {
        equity[i] = static_cast<float>(wins_[i].points);
        equity[i + wins_.size()] = -equity[i];
    }
    return equity;
}

}  // namespace sheshbesh
