// The engine's Python face: nets, search, and the instruction sets they run on. Everything that takes
// long lets other Python threads run meanwhile.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "arrays.h"
#include "bind.h"
#include "convert.h"
#include "released.h"
#include "sheshbesh/engine/hash.h"
#include "sheshbesh/engine/reasons.h"
#include "sheshbesh/engine/search.h"
#include "static_evaluators.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using Filters = std::vector<std::pair<int, float>>;
using DiceRows = nb::ndarray<const std::uint8_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Ranked = std::tuple<std::size_t, int, float, std::vector<float>>;  // index, plies, equity, probabilities
// Name, the numbers of both plays, weight, the points that only the first holds, those that only the other does.
using ReasonRow = std::tuple<std::string, double, double, double, std::vector<int>, std::vector<int>>;

// A searcher that several Python threads may hold: one of them searches, the others wait.
class SharedSearcher {
public:
    SharedSearcher(const std::shared_ptr<Net>& net, const Ruleset& rules, const ClassMap& class_map,
                   const std::vector<std::shared_ptr<ExactValues>>& databases, std::size_t cache_entries)
        : searcher_(make_static_evaluator(net, rules, class_map, databases), options(cache_entries)) {}

    std::vector<std::vector<float>> evaluate(const std::vector<State>& states) {
        const Released released;
        const std::scoped_lock lock(busy_);
        const auto row = static_cast<std::size_t>(searcher_.evaluator().classes().size());
        std::vector<float> values(states.size() * row);
        evaluate_in_batches(states, values.data(), row);
        publish();
        std::vector<std::vector<float>> rows;
        rows.reserve(states.size());
        for (auto value = values.begin(); value != values.end(); value += static_cast<std::ptrdiff_t>(row)) {
            rows.emplace_back(value, value + static_cast<std::ptrdiff_t>(row));
        }
        return rows;
    }

    // The same from rows and to rows: no Python object is made for a position.
    Rows<float> evaluate_rows(const StateRows& rows) {
        const auto width = static_cast<std::size_t>(searcher_.evaluator().classes().size());
        std::vector<float> values;
        {
            const Released released;
            const std::scoped_lock lock(busy_);
            const std::vector<State> states = states_of(searcher_.rules(), rows);
            values.resize(states.size() * width);
            evaluate_in_batches(states, values.data(), width);
            publish();
        }
        return table(std::move(values), width);
    }

    // The plays of a throw in each position by the static value: (offsets of the positions, index of each play in
    // the order of legal_plays, its equity for the side on roll), best first by what White or Black chooses by.
    nb::tuple rank_rows(const StateRows& rows, const DiceRows& dice, const std::vector<float>& white_choosing,
                        const std::vector<float>& black_choosing, const std::vector<float>& white,
                        const std::vector<float>& black) {
        if (dice.shape(0) != rows.shape(0)) throw std::invalid_argument("as many dice as positions are needed");
        std::vector<std::int64_t> offsets{0};
        std::vector<std::int32_t> order;
        std::vector<float> equities;
        {
            const Released released;
            const std::scoped_lock lock(busy_);
            const std::array<Utility, 4> values = {utility(white_choosing), utility(black_choosing), utility(white),
                                                   utility(black)};
            rank_all(states_of(searcher_.rules(), rows), dice.data(), values, offsets, order, equities);
            publish();
        }
        return nb::make_tuple(array(std::move(offsets)), array(std::move(order)), array(std::move(equities)));
    }

    std::vector<Ranked> rank(const State& state, int first, int second, const std::vector<float>& utility, int plies,
                             const Filters& filters) {
        const Released released;
        const std::scoped_lock lock(busy_);
        const Throw dice = to_throw(searcher_.rules(), state, first, second);
        set(plies);
        searcher_.options().filters.clear();
        for (const auto& [width, margin] : filters) searcher_.options().filters.push_back({width, margin});
        std::vector<Candidate> found = searcher_.rank(state, dice, Utility(searcher_.evaluator().classes(), utility));
        publish();
        std::vector<Ranked> ranked;
        ranked.reserve(found.size());
        for (Candidate& one : found) ranked.emplace_back(one.index, one.plies, one.equity, std::move(one.probs));
        return ranked;
    }

