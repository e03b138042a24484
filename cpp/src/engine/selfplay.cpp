#include "sheshbesh/engine/selfplay.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "games.h"
#include "sheshbesh/engine/inputs.h"
#include "sheshbesh/interrupt.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh {

namespace {

bool happens(Random& random, float chance) {
    if (chance <= 0) return false;
    if (chance >= 1) return true;
    return static_cast<float>(random.next() >> 40) * 0x1.0p-24f < chance;
}

// Where a game's samples begin. Before the first two of these a side drawn at random holds back: one time in two it
// does not make the net's play but that which leaves its checkers farthest from home, squares counted, so that its
// rear stays and its front breaks. In games with hits that makes backgames, containment and late hits, in those
// without them prisoners behind a prime.
enum class Beginning {
    start,    // the usual one
    holding,  // with kHeld checkers and two points in the quarter farthest from home; the other side's is empty
    priming,  // with a prime of kPrimed points or more in front of an enemy
    late,     // with the first checker borne off and contact left
    running,  // without contact, and with somebody not yet home
};

// The most plays before the samples begin, and the most games that may end first.
constexpr int kLongestBeginning = 150;
constexpr int kMostTries = 8;
constexpr int kShortestHolding = 12;
constexpr int kHeld = 4;
constexpr int kPrimed = 5;

// The sum over the checkers of the squares of what they have to go.
int spread(const Counts& counts) {
    int sum = 0;
    for (int point = 1; point <= 24; ++point) sum += count(counts, point) * point * point;
    return sum + count(counts, kBar) * 25 * 25 + count(counts, kHand) * 25 * 25;
}

// Checkers in the quarter where a side that moves right across the board has the farthest to go, or not yet there.
int far_back(const Counts& counts) {
    int held = count(counts, kBar) + count(counts, kHand);
    for (int point = 19; point <= 24; ++point) held += count(counts, point);
    return held;
}

bool two_points_back(const Counts& counts) {
    int points = 0;
    for (int point = 19; point <= 24; ++point) points += count(counts, point) > 1 ? 1 : 0;
    return points > 1;
}

bool all_home(const Counts& counts) { return (occupied(counts) & range(7, kBar)) == 0; }

// The candidates of several games, valued together.
class Batch {
public:
    explicit Batch(StaticEvaluator& evaluator)
        : evaluator_(evaluator), money_(evaluator.classes(), evaluator.classes().money()) {}

    void clear() { states_.clear(); }
    std::size_t size() const { return states_.size(); }
    void add(const State& state) { states_.push_back(state); }
    const State& state(std::size_t index) const { return states_[index]; }

    void evaluate() {
        const auto classes = static_cast<std::size_t>(evaluator_.classes().size());
        values_.resize(states_.size() * classes);
        evaluator_.evaluate(states_, values_.data());
    }
    const float* values(std::size_t index) const {
        return values_.data() + index * static_cast<std::size_t>(evaluator_.classes().size());
    }

    // One of the candidates first .. last - 1 whose equity is nearly that of the best.
    std::size_t near(const State& before, std::size_t best, std::size_t first, std::size_t last, float margin,
                     Random& chance) {
        const auto own = [&](std::size_t i) { return states_[i].black_on_roll == before.black_on_roll; };
        const float stake = money_.stake(values(best), own(best));
        const float least = money_.equity(values(best), own(best)) - margin * std::max(stake, 1.0f);
        near_.clear();
        for (std::size_t i = first; i < last; ++i) {
            if (money_.equity(values(i), own(i)) >= least) near_.push_back(i);
        }
        return near_[chance.below(static_cast<std::uint32_t>(near_.size()))];
    }

    // The one of the candidates first .. last - 1 that leaves the checkers of the side on roll in `before`
    // farthest from home, squares counted; the earliest of equals.
    std::size_t farthest(const State& before, std::size_t first, std::size_t last) const {
        const auto left = [&](std::size_t i) {
            const bool own = states_[i].black_on_roll == before.black_on_roll;
            return spread(own ? states_[i].mine : states_[i].theirs);
        };
        std::size_t found = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            if (left(i) > left(found)) found = i;
        }
        return found;
    }

    // The best of the candidates first .. last - 1 for the side on roll in `before`; the earliest of equals.
    std::size_t best(const State& before, std::size_t first, std::size_t last) const {
        std::size_t found = first;
        float highest = 0;
        for (std::size_t i = first; i < last; ++i) {
            const float equity = money_.equity(values(i), states_[i].black_on_roll == before.black_on_roll);
            if (i == first || equity > highest) {
                found = i;
                highest = equity;
            }
        }
        return found;
    }

private:
    StaticEvaluator& evaluator_;
    Utility money_;
    std::vector<State> states_;
    std::vector<float> values_;
    std::vector<std::size_t> near_;
};

