// Rollouts in Python: trials in, rows of numbers out. What is made of them is sheshbesh.engines.rollout.rollout's
// matter.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "bind.h"
#include "cube_heights.h"
#include "released.h"
#include "sheshbesh/engine/rollout.h"
#include "static_evaluators.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using Databases = std::vector<std::shared_ptr<ExactValues>>;

// A roller that several Python threads may hold: one of them plays, the others wait.
class SharedRoller {
public:
    SharedRoller(const std::shared_ptr<Net>& net, const Ruleset& rules, const std::vector<float>& utility,
                 const ClassMap& class_map, const Databases& databases,
                 const std::optional<std::vector<HeightTuple>>& cube, float cube_efficiency, std::uint64_t seed,
                 int plies, int truncate, Luck luck, int filter_to, bool first_double,
                 const std::optional<std::vector<float>>& preference)
        : roller_(Searcher(make_static_evaluator(net, rules, class_map, databases), search(plies)),
                  Utility(ClassTable(rules), utility), options(seed, truncate, luck, filter_to, first_double),
                  cube ? std::optional<CubefulUtility>(
                             CubefulUtility(ClassTable(rules), cube_heights(*cube), cube_efficiency))
                       : std::nullopt,
                  preference ? std::optional<Utility>(Utility(ClassTable(rules), *preference)) : std::nullopt) {}

    std::vector<std::vector<double>> run(const State& start, int height, CubeOwner owner, std::uint64_t first,
                                         int count) {
        if (count < 1) throw std::invalid_argument("at least one trial is to be played");
        const Released released;
        const std::scoped_lock lock(busy_);
        const std::vector<double> values = roller_.run(start, {height, owner}, first, count);
        std::vector<std::vector<double>> rows;
        const auto row = static_cast<std::ptrdiff_t>(roller_.row());
        for (auto value = values.begin(); value != values.end(); value += row) rows.emplace_back(value, value + row);
        return rows;
    }

private:
    static SearchOptions search(int plies) {
        SearchOptions options;
        options.plies = plies;
        options.cache_entries = plies > 0 ? options.cache_entries : 0;
        return options;
    }
    static RolloutOptions options(std::uint64_t seed, int truncate, Luck luck, int filter_to, bool first_double) {
        RolloutOptions options;
        options.seed = seed;
        options.truncate = truncate;
        options.luck = luck;
        options.filter_to = filter_to;
        options.first_double = first_double;
        return options;
    }

    std::mutex busy_;
    Roller roller_;
};

}  // namespace

void bind_rollout(nb::module_& m) {
    nb::enum_<Luck>(m, "Luck", "How the luck of the dice is measured; see rollout.h.")
        .value("none", Luck::none)
        .value("full", Luck::full)
        .value("filtered", Luck::filtered);
    const RolloutOptions usual;
    nb::class_<SharedRoller>(m, "Roller",
                             "Plays trials of a rollout. What a trial gives depends on nothing but these arguments, "
                             "the position and its number.")
        .def(nb::init<const std::shared_ptr<Net>&, const Ruleset&, const std::vector<float>&, const ClassMap&,
                      const Databases&, const std::optional<std::vector<HeightTuple>>&, float, std::uint64_t, int, int,
                      Luck, int, bool, const std::optional<std::vector<float>>&>(),
             "net"_a, "rules"_a, "utility"_a, "class_map"_a = nb::none(), "databases"_a = nb::list(), nb::kw_only(),
             "cube"_a = nb::none(), "cube_efficiency"_a = 0.0f, "seed"_a = usual.seed, "plies"_a = 0,
             "truncate"_a = usual.truncate, "luck"_a = usual.luck, "filter_to"_a = usual.filter_to,
             "first_double"_a = usual.first_double, "preference"_a = nb::none(),
             "`utility`: equity of each class to the side on roll. `cube`: "
             "its "
             "heights from the present value up, as (equity of each class, cash, drop, mine, theirs, mine_free, "
             "theirs_free, tabled); see cubeful_utility.h. The rest as in rollout.h.")
        .def("run", &SharedRoller::run, "start"_a, "height"_a, "owner"_a, "first"_a, "count"_a,
             "The rows of trials first, first + 1, ...: each class and, with a cube, the equity, for the side on roll "
             "in "
             "`start`.");
    m.def(
        "trial_dice",
        [](std::uint64_t seed, std::uint64_t trial, int number) {
            const Pips dice = trial_dice(seed, trial, number);
            return std::pair(dice.high, dice.low);
        },
        "seed"_a, "trial"_a, "number"_a, "The throw of a trial; `number` counts its throws from 0.");
}

}  // namespace sheshbesh