    std::vector<float> value(const State& state, const std::vector<float>& utility, int plies) {
        const Released released;
        const std::scoped_lock lock(busy_);
        set(plies);
        std::vector<float> value = searcher_.value(state, Utility(searcher_.evaluator().classes(), utility), plies);
        publish();
        return value;
    }

    std::vector<ReasonRow> reasons(bool black_plays, const State& mine, const std::vector<float>& my_probabilities,
                                   const State& other, const std::vector<float>& other_probabilities,
                                   const std::vector<double>& values, const std::vector<double>& weights) {
        const Released released;
        const std::scoped_lock lock(busy_);
        std::vector<ReasonRow> rows;
        for (const Reason& one : sheshbesh::reasons(searcher_, black_plays, {mine, my_probabilities},
                                                    {other, other_probabilities}, values, weights)) {
            rows.emplace_back(reason_name(one.id), one.mine, one.other, one.weight, to_points(one.gained),
                              to_points(one.lost));
        }
        publish();
        return rows;
    }

    // These three answer at once, also while another thread searches.
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t evaluations() const { return evaluations_; }
    void stop(bool stopped) { stop_ = stopped; }

private:
    SearchOptions options(std::size_t cache_entries) const {
        SearchOptions options;
        options.cache_entries = cache_entries;
        options.stop = &stop_;
        return options;
    }

    // Enough that the first layer's work is shared, few enough that everything stays in the cache.
    static constexpr std::size_t kBatch = 512;

    void evaluate_in_batches(std::span<const State> states, float* out, std::size_t width) {
        for (std::size_t first = 0; first < states.size(); first += kBatch) {
            check_interrupt();
            const std::size_t size = std::min(kBatch, states.size() - first);
            searcher_.evaluate(states.subspan(first, size), out + first * width);
        }
    }

    Utility utility(const std::vector<float>& values) const { return {searcher_.evaluator().classes(), values}; }

    // `values`: what White and Black choose by, and what the equities are for each.
    void rank_all(const std::vector<State>& states, const std::uint8_t* dice, const std::array<Utility, 4>& values,
                  std::vector<std::int64_t>& offsets, std::vector<std::int32_t>& order, std::vector<float>& equities) {
        const auto width = static_cast<std::size_t>(searcher_.evaluator().classes().size());
        std::vector<State> after;
        for (std::size_t i = 0; i < states.size(); ++i) {
            check_interrupt();
            const State& state = states[i];
            if (state.pending.choose_double) {
                throw std::invalid_argument("row " + std::to_string(i) + ": a double is to be named here first");
            }
            Throw thrown;
            try {
                thrown = to_throw(searcher_.rules(), state, dice[2 * i], dice[2 * i + 1]);
            } catch (const std::invalid_argument& fault) {
                throw std::invalid_argument("row " + std::to_string(i) + ": " + fault.what());
            }
            for (const Play& play : generator_.plays(searcher_.rules(), state, thrown)) {
                after.push_back(position_after(searcher_.rules(), state, thrown, play));
            }
            offsets.push_back(static_cast<std::int64_t>(after.size()));
        }
        std::vector<float> found(after.size() * width);
        evaluate_in_batches(after, found.data(), width);
        order.resize(after.size());
        equities.resize(after.size());
        std::vector<float> choosing(after.size());
        std::vector<float> shown(after.size());
        for (std::size_t i = 0; i < states.size(); ++i) {
            const auto first = static_cast<std::size_t>(offsets[i]);
            const auto end = static_cast<std::size_t>(offsets[i + 1]);
            for (std::size_t play = first; play < end; ++play) {
                const bool own = after[play].black_on_roll == states[i].black_on_roll;
                const std::size_t side = states[i].black_on_roll ? 1 : 0;
                choosing[play] = values[side].equity(found.data() + play * width, own);
                shown[play] = values[2 + side].equity(found.data() + play * width, own);
                order[play] = static_cast<std::int32_t>(play - first);
            }
            const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
            std::stable_sort(begin, order.begin() + static_cast<std::ptrdiff_t>(end),
                             [&](std::int32_t a, std::int32_t b) {
                                 return choosing[first + static_cast<std::size_t>(a)] >
                                        choosing[first + static_cast<std::size_t>(b)];
                             });
            for (std::size_t play = first; play < end; ++play) {
                equities[play] = shown[first + static_cast<std::size_t>(order[play])];
            }
        }
    }

