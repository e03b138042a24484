#include "sheshbesh/engine/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sheshbesh {

namespace {

// The number of positions of the tree that are collected before the net is asked: enough to keep it busy, few enough
// to stay in the cache of a core.
constexpr std::size_t kBatch = 2048;

}  // namespace

std::vector<Filter> default_filters() { return {{8, 0.16f}, {4, 0.08f}, {2, 0.02f}}; }

Searcher::Searcher(StaticEvaluator evaluator, SearchOptions options)
    : evaluator_(std::move(evaluator)),
      options_(std::move(options)),
      cache_(options_.cache_entries, evaluator_.classes().size()),
      row_(static_cast<std::size_t>(evaluator_.classes().size())) {}

void Searcher::evaluate(std::span<const State> states, float* out) {
    nodes_ += states.size();
    if (!cache_.enabled()) {
        evaluator_.evaluate(states, out);
        return;
    }
    const std::span<const std::uint32_t> firsts = repeats_.firsts(states);
    const std::span<const std::uint64_t> hashes = repeats_.hashes();
    for (const std::uint64_t hash : hashes) cache_.prefetch(hash);
    missing_.clear();
    missing_at_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (firsts[i] != i) continue;
        if (const float* known = cache_.find(hashes[i], states[i]); known != nullptr) {
            std::copy_n(known, row_, out + i * row_);
        } else {
            missing_.push_back(states[i]);
            missing_at_.push_back(i);
        }
    }
    missing_values_.resize(missing_.size() * row_);
    evaluator_.evaluate(missing_, missing_values_.data());
    for (std::size_t i = 0; i < missing_.size(); ++i) {
        const float* value = missing_values_.data() + i * row_;
        std::copy_n(value, row_, out + missing_at_[i] * row_);
        cache_.store(hashes[missing_at_[i]], missing_[i], value);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (firsts[i] != i) std::copy_n(out + firsts[i] * row_, row_, out + i * row_);
    }
}

std::vector<Candidate> Searcher::rank(const State& state, const Throw& dice, const Utility& utility) {
    decide(state, dice, utility, false);
    std::vector<Candidate> ranked;
    ranked.reserve(root_.order.size());
    for (const std::size_t index : root_.order) ranked.push_back(candidate(index, state));
    return ranked;
}

Candidate Searcher::best(const State& state, const Throw& dice, const Utility& utility) {
    decide(state, dice, utility, true);
    if (root_.order.empty()) throw std::invalid_argument("the game is over: there is no play");
    return candidate(root_.order.front(), state);
}

Searcher::Chosen Searcher::best_of_throws(const State& state, std::span<const Throw> throws, const Utility& utility) {
    if (throws.size() == 1) return {0, best(state, throws.front(), utility)};
    Chosen chosen;
    for (std::size_t which = 0; which < throws.size(); ++which) {
        decide(state, throws[which], utility, false);
        if (root_.order.empty()) continue;
        const Candidate next = candidate(root_.order.front(), state);
        if (chosen.candidate.probs.empty() || next.equity > chosen.candidate.equity) chosen = {which, next};
    }
    if (chosen.candidate.probs.empty()) throw std::invalid_argument("the game is over: there is no play");
    return chosen;
}

std::vector<float> Searcher::value(const State& state, const Utility& utility, int plies) {
    std::vector<float> value(row_);
    look_ahead({&state, 1}, plies, {utility, state.black_on_roll}, value.data());
    return value;
}

Searcher::Replies Searcher::replies(int plies) const {
    if (plies < 2 || levels_.size() < static_cast<std::size_t>(plies)) return {};
    const Level& level = levels_[static_cast<std::size_t>(plies) - 1];
    return {level.different, level.different_values};
}

// Fills `root_`. With `only_best` no more than the first of its order is sure.
void Searcher::decide(const State& state, const Throw& dice, const Utility& utility, bool only_best) {
    Root& root = root_;
    const Player player{utility, state.black_on_roll};
    value_plays(state, dice, player);
    if (only_best && options_.plies == 0) {
        if (!root.order.empty()) {
            std::swap(root.order[0], *std::ranges::min_element(
                                         root.order, [this](std::size_t a, std::size_t b) { return better(a, b); }));
        }
        return;
    }
    start_deepening(state, utility);
    while (choose_deeper(only_best)) {
        try {
            look_ahead(root.asked, root.depth + 1, player, root.answers.data());
        } catch (const SearchStopped&) {
            return;
        }
        take_answers(0, root.asked.size(), state, player);
        ++root.depth;
    }
}

void Searcher::begin(const State& state, const Throw& dice, Utility utility) {
    root_.state = state;
    root_.utility = std::move(utility);
    value_plays(state, dice, {*root_.utility, state.black_on_roll});
    start_deepening(state, *root_.utility);
    root_.asked.clear();
    root_.answered = 0;
}