// A position of a game and what was seen after it was played.
struct Snapshot {
    std::array<std::uint8_t, kPositionSlots> slots;
    std::array<float, kMaxClasses> next;  // the value of the best play, seen by the side on roll here
    std::array<float, kMaxClasses> own;   // its own value: `next`, or the mean over all throws
    bool black = false;
    bool cut = false;  // another play than the best was made
    bool kept = true;
    bool open = true;  // looked at as a position of its own; else the returns before it end here
};

struct Seat {
    std::uint64_t number = 0;
    Random chance{0};
    Random keeping{0};
    State state;
    int random_plies = 0;
    bool active = false;
    std::vector<Snapshot> snapshots;
    std::vector<std::uint8_t> inner_slots;  // of the replies that are learned besides
    std::vector<float> inner_targets;
    std::size_t first = 0;  // its candidates in the batch
    std::size_t last = 0;
    Beginning beginning = Beginning::start;
    int unwatched = 0;  // plays made so far before the samples begin
    int tries = 0;      // games that ended before they were where they should be
    bool black_holds = false;
};

class SelfPlay {
public:
    SelfPlay(Searcher& searcher, const SelfPlayOptions& options)
        : searcher_(searcher),
          evaluator_(searcher.evaluator()),
          options_(options),
          rules_(searcher.rules()),
          money_(evaluator_.classes(), evaluator_.classes().money()),
          extractor_(rules_),
          batch_(evaluator_) {
        samples_.results.assign(static_cast<std::size_t>(evaluator_.classes().size()), 0);
    }

    Samples run() {
        std::vector<Seat> seats(kSeats);
        for (Seat& seat : seats) sit_down(seat);
        while (std::any_of(seats.begin(), seats.end(), [](const Seat& seat) { return seat.active; })) {
            check_interrupt();
            batch_.clear();
            for (Seat& seat : seats) {
                if (seat.active) gather(seat);
            }
            batch_.evaluate();
            for (Seat& seat : seats) {
                if (!seat.active) continue;
                if (seat.beginning == Beginning::start) {
                    play(seat);
                } else {
                    begin(seat);
                }
            }
            hand_over();
        }
        return std::move(samples_);
    }

private:
    void sit_down(Seat& seat) {
        seat.active = started_ < static_cast<std::uint64_t>(std::max(options_.games, 0));
        if (!seat.active) return;
        seat.number = started_++;
        seat.chance = stream(options_.seed, seat.number, 0);
        seat.keeping = stream(options_.seed, seat.number, 1);
        const bool black = (seat.number & 1) != 0;
        seat.state = start(rules_, black);
        seat.random_plies =
            options_.random_plies > 0
                ? static_cast<int>(seat.chance.below(static_cast<std::uint32_t>(options_.random_plies) + 1))
                : 0;
        seat.snapshots.clear();
        seat.inner_slots.clear();
        seat.inner_targets.clear();
        choose_beginning(seat);
    }

    void choose_beginning(Seat& seat) {
        Random chance = stream(options_.seed, seat.number, 2);
        const float drawn = static_cast<float>(chance.next() >> 40) * 0x1.0p-24f;
        seat.unwatched = seat.tries = 0;
        seat.black_holds = chance.below(2) == 1;
        const std::array<std::pair<Beginning, float>, 4> shares{{{Beginning::holding, options_.holding},
                                                                 {Beginning::late, options_.late},
                                                                 {Beginning::running, options_.running},
                                                                 {Beginning::priming, options_.priming}}};
        seat.beginning = Beginning::start;
        float below = 0;
        for (const auto& [beginning, share] : shares) {
            below += share;
            if (drawn >= below) continue;
            seat.beginning = beginning;
            break;
        }
        if (seat.beginning != Beginning::start) seat.random_plies = 0;
    }

    // A play before the samples begin. If the game ends first, another is begun.
    void begin(Seat& seat) {
        if (seat.first == seat.last) {
            finish(seat);
            return;
        }
        std::size_t chosen = batch_.best(seat.state, seat.first, seat.last);
        const bool holds = seat.beginning != Beginning::running && seat.state.black_on_roll == seat.black_holds;
        if (holds && seat.chance.below(2) == 1) {
            chosen = batch_.farthest(seat.state, seat.first, seat.last);
        }
        const State next = batch_.state(chosen);
        if (result(rules_, next).kind != Kind::none) {
            seat.state = start(rules_, (seat.number & 1) != 0);
            seat.unwatched = 0;
            if (++seat.tries == kMostTries) seat.beginning = Beginning::start;
            return;
        }
        seat.state = next;
        ++seat.unwatched;
        if (seat.unwatched >= kLongestBeginning || is_there(seat)) seat.beginning = Beginning::start;
    }

