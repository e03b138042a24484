#include "sheshbesh/engine/reasons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace sheshbesh {

namespace {

constexpr double kLeast = 0.0005;  // differences in the result below this, in equity, are not told
constexpr std::size_t kKinds = NextThrow::quiet + 1;
constexpr std::array<std::string_view, kReasons - kBoardFeatures> kResultNames = {"wins", "gammons_won", "gammons_lost",
                                                                                  "points_won", "points_lost"};

int id_of(ResultReason reason) { return kBoardFeatures + static_cast<int>(reason); }
int id_of(BoardFeature feature) { return static_cast<int>(feature); }

// The throws of the other side by their kind: the share of each, and the mean equity after its best reply.
struct Ahead {
    std::array<double, kKinds> share{};
    std::array<double, kKinds> equity{};
    double mean = 0;
};

Ahead look_ahead(Searcher& searcher, const NextThrow& next, bool black_plays, const Utility& utility) {
    const auto width = static_cast<std::size_t>(searcher.evaluator().classes().size());
    std::vector<float> values(next.reached.size() * width);
    searcher.evaluate(next.reached, values.data());
    Ahead ahead;
    std::size_t at = 0;
    for (const NextThrow::Answer& answer : next.answers) {
        double least = std::numeric_limits<double>::infinity();
        for (; at < answer.last; ++at) {
            const bool own = next.reached[at].black_on_roll == black_plays;
            least = std::min(least, static_cast<double>(utility.equity(values.data() + at * width, own)));
        }
        const double share = answer.weight / 36.0;
        ahead.share[answer.kind] += share;
        ahead.equity[answer.kind] += share * least;
        ahead.mean += share * least;
    }
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (ahead.share[kind] > 0) ahead.equity[kind] /= ahead.share[kind];
    }
    return ahead;
}

// What other numbers of throws of a kind make of the difference between two plays.
double number_part(NextThrow::Kind kind, const Ahead& mine, const Ahead& other) {
    const double mean = (mine.mean + other.mean) / 2;
    return (mine.share[kind] - other.share[kind]) * ((mine.equity[kind] + other.equity[kind]) / 2 - mean);
}

// What throws that can hit or imprison cost less after one play than after the other: by how much the plays differ
// after them, beyond what they differ by after all others, which is no matter of the throw.
double harm_part(const Ahead& mine, const Ahead& other) {
    constexpr auto kHarm = NextThrow::harmful;
    double share = 0;
    double calm = 0;
    for (const NextThrow::Kind kind : {NextThrow::dancing, NextThrow::partial, NextThrow::quiet}) {
        const double both = (mine.share[kind] + other.share[kind]) / 2;
        share += both;
        calm += both * (mine.equity[kind] - other.equity[kind]);
    }
    const double usual = share > 0 ? calm / share : 0;
    return (mine.share[kHarm] + other.share[kHarm]) / 2 * (mine.equity[kHarm] - other.equity[kHarm] - usual);
}

// Where only one of two plays lets throws of a kind happen, their worth is the same for both.
void share_worth(Ahead& one, Ahead& other) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (one.share[kind] == 0) one.equity[kind] = other.equity[kind];
        if (other.share[kind] == 0) other.equity[kind] = one.equity[kind];
    }
}

void compare_boards(Searcher& searcher, bool black_plays, const State& mine, const State& other, const Utility& utility,
                    std::span<const double> weights, std::vector<Reason>& found) {
    const Ruleset& rules = searcher.rules();
    Generator generator;
    const auto own = [black_plays](const State& state) { return state.black_on_roll == black_plays; };
    const std::optional<NextThrow> here = next_throw(generator, rules, mine, own(mine));
    const std::optional<NextThrow> there = next_throw(generator, rules, other, own(other));
    const Features ours = measure(generator, rules, mine, own(mine), here);
    const Features theirs = measure(generator, rules, other, own(other), there);
    double shots = 0;
    double exposed = 0;
    double dances = 0;
    double hindered = 0;
    if (here && there) {
        Ahead first = look_ahead(searcher, *here, black_plays, utility);
        Ahead second = look_ahead(searcher, *there, black_plays, utility);
        share_worth(first, second);
        shots = number_part(NextThrow::harmful, first, second);
        exposed = harm_part(first, second);
        dances = number_part(NextThrow::dancing, first, second);
        hindered = number_part(NextThrow::partial, first, second);
    }
    for (int id = 0; id < kBoardFeatures; ++id) {
        const auto place = static_cast<std::size_t>(id);
        const std::optional<Measured>& one = ours[place];
        const std::optional<Measured>& two = theirs[place];
        if (!one || !two || (one->number == two->number && one->points == two->points)) continue;
        Reason reason{id,
                      one->number,
                      two->number,
                      weights[place] * (one->worth - two->worth),
                      one->points & ~two->points,
                      two->points & ~one->points};
        if (id == id_of(BoardFeature::shots) || id == id_of(BoardFeature::pin_shots)) reason.weight = shots;
        if (id == id_of(BoardFeature::exposed)) reason.weight = exposed;
        if (id == id_of(BoardFeature::dances)) reason.weight = dances;
        if (id == id_of(BoardFeature::hindered)) reason.weight = hindered;
        found.push_back(reason);
    }
}

