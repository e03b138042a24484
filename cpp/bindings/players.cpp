// Players and their games in Python: who plays, and sums over games out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "bind.h"
#include "convert.h"
#include "released.h"
#include "sheshbesh/engine/duel.h"
#include "static_evaluators.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using Databases = std::vector<std::shared_ptr<ExactValues>>;
using Question = std::tuple<State, int, int>;  // position and dice

// A player of one rule set that several Python threads may hold, one of them at a time.
class SharedPlayer {
public:
    SharedPlayer(const Ruleset& rules, std::unique_ptr<Player> player) : rules_(rules), player_(std::move(player)) {}

    // The places of the chosen plays in the order of the generator; throws where the game is over.
    std::vector<std::size_t> choose(const std::vector<Question>& asked, std::uint64_t seed) {
        const Released released;
        const std::scoped_lock lock(busy_);
        std::vector<State> candidates;
        std::vector<Decision> decisions;
        Random chance(seed);
        for (const auto& [state, first, second] : asked) {
            Decision decision;
            decision.before = state;
            const Throw dice = to_throw(rules_, state, first, second);
            decision.chance = &chance;
            decision.first = candidates.size();
            for (const Play& play : generator_.plays(rules_, state, dice)) {
                candidates.push_back(position_after(rules_, state, dice, play));
            }
            decision.last = candidates.size();
            decision.add(dice, decision.last);
            if (decision.first == decision.last) throw std::invalid_argument("the game is over, nothing can be played");
            decisions.push_back(decision);
        }
        player_->choose(candidates, decisions);
        std::vector<std::size_t> chosen;
        chosen.reserve(decisions.size());
        for (const Decision& decision : decisions) chosen.push_back(decision.chosen - decision.first);
        return chosen;
    }

    DuelResult against(SharedPlayer& other, const DuelOptions& options) {
        if (this == &other) throw std::invalid_argument("a player needs an opponent, not itself");
        const Released released;
        const std::scoped_lock lock(busy_, other.busy_);
        return duel(rules_, *player_, *other.player_, options);
    }

private:
    Ruleset rules_;
    std::unique_ptr<Player> player_;
    Generator generator_;
    std::mutex busy_;
};

std::unique_ptr<SharedPlayer> net_player(const std::shared_ptr<Net>& net, const Ruleset& rules,
                                         const ClassMap& class_map, const Databases& databases, int plies) {
    StaticEvaluator evaluator = make_static_evaluator(net, rules, class_map, databases);
    if (plies == 0) return std::make_unique<SharedPlayer>(rules, std::make_unique<GreedyPlayer>(std::move(evaluator)));
    SearchOptions options;
    options.plies = plies;
    return std::make_unique<SharedPlayer>(rules,
                                          std::make_unique<SearchPlayer>(Searcher(std::move(evaluator), options)));
}

WrittenEvaluation written(const Ruleset& rules, const std::vector<float>& weights) {
    WrittenEvaluation::Weights fixed{};
    if (weights.size() != fixed.size()) throw std::invalid_argument("one weight for each feature is needed");
    std::copy(weights.begin(), weights.end(), fixed.begin());
    return WrittenEvaluation(rules, fixed);
}

std::unique_ptr<SharedPlayer> written_player(const Ruleset& rules, const std::vector<float>& weights) {
    return std::make_unique<SharedPlayer>(rules, std::make_unique<WrittenPlayer>(written(rules, weights)));
}

}  // namespace

void bind_players(nb::module_& m) {
    std::vector<std::string> features;
    features.reserve(kFeatures);
    for (int i = 0; i < kFeatures; ++i) features.emplace_back(name(static_cast<Feature>(i)));
    m.attr("WRITTEN_FEATURES") = nb::tuple(nb::cast(features));

    nb::class_<WrittenEvaluation>(m, "WrittenEvaluation",
                                  "A hand-written valuation: a weight, in pips, for each of WRITTEN_FEATURES.")
        .def(nb::new_(&written), "rules"_a, "weights"_a)
        .def("value", &WrittenEvaluation::value, "state"_a,
             "The equity of a position to the side on roll, in pips; a finished game counts more than any board.");
    nb::class_<DuelResult>(m, "DuelResult", "Sums over pairs of mirrored games; see duel.h.")
        .def_ro("pairs", &DuelResult::pairs)
        .def_ro("points", &DuelResult::points)
        .def_ro("squares", &DuelResult::squares)
        .def_ro("staked", &DuelResult::staked)
        .def_ro("staked_squares", &DuelResult::staked_squares)
        .def_ro("products", &DuelResult::products)
        .def_ro("wins", &DuelResult::wins)
        .def_ro("ties", &DuelResult::ties);
    nb::class_<SharedPlayer>(m, "Player", "A player: chooses plays in games of one rule set, for money.")
        .def_static("net", &net_player, "net"_a, "rules"_a, "class_map"_a = nb::none(), "databases"_a = nb::list(),
                    nb::kw_only(), "plies"_a = 0, "The best by the values of a net, searched `plies` deep.")
        .def_static("written", &written_player, "rules"_a, "weights"_a,
                    "The best by a hand-written valuation: a weight for each of WRITTEN_FEATURES, in pips.")
        .def_static(
            "random",
            [](const Ruleset& rules) {
                return std::make_unique<SharedPlayer>(rules, std::make_unique<RandomPlayer>());
            },
            "rules"_a)
        .def("choose", &SharedPlayer::choose, "asked"_a, "seed"_a = 0,
             "For each (position, die, die) the place of the play in the order of legal_plays. `seed` is for players "
             "that draw lots. ValueError where the game is over.")
        .def(
            "duel",
            [](SharedPlayer& self, SharedPlayer& other, std::uint64_t pairs, std::uint64_t seed,
               std::uint64_t first_pair,
               int longest_game) { return self.against(other, {pairs, seed, first_pair, longest_game}); },
            "other"_a, nb::kw_only(), "pairs"_a, "seed"_a, "first_pair"_a = 0, "longest_game"_a = 1000,
            "Pairs number first_pair, first_pair + 1, ... of mirrored games, seen by this player.");
}

}  // namespace sheshbesh