bool Searcher::deepen() {
    Root& root = root_;
    if (!root.utility) throw std::invalid_argument("no ranking was begun");
    if (root.answered == root.asked.size()) {
        if (!choose_deeper(false)) return false;
        root.answered = 0;
    }
    const Player player{*root.utility, root.state.black_on_roll};
    const std::size_t next = root.answered;
    look_ahead({&root.asked[next], 1}, root.depth + 1, player, &root.answers[next * row_]);
    take_answers(next, next + 1, root.state, player);
    if (++root.answered == root.asked.size()) ++root.depth;
    return true;
}

std::vector<Candidate> Searcher::ranked() const {
    if (!root_.utility) throw std::invalid_argument("no ranking was begun");
    std::vector<Candidate> ranked;
    ranked.reserve(root_.order.size());
    for (const std::size_t index : root_.order) ranked.push_back(candidate(index, root_.state));
    return ranked;
}

// The plays with their static values, in no order.
void Searcher::value_plays(const State& state, const Throw& dice, const Player& player) {
    Root& root = root_;
    root.plays = generator_.plays(rules(), state, dice);
    const std::size_t size = root.plays.size();
    root.after.clear();
    for (const Play& play : root.plays) root.after.push_back(position_after(rules(), state, dice, play));
    root.values.resize(size * row_);
    root.equity.resize(size);
    root.plies.assign(size, 0);
    root.order.resize(size);
    std::iota(root.order.begin(), root.order.end(), std::size_t{0});
    evaluate(root.after, root.values.data());
    for (std::size_t i = 0; i < size; ++i) {
        root.equity[i] = player.equity(state, root.after[i], &root.values[i * row_]);
    }
}

void Searcher::start_deepening(const State& state, const Utility& utility) {
    root_.depth = 0;
    root_.left = root_.order.size();
    sort_order(root_.left);
    root_.unit = root_.left > 0 ? stake(root_.order[0], state, utility) : 1.0f;
}

// Sets what is to be looked at one ply deeper; false if nothing is.
bool Searcher::choose_deeper(bool only_best) {
    Root& root = root_;
    if (root.depth >= options_.plies || root.left == 0) return false;
    if (!options_.filters.empty()) {
        const auto last = options_.filters.size() - 1;
        root.left =
            passing(root.left, options_.filters[std::min(static_cast<std::size_t>(root.depth), last)], root.unit);
    }
    if (only_best && root.left == 1) return false;
    root.places.assign(root.order.begin(), root.order.begin() + static_cast<std::ptrdiff_t>(root.left));
    root.asked.clear();
    for (const std::size_t place : root.places) root.asked.push_back(root.after[place]);
    root.answers.resize(root.left * row_);
    return true;
}

// Gives the candidates asked from `first` to `last` their deeper values, and their places in the order.
void Searcher::take_answers(std::size_t first, std::size_t last, const State& state, const Player& player) {
    Root& root = root_;
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t index = root.places[i];
        std::copy_n(&root.answers[i * row_], row_, &root.values[index * row_]);
        root.equity[index] = player.equity(state, root.after[index], &root.values[index * row_]);
        root.plies[index] = root.depth + 1;
    }
    sort_order(root.left);
}

bool Searcher::better(std::size_t a, std::size_t b) const {
    if (root_.plies[a] != root_.plies[b]) return root_.plies[a] > root_.plies[b];
    return root_.equity[a] != root_.equity[b] ? root_.equity[a] > root_.equity[b] : a < b;
}

void Searcher::sort_order(std::size_t among) {
    const auto end = root_.order.begin() + static_cast<std::ptrdiff_t>(among);
    // Small code, as in Generator::take_from_graph.
    std::partial_sort(root_.order.begin(), end, end, [this](std::size_t a, std::size_t b) { return better(a, b); });
}

// What the game is about after a candidate: 1 or, where the checkers left are counted, the equity of its result
// on average, by either side.
float Searcher::stake(std::size_t index, const State& state, const Utility& utility) const {
    if (rules().score_left == ScoreLeft::off) return 1.0f;
    const bool own = root_.after[index].black_on_roll == state.black_on_roll;
    return std::max(utility.stake(&root_.values[index * row_], own), 1.0f);
}

// How many of the first `among` of the order, all looked at equally deep, pass a filter.
std::size_t Searcher::passing(std::size_t among, const Filter& filter, float unit) const {
    const float least = root_.equity[root_.order[0]] - filter.margin * unit;
    std::size_t count = 1;
    const auto width = static_cast<std::size_t>(std::max(filter.width, 1));
    while (count < std::min(among, width) && root_.equity[root_.order[count]] >= least) ++count;
    return count;
}

