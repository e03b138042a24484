// The cube in a bear-off, at any score: BearoffDatabase::cube_values.
//
// What each side still has to do is a graph of its own positions, since no side stands in the other's way. The values
// of pairs of them, with each place of the cube, follow from those after one throw.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "bearoff_plays.h"
#include "sheshbesh/engine/bearoff.h"

namespace sheshbesh {

namespace {

// The positions of a side after one of its turns that are told apart where it has many checkers.
constexpr std::size_t kMostApart = 150;

// The positions that a side may pass through, the present one first.
class Way {
public:
    struct Throws {
        std::uint32_t begin;  // of its targets
        std::uint32_t end;
        double weight;
    };
    struct Node {
        HomeIndex::Word word = 0;
        int left = 0;             // checkers on the board
        std::uint32_t begin = 0;  // of its throws
        std::uint32_t end = 0;
    };

    // With `all_plays` all that the rules allow, else the one that is best on average.
    Way(const Ruleset& home, const OneSided& one, const std::vector<HomeIndex::Word>& words, HomeIndex::Word start,
        bool all_plays)
        : one_(one), words_(words), plays_(home), throws_(all_throws(home)), all_plays_(all_plays) {
        std::vector<std::uint32_t> turn = {node(HomeIndex::of(start))};
        while (!turn.empty()) turn = next(turn);
    }

    bool may_pass() const { return may_pass_; }
    std::size_t size() const { return nodes_.size(); }
    const Node& node_at(std::uint32_t number) const { return nodes_[number]; }
    std::span<const Throws> throws_of(std::uint32_t number) const {
        return std::span(outcomes_).subspan(nodes_[number].begin, nodes_[number].end - nodes_[number].begin);
    }
    std::span<const std::uint32_t> targets(const Throws& of) const {
        return std::span(targets_).subspan(of.begin, of.end - of.begin);
    }

private:
    std::uint32_t node(std::uint32_t index) {
        const auto [found, is_new] = number_.try_emplace(index, static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) {
            int left = 0;
            for (int point = 1; point <= 6; ++point) left += static_cast<int>(words_[index] >> (4 * point) & 15);
            nodes_.push_back({.word = words_[index], .left = left});
        }
        return found->second;
    }

    // Plays a turn from each position; the new ones.
    std::vector<std::uint32_t> next(const std::vector<std::uint32_t>& turn) {
        const std::size_t known = nodes_.size();
        if (all_plays_) {
            for (const std::uint32_t from : turn) play_all(from);
        } else {
            play_best(turn);
        }
        std::vector<std::uint32_t> made;
        for (std::size_t i = known; i < nodes_.size(); ++i) {
            if (nodes_[i].left > 0) made.push_back(static_cast<std::uint32_t>(i));
        }
        return made;
    }

    const std::vector<std::uint32_t>& play(std::uint32_t from, const Throw& dice) {
        const std::vector<std::uint32_t>& found = plays_.targets(nodes_[from].word, dice);
        may_pass_ = may_pass_ || found.front() == HomeIndex::of(nodes_[from].word);
        return found;
    }

    void play_all(std::uint32_t from) {
        const auto first = static_cast<std::uint32_t>(outcomes_.size());
        for (const auto& [dice, weight] : throws_) {
            const auto begin = static_cast<std::uint32_t>(targets_.size());
            for (const std::uint32_t target : play(from, dice)) targets_.push_back(node(target));
            outcomes_.push_back({begin, static_cast<std::uint32_t>(targets_.size()), weight});
        }
        nodes_[from].begin = first;
        nodes_[from].end = static_cast<std::uint32_t>(outcomes_.size());
    }