// A side's results of one outcome: what those beyond the plain one are worth, how often they come, the mean points.
struct Results {
    double beyond = 0;
    double gammons = 0;
    double points = 0;
    double equity = 0;
    double chance = 0;
};

Results results_of(const ClassTable& classes, std::span<const float> probabilities, std::span<const double> values,
                   std::size_t first) {
    Results found;
    for (std::size_t i = 0; i < classes.win_classes().size(); ++i) {
        const auto share = static_cast<double>(probabilities[first + i]);
        found.chance += share;
        found.equity += share * values[first + i];
        found.beyond += share * (values[first + i] - values[first]);
        found.points += share * classes.win_classes()[i].points;
        if (classes.height(static_cast<int>(i)) >= 2) found.gammons += share;
    }
    return found;
}

void compare_results(const ClassTable& classes, const AfterPlay& mine, const AfterPlay& other,
                     std::span<const double> values, std::vector<Reason>& found) {
    const auto half = static_cast<std::size_t>(classes.wins());
    const Results won = results_of(classes, mine.probabilities, values, 0);
    const Results won_there = results_of(classes, other.probabilities, values, 0);
    const Results lost = results_of(classes, mine.probabilities, values, half);
    const Results lost_there = results_of(classes, other.probabilities, values, half);
    double all = won.equity + lost.equity - won_there.equity - lost_there.equity;
    if (classes.has_tie()) {
        const std::size_t tie = 2 * half;
        all += (static_cast<double>(mine.probabilities[tie]) - static_cast<double>(other.probabilities[tie])) *
               values[tie];
    }
    const double more_won = won.beyond - won_there.beyond;
    const double more_lost = lost.beyond - lost_there.beyond;
    const auto add = [&found](ResultReason about, double here, double there, double weight) {
        if (std::abs(weight) >= kLeast) found.push_back({id_of(about), here, there, weight, 0, 0});
    };
    add(ResultReason::wins, won.chance, won_there.chance, all - more_won - more_lost);
    if (classes.counted()) {
        add(ResultReason::points_won, won.points, won_there.points, more_won);
        add(ResultReason::points_lost, lost.points, lost_there.points, more_lost);
    } else {
        add(ResultReason::gammons_won, won.gammons, won_there.gammons, more_won);
        add(ResultReason::gammons_lost, lost.gammons, lost_there.gammons, more_lost);
    }
}

}  // namespace

std::string_view reason_name(int id) {
    if (id < 0 || id >= kReasons) throw std::invalid_argument("there is no reason " + std::to_string(id));
    return id < kBoardFeatures ? name(static_cast<BoardFeature>(id))
                               : kResultNames[static_cast<std::size_t>(id - kBoardFeatures)];
}

std::vector<Reason> reasons(Searcher& searcher, bool black_plays, const AfterPlay& mine, const AfterPlay& other,
                            std::span<const double> values, std::span<const double> weights) {
    const ClassTable& classes = searcher.evaluator().classes();
    const auto width = static_cast<std::size_t>(classes.size());
    if (values.size() != width || mine.probabilities.size() != width || other.probabilities.size() != width) {
        throw std::invalid_argument("a value and a probability for each class of the game is needed");
    }
    if (weights.size() != kBoardFeatures) throw std::invalid_argument("a weight for each feature is needed");
    std::vector<Reason> found;
    const Utility utility(classes, std::vector<float>(values.begin(), values.end()));
    compare_boards(searcher, black_plays, mine.after, other.after, utility, weights, found);
    compare_results(classes, mine, other, values, found);
    std::vector<Reason> heaviest_first;
    heaviest_first.reserve(found.size());
    for (const Reason& reason : found) {
        const auto place = std::ranges::find_if(
            heaviest_first, [&reason](const Reason& each) { return std::abs(each.weight) < std::abs(reason.weight); });
        heaviest_first.insert(place, reason);
    }
    return heaviest_first;
}

}  // namespace sheshbesh