Candidate Searcher::candidate(std::size_t index, const State& state) const {
    Candidate found;
    found.index = index;
    found.play = root_.plays[index];
    found.after = root_.after[index];
    found.plies = root_.plies[index];
    found.equity = root_.equity[index];
    found.probs.resize(row_);
    const float* value = &root_.values[index * row_];
    if (found.after.black_on_roll == state.black_on_roll) {
        std::copy_n(value, row_, found.probs.data());
    } else {
        evaluator_.classes().flip(value, found.probs.data());
    }
    return found;
}

// The values of positions some plies ahead, one row for each. Level by level and not one by one, so that
// the net is asked for many positions at once.
void Searcher::look_ahead(std::span<const State> states, int plies, const Player& player, float* out) {
    if (plies <= 0) {
        evaluate(states, out);
        return;
    }
    if (levels_.size() < static_cast<std::size_t>(plies)) levels_.resize(static_cast<std::size_t>(plies));
    for (std::size_t from = 0; from < states.size();) {
        check_stop();
        Level& level = levels_[static_cast<std::size_t>(plies) - 1];
        level.reached.clear();
        level.answers.clear();
        std::size_t to = from;
        while (to < states.size() && level.reached.size() < kBatch) {
            expand(to - from, states[to], level, out + to * row_);
            ++to;
        }
        const auto roots = states.subspan(from, to - from);
        level.values.resize(level.reached.size() * row_);
        evaluate(level.reached, level.values.data());
        weigh(roots, player, level);
        if (plies > 1) {
            keep_best(level);
            look_deeper(level, plies - 1, player);
        }
        average(roots, level, out + from * row_);
        from = to;
    }
}

// The values of what is left of a level, each different position looked at once.
void Searcher::look_deeper(Level& level, int plies, const Player& player) {
    const std::span<const std::uint32_t> firsts = repeats_.firsts(level.reached);
    level.different.clear();
    level.places.clear();
    for (std::size_t i = 0; i < level.reached.size(); ++i) {
        const bool first = firsts[i] == i;
        level.places.push_back(first ? level.different.size() : level.places[firsts[i]]);
        if (first) level.different.push_back(level.reached[i]);
    }
    level.different_values.resize(level.different.size() * row_);
    look_ahead(level.different, plies, player, level.different_values.data());
    for (std::size_t i = 0; i < level.reached.size(); ++i) {
        std::copy_n(&level.different_values[level.places[i] * row_], row_, &level.values[i * row_]);
    }
}

// Adds what the side on roll can reach with each throw; nothing where the value is known without looking.
void Searcher::expand(std::size_t root, const State& state, Level& level, float* out) {
    if (evaluator_.exact(state, out)) return;
    std::fill_n(out, row_, 0.0f);
    bool open = false;  // whether the next plays join the last answer
    for (const Chance& chance : chances(rules(), state)) {
        if (!open) level.answers.push_back({root, level.reached.size(), 0, chance.weight});
        for (const Play& play : generator_.plays(rules(), state, chance.dice)) {
            level.reached.push_back(position_after(rules(), state, chance.dice, play));
        }
        level.answers.back().last = level.reached.size();
        open = chance.chosen;
    }
}

// The equity of `reached` for the side that chooses, by `values`.
void Searcher::weigh(std::span<const State> roots, const Player& player, Level& level) const {
    level.equities.resize(level.reached.size());
    for (const Answer& answer : level.answers) {
        for (std::size_t i = answer.first; i < answer.last; ++i) {
            level.equities[i] = player.equity(roots[answer.root], level.reached[i], &level.values[i * row_]);
        }
    }
}

// Where the best play of an answer stands, by `equities`; of equal ones the first.
std::size_t Searcher::best_of(const Level& level, const Answer& answer) {
    if (answer.last - answer.first == 1) return answer.first;
    const auto from = level.equities.begin() + static_cast<std::ptrdiff_t>(answer.first);
    const auto to = level.equities.begin() + static_cast<std::ptrdiff_t>(answer.last);
    return static_cast<std::size_t>(std::max_element(from, to) - level.equities.begin());
}

// Leaves the best play of each answer; `values` and `equities` no longer belong to them.
void Searcher::keep_best(Level& level) {
    std::size_t kept = 0;
    for (Answer& answer : level.answers) {
        level.reached[kept] = level.reached[best_of(level, answer)];
        answer.first = kept;
        answer.last = ++kept;
    }
    level.reached.resize(kept);
}

// Adds up what comes of each answer's best play, by `equities`.
void Searcher::average(std::span<const State> roots, const Level& level, float* out) const {
    const ClassTable& classes = evaluator_.classes();
    for (const Answer& answer : level.answers) {
        const std::size_t best = best_of(level, answer);
        const bool same_side = level.reached[best].black_on_roll == roots[answer.root].black_on_roll;
        const float* value = &level.values[best * row_];
        float* sum = out + answer.root * row_;
        for (int i = 0; i < classes.size(); ++i) {
            sum[same_side ? i : classes.flipped(i)] += answer.weight * value[i];
        }
    }
}

}  // namespace sheshbesh