    void play_best(const std::vector<std::uint32_t>& turn) {
        std::vector<std::pair<std::uint32_t, double>> best;  // of each position, by throw
        std::map<Turns, double> reached;
        for (const std::uint32_t from : turn) {
            for (const auto& [dice, weight] : throws_) {
                Turns least{OneSided::kNever, 0};
                for (const std::uint32_t target : play(from, dice)) {
                    least = std::min(least, Turns{one_.average(target), target});
                }
                best.emplace_back(least.second, weight);
                reached[least] += weight;
            }
        }
        // A position that stands for others may be the one they came from, a turn before.
        number_.clear();
        const std::vector<Turns> apart = kept_apart(reached);
        for (std::size_t i = 0; i < turn.size(); ++i) {
            const auto first = static_cast<std::uint32_t>(outcomes_.size());
            for (std::size_t k = i * throws_.size(); k < (i + 1) * throws_.size(); ++k) {
                const auto [target, weight] = best[k];
                const Turns turns{one_.average(target), target};
                const auto right = std::ranges::lower_bound(apart, turns);
                if (*right == turns) {
                    add(target, weight);
                    continue;
                }
                // So that the turns needed on average stay what they are.
                const auto left = right - 1;
                const float width = right->first - left->first;
                const double share = width > 0 ? static_cast<double>((turns.first - left->first) / width) : 0.5;
                add(left->second, weight * (1 - share));
                add(right->second, weight * share);
            }
            nodes_[turn[i]].begin = first;
            nodes_[turn[i]].end = static_cast<std::uint32_t>(outcomes_.size());
        }
    }

    void add(std::uint32_t target, double weight) {
        const auto begin = static_cast<std::uint32_t>(targets_.size());
        targets_.push_back(node(target));
        outcomes_.push_back({begin, begin + 1, weight});
    }

    // A position with the turns that it needs on average, first.
    using Turns = std::pair<float, std::uint32_t>;

    // All positions where they are few; else the first, the last, and the likeliest of those between that need about
    // as many turns. Sorted.
    static std::vector<Turns> kept_apart(const std::map<Turns, double>& reached) {
        std::vector<Turns> kept;
        if (reached.size() <= kMostApart) {
            for (const auto& each : reached) kept.push_back(each.first);
            return kept;
        }
        const float least = reached.begin()->first.first;
        const float width = (reached.rbegin()->first.first - least) / static_cast<float>(kMostApart - 2);
        const auto group = [&](const auto& each) { return static_cast<int>((each.first.first - least) / width); };
        kept.push_back(reached.begin()->first);
        for (auto begin = reached.begin(); begin != reached.end();) {
            const int here = group(*begin);
            const auto end = std::find_if(begin, reached.end(), [&](const auto& each) { return group(each) != here; });
            const auto likeliest =
                std::max_element(begin, end, [](const auto& a, const auto& b) { return a.second < b.second; });
            if (likeliest->first != kept.back()) kept.push_back(likeliest->first);
            begin = end;
        }
        if (kept.back() != reached.rbegin()->first) kept.push_back(reached.rbegin()->first);
        return kept;
    }

    const OneSided& one_;
    const std::vector<HomeIndex::Word>& words_;
    HomePlays plays_;
    std::vector<WeightedThrow> throws_;
    bool all_plays_;
    bool may_pass_ = false;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint32_t, std::uint32_t> number_;  // of a node, by its position
    std::vector<Throws> outcomes_;
    std::vector<std::uint32_t> targets_;
};

class Recursion {
public:
    Recursion(const Way& mine, const Way& theirs, const CubefulUtility& cube, const std::vector<int>& class_of_left,
              int lost, std::span<const CubePlace> places)
        : mine_(mine),
          theirs_(theirs),
          cube_(cube),
          class_of_left_(class_of_left),
          lost_(lost),
          places_(places.begin(), places.end()) {
        // And those that the cube may come to from there.
        for (std::size_t i = 0; i < places_.size(); ++i) {
            for (const bool own : {false, true}) {
                if (!cube.may_turn(own, places_[i])) continue;
                const CubePlace taken = CubefulUtility::taken(places_[i], own);
                if (std::ranges::find(places_, taken) == places_.end()) places_.push_back(taken);
            }
        }
        for (const CubePlace& place : places_) {
            std::array<std::size_t, 2>& to = after_.emplace_back();
            for (const bool own : {false, true}) {
                if (!cube.may_turn(own, place)) continue;
                const auto found = std::ranges::find(places_, CubefulUtility::taken(place, own));
                to[own ? 1 : 0] = static_cast<std::size_t>(found - places_.begin());
            }
        }
        known_.assign(mine.size() * theirs.size() * 2, kUnknown);
    }