    bool is_there(const Seat& seat) const {
        const State& state = seat.state;
        if (seat.beginning == Beginning::holding) {
            if (seat.unwatched < kShortestHolding) return false;
            const bool mine = state.black_on_roll == seat.black_holds;
            const Counts& holding = mine ? state.mine : state.theirs;
            return far_back(holding) >= kHeld && two_points_back(holding) &&
                   far_back(mine ? state.theirs : state.mine) == 0;
        }
        Slots slots;
        extractor_.extract(state, slots);
        if (seat.beginning == Beginning::priming) {
            return std::max(blockade(slots, 0).length, blockade(slots, 1).length) >= kPrimed;
        }
        if (seat.beginning == Beginning::late) {
            return has_contact(slots) && (count(state.mine, kOff) > 0 || count(state.theirs, kOff) > 0);
        }
        return !has_contact(slots) && !(all_home(state.mine) && all_home(state.theirs));
    }

    void gather(Seat& seat) {
        const Thrown thrown = next_throw(rules_, seat.state, seat.chance);
        seat.first = batch_.size();
        for (const Throw& dice : thrown.choices()) {
            for (const Play& play : generator_.plays(rules_, seat.state, dice)) {
                batch_.add(position_after(rules_, seat.state, dice, play));
            }
        }
        seat.last = batch_.size();
    }

    void play(Seat& seat) {
        if (seat.first == seat.last) {  // only a start position can be over already
            finish(seat);
            return;
        }
        ++samples_.plays;
        const std::size_t best = batch_.best(seat.state, seat.first, seat.last);
        std::size_t chosen = best;
        const bool opening = static_cast<int>(seat.snapshots.size()) < seat.random_plies;
        if (opening || happens(seat.chance, options_.explore)) {
            chosen = seat.first + seat.chance.below(static_cast<std::uint32_t>(seat.last - seat.first));
        } else if (happens(seat.chance, options_.near)) {
            chosen = batch_.near(seat.state, best, seat.first, seat.last, options_.near_margin, seat.chance);
        }
        Snapshot& snapshot = seat.snapshots.emplace_back();
        Slots slots;
        extractor_.extract(seat.state, slots);
        std::copy_n(slots.begin(), kPositionSlots, snapshot.slots.begin());
        snapshot.black = seat.state.black_on_roll;
        snapshot.cut = chosen != best;
        keep_or_not(seat, slots, snapshot);
        seen_by_mover(batch_.values(best), batch_.state(best), seat.state, snapshot.next.data());
        if (options_.plies > 0 && snapshot.open && (snapshot.kept || options_.lambda > 0)) {
            const std::vector<float> mean = searcher_.value(seat.state, money_, options_.plies);
            std::copy(mean.begin(), mean.end(), snapshot.own.begin());
            if (options_.inner > 0 && snapshot.kept) keep_replies(seat);
        } else {
            snapshot.own = snapshot.next;
        }
        const State& next = batch_.state(chosen);
        const GameResult outcome = result(rules_, next);
        const bool over = outcome.kind != Kind::none;
        if (over || static_cast<int>(seat.snapshots.size()) >= options_.longest_game) {
            if (over) count_result(outcome, next);
            finish(seat);
        } else {
            seat.state = next;
        }
    }

    void keep_or_not(Seat& seat, const Slots& slots, Snapshot& snapshot) {
        snapshot.kept = happens(seat.keeping, options_.keep);
        const float share = share_of(seat.state, slots);
        snapshot.open = share >= 1 || happens(seat.keeping, share);
        snapshot.kept = snapshot.kept && snapshot.open;
    }

    // The share of the positions like this one that is looked at.
    float share_of(const State& state, const Slots& slots) {
        if (options_.known < 1 && evaluator_.exact(state, exact_.data())) return options_.known;
        if (options_.races < 1 && !has_contact(slots)) return options_.races;
        return 1.0f;
    }

    // What the look-ahead from the position at hand found on its way.
    void keep_replies(Seat& seat) {
        const Searcher::Replies found = searcher_.replies(options_.plies);
        const auto classes = static_cast<std::size_t>(evaluator_.classes().size());
        Slots slots;
        for (std::size_t i = 0; i < found.states.size(); ++i) {
            const State& state = found.states[i];
            if (!happens(seat.keeping, options_.inner) || result(rules_, state).kind != Kind::none) continue;
            extractor_.extract(state, slots);
            if (!happens(seat.keeping, share_of(state, slots))) continue;
            seat.inner_slots.insert(seat.inner_slots.end(), slots.begin(), slots.begin() + kPositionSlots);
            const auto row = found.values.subspan(i * classes, classes);
            seat.inner_targets.insert(seat.inner_targets.end(), row.begin(), row.end());
        }
    }