    void set(int plies) {
        if (plies < 0 || plies > kDeepest) {
            throw std::invalid_argument("plies must be 0 to " + std::to_string(kDeepest));
        }
        searcher_.options().plies = plies;
    }

    void publish() {
        nodes_ = searcher_.nodes();
        evaluations_ = searcher_.evaluator().evaluations();
    }

    std::atomic<bool> stop_ = false;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::atomic<std::uint64_t> evaluations_ = 0;
    std::mutex busy_;
    Generator generator_;
    Searcher searcher_;
};

void bind_net(nb::module_& m) {
    nb::class_<Net>(m, "Net", "A trained net; the format is in net.h. ValueError names the fault of an invalid one.")
        .def(nb::new_([](const nb::bytes& data) {
                 const auto* first = static_cast<const std::byte*>(data.data());
                 return std::const_pointer_cast<Net>(Net::parse({first, data.size()}));
             }),
             "data"_a)
        .def_prop_ro("classes", &Net::classes)
        .def_prop_ro("widths",
                     [](const Net& net) { return std::vector<int>(net.widths().begin(), net.widths().end()); })
        .def_prop_ro("parameters", &Net::parameters);
}

void bind_searcher(nb::module_& m) {
    const SearchOptions usual;
    Filters filters;
    for (const Filter& filter : usual.filters) filters.emplace_back(filter.width, filter.margin);

    const nb::class_<ExactValues> exact_values(m, "ExactValues", "Exact values of some positions of a game.");
    const nb::exception<SearchStopped> stopped(m, "SearchStopped");
    nb::class_<SharedSearcher>(m, "Searcher",
                               "Values positions and ranks plays with a net. Probabilities are lists over the classes "
                               "of `class_table`; `utility` is the equity of each class to the side on roll.")
        .def(nb::init<const std::shared_ptr<Net>&, const Ruleset&, const ClassMap&,
                      const std::vector<std::shared_ptr<ExactValues>>&, std::size_t>(),
             "net"_a, "rules"_a, "class_map"_a = nb::none(), "databases"_a = nb::list(), nb::kw_only(),
             "cache_entries"_a = usual.cache_entries,
             "`class_map[i]`: the class of the rules that class i of the net counts for.")
        .def("evaluate", &SharedSearcher::evaluate, "states"_a,
             "The static value of each position for the side on roll before it throws.")
        .def("evaluate_rows", &SharedSearcher::evaluate_rows, "rows"_a, "The same for rows as in rows.h.")
        .def("rank_rows", &SharedSearcher::rank_rows, "rows"_a, "dice"_a, "white_choosing"_a, "black_choosing"_a,
             "white"_a, "black"_a,
             "The plays of each position by static value, best first: (offsets of the positions, indices in the order "
             "of legal_plays, equities for the side on roll).")
        .def("rank", &SharedSearcher::rank, "state"_a, "first"_a, "second"_a, "utility"_a, "plies"_a = usual.plies,
             "filters"_a = filters,
             "The plays, best first: (index in the order of legal_plays, plies, equity, probabilities), for the player "
             "on roll. When stopped, what is complete so far.")
        .def("value", &SharedSearcher::value, "state"_a, "utility"_a, "plies"_a,
             "The value for the side on roll before it throws, some plies ahead. When stopped, SearchStopped.")
        .def(
            "reasons", &SharedSearcher::reasons, "black_plays"_a, "mine"_a, "my_probabilities"_a, "other"_a,
            "other_probabilities"_a, "values"_a, "weights"_a,
            "In what two plays differ, the heaviest first; see reasons.h. `mine` and `other` are the positions after "
            "them, probabilities and `values` those of the player, `weights` one for each of FEATURES. Rows are (name, "
            "number of mine, of other, weight, points only mine holds, points only other does).")
        .def_prop_ro("nodes", &SharedSearcher::nodes, "Positions valued by finished searches.")
        .def_prop_ro("evaluations", &SharedSearcher::evaluations, "Positions the net was asked for by them.")
        .def(
            "cancel", [](SharedSearcher& self) { self.stop(true); },
            "Ends the running search and all later ones as soon as possible, until `resume`; from any thread.")
        .def("resume", [](SharedSearcher& self) { self.stop(false); });
}

