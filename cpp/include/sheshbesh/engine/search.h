// Choosing plays: 0 to 3 plies, as gnubg counts them (0: the static value after the play).
//
// A ply is one throw and its answer; in games with chains, one element. Deeper values are averages over
// the throws, each answered by the best play the side then on roll has for itself. Inside the tree that is
// the best by static value, and it alone is looked at deeper: the time for a second is better spent on wider
// filters at the root.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "sheshbesh/engine/cache.h"
#include "sheshbesh/engine/static_evaluator.h"
#include "sheshbesh/interrupt.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh {

// Which candidates are looked at one ply deeper: the best `width` within `margin` (in points of equity of
// the utility) of the best. Where the checkers left are counted a game is about many points, and the margin is
// that many times as wide. filters[d] is applied before the search at depth d + 1.
struct Filter {
    int width = 8;
    float margin = 0.16f;
};

// Eight within .16, then four within .08, then two within .02.
std::vector<Filter> default_filters();

// Beyond this no search goes: each ply costs some hundred times the one before it.
constexpr int kDeepest = 3;

struct SearchOptions {
    int plies = 0;
    // At the root. Where plies are deeper than filters, the last one stays; without any, all are looked at.
    std::vector<Filter> filters = default_filters();
    std::size_t cache_entries = 1 << 16;      // static values remembered; 0: none. Read when a searcher is made
    const std::atomic<bool>* stop = nullptr;  // once true, searches end as soon as they can
};

// A search for one value was stopped; there is nothing shallower to return instead.
class SearchStopped : public std::exception {
public:
    const char* what() const noexcept override { return "the search was stopped"; }
};

struct Candidate {
    std::size_t index = 0;  // among the plays in the order of the generator
    Play play;
    State after;
    int plies = 0;             // how deep this one was looked at
    float equity = 0;          // for the player who made the play
    std::vector<float> probs;  // classes seen by that player, as if on roll
};

// One per thread. Values do not depend on what was searched before.
class Searcher {
public:
    Searcher(StaticEvaluator evaluator, SearchOptions options);

    StaticEvaluator& evaluator() { return evaluator_; }
    const StaticEvaluator& evaluator() const { return evaluator_; }
    const Ruleset& rules() const { return evaluator_.rules(); }
    SearchOptions& options() { return options_; }
    const SearchOptions& options() const { return options_; }
    void set_plies(int plies) { options_.plies = plies; }

    // Static values, as StaticEvaluator::evaluate gives them.
    void evaluate(std::span<const State> states, float* out);

    // All legal plays of `dice`, best first: those that were looked at deepest come first, among them by
    // equity, equal ones in the order of the generator; none if the game is over. `utility` is that of the
    // side on roll. When stopped, the plies that are complete count.
    std::vector<Candidate> rank(const State& state, const Throw& dice, const Utility& utility);

    // The same in pieces, for who cannot stop a search from another thread: `begin` gives all plays their static
    // value, each `deepen` looks at one candidate one ply deeper, and answers false once nothing is left to look at.
    // `ranked` is what is known in between, in the order of `rank`; at the end it is what `rank` returns. Nothing
    // else may be searched meanwhile.
    void begin(const State& state, const Throw& dice, Utility utility);
    bool deepen();
    std::vector<Candidate> ranked() const;

    // Only the best play: the same one as rank(...)[0], cheaper. Once it is alone in passing a filter it is
    // not looked at deeper. Throws std::invalid_argument if the game is over.
    Candidate best(const State& state, const Throw& dice, const Utility& utility);

    // The best play of several throws, of which the side on roll may choose one; the earliest of equals. All
    // are looked at equally deep: a value of fewer plies says nothing beside one of more. Throws as `best`.
    struct Chosen {
        std::size_t which = 0;  // of the throws
        Candidate candidate;
    };
    Chosen best_of_throws(const State& state, std::span<const Throw> throws, const Utility& utility);

