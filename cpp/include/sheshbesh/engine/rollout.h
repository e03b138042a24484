// Rollouts: a position is played out many times, and the results are averaged.
//
// Trial number n is the same game on every thread and in every run: its dice follow from the seed and n alone. The
// first throws of 36 neighbouring trials are the 36 throws, the first two of 1296 are all pairs of throws;
// later ones come from a counter-based generator.
//
// Luck is taken out of each trial: at every throw the value of what was thrown, less its mean over all
// throws, both by a static static evaluator. That mean is exact, so the average of the trials stays what it is, and it
// is taken out of each class of results for itself.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sheshbesh/engine/cubeful_utility.h"
#include "sheshbesh/engine/move_filter.h"
#include "sheshbesh/engine/search.h"

namespace sheshbesh {

enum class Luck : std::uint8_t {
    none,
    full,      // every play of every throw is valued by the static evaluator
    filtered,  // a filter, trained on some games from the same position, picks a few plays of each throw for the static
               // evaluator
};

struct RolloutOptions {
    std::uint64_t seed = 0;
    int truncate = 0;  // give the static value after this number of throws; 0: play to the end
    Luck luck = Luck::full;
    int filter_to = 2;        // plays of each throw that that pass the filter
    int longest_game = 1000;  // plays; a game beyond ends with its static value
    // Whether the side on roll in the position rolled out may turn the cube before its first throw.
    bool first_double = false;
};

// One way the pair of dice can fall: 1 <= low <= high <= 6.
struct Pips {
    int high = 0;
    int low = 0;

    bool operator==(const Pips&) const = default;
};

// What is thrown in a trial; `number` counts its throws from 0.
Pips trial_dice(std::uint64_t seed, std::uint64_t trial, int number);

// One per thread. What a trial gives depends on nothing but its number.
class Roller {
public:
    // Plays are chosen by the searcher, to the depth that its options give, for the best of `utility`: the
    // equity of each class for the side on roll in the position rolled out. With a cube they are chosen for the
    // best of its static equity, at 0 plies; more are refused by std::invalid_argument. `preference` is what
    // each class then adds to that equity where plays are compared, and nowhere else.
    Roller(Searcher searcher, Utility utility, const RolloutOptions& options, std::optional<CubefulUtility> cube = {},
           std::optional<Utility> preference = {});

    const ClassTable& classes() const { return classes_; }
    // Numbers of a trial: each class as the side on roll in `start` sees it and, with a cube, the equity.
    std::size_t row() const { return row_ + (cube_ ? 1 : 0); }

    // Plays trials first, first + 1, ... and returns their rows. All are played side by side, so that the net
    // is asked for many positions at once. Throws SearchStopped when the searcher's `stop` is set.
    std::vector<double> run(const State& start, CubePlace place, std::uint64_t first, int count);

private:
    // The best play of a throw.
    struct Reply {
        bool known = false;
        State after;
        std::vector<float> value;  // of `after`, seen by its side on roll
    };

    // A position in which a throw is played, under one place of the cube.
    struct Turn {
        State state;
        CubePlace place;
        std::vector<Chance> chances;
        std::vector<Reply> replies;  // one for each of `chances`, or a single one where there is no throw
        bool luck_asked = false;
        bool luck_known = false;
        // What is reached with each throw, by class as I see it and, with a cube, as equity; and the means.
        std::vector<float> luck;
        std::vector<double> luck_mean;
        std::vector<double> luck_equity;
        double luck_equity_mean = 0;
    };

    struct Trial {
        std::uint64_t number = 0;
        bool active = false;
        State state;
        std::vector<float> value;  // of `state`, seen by its side on roll
        bool settled = false;      // whether that is all there is to know
        CubePlace place;
        bool may_turn = false;  // a turn begins, and the side on roll may turn the cube
        int throws = 0;
        int plays = 0;
        std::vector<double> luck;  // gathered so far, as I see it
        double luck_equity = 0;
        // Of the throw at hand.
        Turn* turn = nullptr;
        std::size_t reply = 0;
        bool measured = false;
    };

    // What plays are valued for: to measure luck, to choose the reply, or both.
    struct Purpose {
        bool luck = false;
        bool reply = false;
    };

    // The plays of one throw: a run of `members`.
    struct Ask {
        Turn* turn;
        std::size_t reply;
        Purpose purpose;
        std::size_t first;
        std::size_t last;
    };

    // Positions to be valued, each once per turn.
    struct Batch {
        std::vector<State> states;
        std::vector<Turn*> turns;  // which each of them comes from
        std::vector<float> values;
        std::vector<double> equities;  // to me
        std::vector<double> choices;   // equities with the preference, where there is one
        std::vector<Ask> asks;
        std::vector<std::size_t> members;  // numbers of `states`

        void clear() {
            states.clear();
            turns.clear();
            asks.clear();
            members.clear();
        }
    };

    struct Key {
        State state;
        CubePlace place;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };

    void begin(Trial& trial, const State& start, CubePlace place);
    bool turn_cube(Trial& trial, double* out);
    void choose_dice(Trial& trial);
    Turn& turn_for(const Trial& trial);
    void gather();
    void add(Batch& batch, Turn& turn, std::size_t from, std::size_t to, Purpose purpose);
    void value(Batch& batch, StaticEvaluator& evaluator);
    double equity_to_me(const Turn& turn, const State& after, const float* value) const;
    double holding(const CubefulUtility& cube, const State& state, const float* value, CubePlace place) const;
    CubefulUtility::Decision decide(const CubefulUtility& cube, const State& state, const float* value,
                                    CubePlace place) const;
    bool settle_value(Trial& trial) const;
    // What plays are compared by.
    const std::vector<double>& choices(const Batch& batch) const {
        return preference_ ? batch.choices : batch.equities;
    }
    std::size_t best(const Batch& batch, const Ask& ask) const;
    void settle(const Batch& batch);
    void play(std::vector<double>& rows, std::uint64_t first);
    void fit_filter(const Trial& model);
    void add_sample(const Batch& batch, const Ask& ask);
    void filter_plays(Turn& turn);
    void finish_luck(Turn& turn) const;
    void search(Turn& turn, std::size_t reply);
    void advance(Trial& trial, double* out);
    void finish_by_value(const Trial& trial, double* out);
    void finish(const Trial& trial, double equity, double* out) const;

    // "I" am the side on roll in the position that is rolled out.
    bool mine(const State& state) const { return state.black_on_roll == black_; }

    Searcher searcher_;
    ClassTable classes_;
    Utility utility_;
    Utility their_utility_;
    RolloutOptions options_;
    std::optional<CubefulUtility> cube_;
    std::optional<Utility> preference_;
    std::size_t row_;
    Generator generator_;

    bool black_ = false;  // my colour
    State start_;
    CubePlace start_place_;
    std::vector<Trial> trials_;
    std::vector<std::unique_ptr<Turn>> pool_;
    std::size_t used_ = 0;                                           // of the pool, in this step
    std::unordered_map<Key, std::unique_ptr<Turn>, KeyHash> early_;  // those of the first two throws
    std::vector<Turn*> asked_luck_;
    std::vector<std::pair<Turn*, std::size_t>> asked_reply_;
    Batch batch_;
    std::unique_ptr<MoveFilter> filter_;
    bool sampling_ = false;
    std::vector<State> sample_;
    std::vector<double> sample_equities_;
    std::vector<std::pair<float, std::size_t>> scores_;
    std::vector<std::uint64_t> table_;  // epoch << 32 | index into the states of a batch
    std::uint64_t epoch_ = 0;
};

}  // namespace sheshbesh