// What a benchmark times, and what shows that the work was done: no list is made on the way.
std::pair<std::uint64_t, std::uint64_t> hash_values(const std::shared_ptr<Net>& net, const Ruleset& rules,
                                                    const std::vector<State>& states, std::size_t batch, int rounds,
                                                    const ClassMap& class_map) {
    if (batch == 0) throw std::invalid_argument("a batch has at least one position");
    Evaluator evaluator = make_evaluator(net, rules, class_map);
    const auto row = static_cast<std::size_t>(evaluator.classes().size());
    std::vector<float> values(batch * row);
    std::uint64_t hash = kFnvBasis;
    std::uint64_t valued = 0;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t first = 0; first < states.size(); first += batch) {
            check_interrupt();
            const std::size_t size = std::min(batch, states.size() - first);
            evaluator.evaluate(std::span(states).subspan(first, size), values.data());
            valued += size;
            // The first position of each batch stands for the others: hashing shall not be what is timed.
            for (std::size_t i = 0; i < row; ++i) {
                hash = (hash ^ std::bit_cast<std::uint32_t>(values[i])) * kFnvPrime;
            }
        }
    }
    return {valued, hash};
}

Isa isa_named(const std::string& wanted) {
    for (const Isa isa : available_isas()) {
        if (name(isa) == wanted) return isa;
    }
    throw std::invalid_argument("this machine has no instruction set " + wanted);
}

}  // namespace

void bind_engine(nb::module_& m) {
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const NetFormatError& fault) {
            PyErr_SetString(PyExc_ValueError, fault.what());
        }
    });
    m.def(
        "class_table",
        [](const Ruleset& rules) {
            const ClassTable table(rules);
            std::vector<std::pair<int, int>> wins;
            for (const ResultClass& one : table.win_classes())
                wins.emplace_back(static_cast<int>(one.kind), one.points);
            return std::pair(wins, table.has_tie());
        },
        "rules"_a,
        "The ways to win as (kind, points), and whether a tie is possible. The classes of every list of probabilities: "
        "the wins of the side on roll in this order, those of the other side, the tie.");
    m.def(
        "class_height",
        [](int kind, int points, bool counted) { return height({static_cast<Kind>(kind), points}, counted); }, "kind"_a,
        "points"_a, "counted"_a,
        "How high a way to win stands: 1 plain, 2 a gammon, 3 the third class; all are plain where checkers left are "
        "counted.");
    m.attr("INPUT_SET") = kInputSet;  // what nets must be made for
    m.attr("DEEPEST") = kDeepest;
    bind_net(m);
    bind_searcher(m);
    m.def("hash_values", &hash_values, "net"_a, "rules"_a, "states"_a, "batch"_a, "rounds"_a = 1,
          "class_map"_a = nb::none(), nb::call_guard<Released>(),
          "Values all positions in batches, a number of times: (positions valued, hash of the first value of each "
          "batch). "
          "The hash is the same on every instruction set. `class_map` as in Searcher.");
    m.def(
        "isas",
        [] {
            std::vector<std::string> names;
            for (const Isa isa : available_isas()) names.emplace_back(name(isa));
            return names;
        },
        "The instruction sets that nets can run on here, slowest first; all give the same bits.");
    m.def("active_isa", [] { return std::string(name(active_isa())); });
    m.def(
        "force_isa", [](const std::string& wanted) { force_isa(isa_named(wanted)); }, "name"_a,
        "What searchers made from now on run on; ValueError if this machine cannot.");
}

}  // namespace sheshbesh