    void seen_by_mover(const float* values, const State& after, const State& before, float* out) const {
        const ClassTable& classes = evaluator_.classes();
        if (after.black_on_roll != before.black_on_roll) {
            classes.flip(values, out);
        } else {
            std::copy_n(values, classes.size(), out);
        }
    }

    void count_result(const GameResult& outcome, const State& last) {
        const int index = evaluator_.classes().index(outcome);
        ++samples_.results[static_cast<std::size_t>(last.black_on_roll ? evaluator_.classes().flipped(index) : index)];
    }

    // The returns of a finished game, from its end to its beginning. The last snapshot's `next` is the result
    // itself, or the value of the position where the game was given up.
    //
    // What a return adds to a snapshot's own value is how the rest went against `next`, its value as it began.
    // Where `own` is the mean of `next` over all throws, the luck of the throw that came thus cancels, and
    // with lambda 1 the return is the game's result with all its luck taken out: its mean is what the net's
    // plays win and not what it believes of them. Believing alone, a net that chooses what it overrates
    // (gammons, above all) goes on overrating it.
    void finish(Seat& seat) {
        const auto classes = static_cast<std::size_t>(evaluator_.classes().size());
        const std::size_t length = seat.snapshots.size();
        std::vector<float> returns(length * classes);
        std::array<float, kMaxClasses> later{};
        for (std::size_t i = length; i-- > 0;) {
            const Snapshot& snapshot = seat.snapshots[i];
            float* target = returns.data() + i * classes;
            std::copy_n(snapshot.own.begin(), classes, target);
            if (i + 1 == length || snapshot.cut || !snapshot.open || !seat.snapshots[i + 1].open) continue;
            const float* following = target + classes;
            if (seat.snapshots[i + 1].black != snapshot.black) {
                evaluator_.classes().flip(following, later.data());
            } else {
                std::copy_n(following, classes, later.begin());
            }
            for (std::size_t k = 0; k < classes; ++k) target[k] += options_.lambda * (later[k] - snapshot.next[k]);
        }
        Finished done{seat.number, {}, {}};
        for (std::size_t i = 0; i < length; ++i) {
            if (!seat.snapshots[i].kept) continue;
            const auto& slots = seat.snapshots[i].slots;
            done.slots.insert(done.slots.end(), slots.begin(), slots.end());
            const auto from = returns.begin() + static_cast<std::ptrdiff_t>(i * classes);
            done.targets.insert(done.targets.end(), from, from + static_cast<std::ptrdiff_t>(classes));
        }
        done.slots.insert(done.slots.end(), seat.inner_slots.begin(), seat.inner_slots.end());
        done.targets.insert(done.targets.end(), seat.inner_targets.begin(), seat.inner_targets.end());
        finished_.push_back(std::move(done));
        ++samples_.games;
        sit_down(seat);
    }

    // Games end in any order but are handed over by their numbers, whatever the number of seats.
    void hand_over() {
        for (auto next = finished_.begin(); next != finished_.end();) {
            next = std::find_if(finished_.begin(), finished_.end(),
                                [this](const Finished& game) { return game.number == handed_over_; });
            if (next == finished_.end()) break;
            samples_.slots.insert(samples_.slots.end(), next->slots.begin(), next->slots.end());
            samples_.targets.insert(samples_.targets.end(), next->targets.begin(), next->targets.end());
            finished_.erase(next);
            ++handed_over_;
            next = finished_.begin();
        }
    }

    struct Finished {
        std::uint64_t number = 0;
        std::vector<std::uint8_t> slots;
        std::vector<float> targets;
    };

    Searcher& searcher_;
    StaticEvaluator& evaluator_;
    const SelfPlayOptions& options_;
    const Ruleset rules_;
    const Utility money_;
    Extractor extractor_;
    Generator generator_;
    Batch batch_;
    Samples samples_;
    std::vector<Finished> finished_;
    std::array<float, kMaxClasses> exact_{};
    std::uint64_t started_ = 0;
    std::uint64_t handed_over_ = 0;
};

}  // namespace

Samples self_play(Searcher& searcher, const SelfPlayOptions& options) { return SelfPlay(searcher, options).run(); }

}  // namespace sheshbesh