    std::vector<double> run(std::size_t asked) {
        std::vector<double> sum(places_.size());
        hold(0, 0, true, sum);
        sum.resize(asked);
        return sum;
    }

private:
    static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

    // The values to me before the side on roll may turn the cube, by place: where they begin.
    std::uint32_t value(std::uint32_t mine, std::uint32_t theirs, bool own) {
        const std::size_t key = (std::size_t{mine} * theirs_.size() + theirs) * 2 + (own ? 1 : 0);
        if (known_[key] != kUnknown) return known_[key];
        const bool won = mine_.node_at(mine).left == 0;
        std::vector<double> held(places_.size());
        if (won || theirs_.node_at(theirs).left == 0) {
            const int left = won ? theirs_.node_at(theirs).left : mine_.node_at(mine).left;
            const int ending = class_of_left_[static_cast<std::size_t>(left)] + (won ? 0 : lost_);
            for (std::size_t i = 0; i < places_.size(); ++i) held[i] = cube_.equity(ending, true, places_[i]);
        } else {
            hold(mine, theirs, own, held);
            const std::vector<double> undoubled(held);
            for (std::size_t i = 0; i < places_.size(); ++i) {
                const double taken = undoubled[after_[i][own ? 1 : 0]];
                held[i] = cube_.choose(undoubled[i], taken, own, places_[i]).equity;
            }
        }
        const auto begin = static_cast<std::uint32_t>(values_.size());
        values_.insert(values_.end(), held.begin(), held.end());
        return known_[key] = begin;
    }

    // Adds up the throws of the side on roll, which plays its best with the cube at each place.
    void hold(std::uint32_t mine, std::uint32_t theirs, bool own, std::vector<double>& sum) {
        const Way& way = own ? mine_ : theirs_;
        const double sign = own ? 1 : -1;
        std::vector<double> best(places_.size());
        for (const Way::Throws& thrown : way.throws_of(own ? mine : theirs)) {
            std::ranges::fill(best, -std::numeric_limits<double>::infinity());
            for (const std::uint32_t target : way.targets(thrown)) {
                const std::uint32_t begin = own ? value(target, theirs, false) : value(mine, target, true);
                for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], sign * values_[begin + i]);
            }
            for (std::size_t i = 0; i < best.size(); ++i) sum[i] += thrown.weight * sign * best[i];
        }
    }

    const Way& mine_;
    const Way& theirs_;
    const CubefulUtility& cube_;
    const std::vector<int>& class_of_left_;
    int lost_;
    std::vector<CubePlace> places_;
    std::vector<std::array<std::size_t, 2>> after_;  // where each comes to when they, or I, turn it
    std::vector<std::uint32_t> known_;
    std::vector<double> values_;
};

}  // namespace

std::optional<std::vector<double>> BearoffDatabase::cube_values(const State& state, const CubefulUtility& cube,
                                                                std::span<const CubePlace> places) const {
    if (one_ == nullptr || state.pending.any() || !HomeIndex::all_home(state.mine | state.theirs)) return std::nullopt;
    if (!goes_on(state) || home_.progression_from != 0 || home_.one_two_bonus != OneTwoBonus::off) return std::nullopt;
    const HomeIndex::Word mine = HomeIndex::word(state.mine);
    const HomeIndex::Word theirs = HomeIndex::word(state.theirs);
    if (!(one_->average(HomeIndex::of(mine)) < OneSided::kNever)) return std::nullopt;
    if (!(one_->average(HomeIndex::of(theirs)) < OneSided::kNever)) return std::nullopt;
    const int most = checkers_ - std::min(count(state.mine, kOff), count(state.theirs, kOff));
    const bool few = most <= kTwoSidedCheckers;
    const std::vector<HomeIndex::Word> words = home_words(checkers_, most);
    const Way my_way(home_, *one_, words, mine, few);
    const Way their_way(home_, *one_, words, theirs, few);
    if (my_way.may_pass() || their_way.may_pass()) return std::nullopt;
    return Recursion(my_way, their_way, cube, class_of_left_, half_, places).run(places.size());
}

}  // namespace sheshbesh