    // The classes seen by the side on roll before it throws, looking `plies` ahead: every throw, the best
    // play of each as the filters find it. `utility` is that of the side on roll. Throws SearchStopped.
    std::vector<float> value(const State& state, const Utility& utility, int plies);

    // What the last `value` of two plies or more found on its way: the best reply to each throw, each different
    // position once, and the classes seen by its side on roll, looked at one ply less deep; one row for each. None
    // where the value was known without looking. They stand until the next search.
    struct Replies {
        std::span<const State> states;
        std::span<const float> values;
    };
    Replies replies(int plies) const;

    std::uint64_t nodes() const { return nodes_; }  // positions valued, cache hits included

private:
    // For whom plays are chosen: `utility` is that of the player with this colour.
    struct Player {
        const Utility& utility;
        bool black;

        bool on_roll(const State& state) const { return state.black_on_roll == black; }
        // The equity of a value of `state` to the side on roll in `chooser`; of two choices it takes the larger.
        float equity(const State& chooser, const State& state, const float* value) const {
            const float equity = utility.equity(value, on_roll(state));
            return on_roll(chooser) ? equity : -equity;
        }
    };

    // The plays of one throw, a run of neighbours in Level::reached, or of all doubles one may choose from.
    struct Answer {
        std::size_t root;  // which of the states at hand
        std::size_t first;
        std::size_t last;
        float weight;
    };

    // The scratch memory of one depth of the tree.
    struct Level {
        std::vector<State> reached;
        std::vector<Answer> answers;
        std::vector<float> values;
        std::vector<float> equities;   // of `reached`, to the side that chooses
        std::vector<State> different;  // of `reached`, each position once
        std::vector<float> different_values;
        std::vector<std::size_t> places;  // of `reached` in `different`
    };

    // What is known of the plays of the decision at hand, in the order of the generator.
    struct Root {
        std::vector<Play> plays;
        std::vector<State> after;
        std::vector<float> values;
        std::vector<float> equity;
        std::vector<int> plies;
        std::vector<std::size_t> order;   // best first
        int depth = 0;                    // plies that are complete
        std::size_t left = 0;             // how many of the order are looked at so deep
        float unit = 1;                   // of the filters' margins
        std::vector<std::size_t> places;  // of those looked at deeper, in the order of the generator
        std::vector<State> asked;
        std::vector<float> answers;
        // Of a ranking in pieces.
        State state;
        std::optional<Utility> utility;
        std::size_t answered = 0;
    };

    void decide(const State& state, const Throw& dice, const Utility& utility, bool only_best);
    void value_plays(const State& state, const Throw& dice, const Player& player);
    void start_deepening(const State& state, const Utility& utility);
    bool choose_deeper(bool only_best);
    void take_answers(std::size_t first, std::size_t last, const State& state, const Player& player);
    bool better(std::size_t a, std::size_t b) const;
    void sort_order(std::size_t among);
    float stake(std::size_t index, const State& state, const Utility& utility) const;
    std::size_t passing(std::size_t among, const Filter& filter, float unit) const;
    Candidate candidate(std::size_t index, const State& state) const;

    void look_ahead(std::span<const State> states, int plies, const Player& player, float* out);
    void look_deeper(Level& level, int plies, const Player& player);
    void expand(std::size_t root, const State& state, Level& level, float* out);
    void weigh(std::span<const State> roots, const Player& player, Level& level) const;
    static std::size_t best_of(const Level& level, const Answer& answer);
    static void keep_best(Level& level);
    void average(std::span<const State> roots, const Level& level, float* out) const;
    void check_stop() const {
        check_interrupt();
        if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) throw SearchStopped();
    }

    StaticEvaluator evaluator_;
    SearchOptions options_;
    Generator generator_;
    ValueCache cache_;
    std::uint64_t nodes_ = 0;

    std::size_t row_;  // floats per value
    Root root_;
    std::vector<Level> levels_;
    Repeats repeats_;
    std::vector<State> missing_;
    std::vector<std::size_t> missing_at_;
    std::vector<float> missing_values_;
};

}  // namespace sheshbesh
