#include "sheshbesh/engine/rollout.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sheshbesh/interrupt.h"
#include "sheshbesh/random.h"

namespace sheshbesh {

namespace {

constexpr int kThrows = 36;
constexpr int kEarlyThrows = 2;  // whose turns many trials share
// The number of positions that are handed to a static evaluator at once; their values then still lie in the cache of
// the core.
constexpr std::size_t kSlice = 2048;
constexpr std::size_t kTable = 1 << 13;
constexpr std::size_t kFilterGames = 144;  // games that a filter learns from

std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
    return Random(seed ^ (number * 0xD1B54A32D192ED03ull + 0x8CB92BA72F3D8DD7ull)).next();
}

// Where throw `first` stands in a fixed mixture of all throws.
int shuffled(std::uint64_t seed, int first) {
    std::array<int, kThrows> places{};
    for (int i = 0; i < kThrows; ++i) places[static_cast<std::size_t>(i)] = i;
    Random random(seed);
    for (std::uint32_t i = kThrows - 1; i > 0; --i) std::swap(places[i], places[random.below(i + 1)]);
    return places[static_cast<std::size_t>(first)];
}

std::size_t reply_index(Pips dice) { return static_cast<std::size_t>(dice.high * (dice.high - 1) / 2 + dice.low - 1); }

}  // namespace

Pips trial_dice(std::uint64_t seed, std::uint64_t trial, int number) {
    constexpr auto kAll = static_cast<std::uint64_t>(kThrows);
    const int first = static_cast<int>(trial % kAll);
    int thrown = first;
    if (number == 1) {
        // A Latin square: within 36 trials each second throw comes once, and within 1296 once after each first.
        const int block = static_cast<int>(trial / kAll % kAll);
        thrown = (shuffled(mix(seed, trial / (kAll * kAll)), first) + block) % kThrows;
    } else if (number > 1) {
        const std::uint64_t drawn = mix(mix(mix(seed, 1), trial), static_cast<std::uint64_t>(number));
        thrown = static_cast<int>(Random(drawn).below(kThrows));
    }
    const int one = thrown / 6 + 1;
    const int other = thrown % 6 + 1;
    return {std::max(one, other), std::min(one, other)};
}

std::size_t Roller::KeyHash::operator()(const Key& key) const {
    return hash(key.state) + static_cast<std::size_t>(key.place.height) * 3 + static_cast<std::size_t>(key.place.owner);
}

Roller::Roller(Searcher searcher, Utility utility, const RolloutOptions& options, std::optional<CubefulUtility> cube,
               std::optional<Utility> preference)
    : searcher_(std::move(searcher)),
      classes_(searcher_.evaluator().classes()),
      utility_(std::move(utility)),
      their_utility_(utility_),
      options_(options),
      cube_(std::move(cube)),
      preference_(std::move(preference)),
      row_(static_cast<std::size_t>(classes().size())),
      table_(kTable) {
    if (cube_ && searcher_.options().plies > 0) {
        throw std::invalid_argument("plays with a cube are chosen at 0 plies");
    }
    std::vector<float> theirs(utility_.values(false).begin(), utility_.values(false).end());
    for (float& equity : theirs) equity = -equity;
    their_utility_ = Utility(classes(), std::move(theirs));
}

std::vector<double> Roller::run(const State& start, CubePlace place, std::uint64_t first, int count) {
    if (cube_ && (place.height < 0 || place.height >= cube_->heights())) {
        throw std::invalid_argument("this cube has no such height");
    }
    if (start != start_ || place != start_place_) {
        early_.clear();
        filter_.reset();
    }
    start_ = start;
    start_place_ = place;
    black_ = start.black_on_roll;
    Trial model;
    begin(model, start, place);
    if (options_.luck == Luck::filtered && !filter_) fit_filter(model);

    std::vector<double> rows(static_cast<std::size_t>(count) * row());
    trials_.assign(static_cast<std::size_t>(count), model);
    try {
        play(rows, first);
    } catch (...) {
        early_.clear();  // what was ended in between has left unfinished turns there
        throw;
    }
    return rows;
}

// Plays `trials_`, numbered from `first`.
void Roller::play(std::vector<double>& rows, std::uint64_t first) {
    for (std::size_t i = 0; i < trials_.size(); ++i) trials_[i].number = first + i;
    const auto row_of = [&](const Trial& trial) { return rows.data() + (trial.number - first) * row(); };
    for (bool any = true; any;) {
        check_interrupt();
        any = false;
        used_ = 0;
        asked_luck_.clear();
        asked_reply_.clear();
        for (Trial& trial : trials_) {
            if (!trial.active || turn_cube(trial, row_of(trial))) continue;
            choose_dice(trial);
            any = true;
        }
        gather();
        const std::atomic<bool>* stop = searcher_.options().stop;
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw SearchStopped();
        for (Trial& trial : trials_) {
            if (trial.active) advance(trial, row_of(trial));
        }
    }
}

// Plays some games from the start without measuring luck, and lets the filter add_sample from their plays. Their
// dice are those of another seed, so that what is measured with the filter is independent of its own dice.
void Roller::fit_filter(const Trial& model) {
    sampling_ = true;
    filter_ = std::make_unique<MoveFilter>(searcher_.evaluator().rules());
    const RolloutOptions asked = options_;
    options_.luck = Luck::none;
    options_.seed = mix(asked.seed, kFilterGames);
    const auto finish = [&] {
        early_.clear();
        options_ = asked;
        sampling_ = false;
    };
    try {
        std::vector<double> rows(kFilterGames * row());
        trials_.assign(kFilterGames, model);
        play(rows, 0);
    } catch (...) {
        finish();
        filter_.reset();
        throw;
    }
    finish();
    filter_->fit();
}

void Roller::begin(Trial& trial, const State& start, CubePlace place) {
    trial.state = start;
    trial.value.resize(row_);
    searcher_.evaluator().evaluate({&start, 1}, trial.value.data());
    trial.place = place;
    trial.settled = settle_value(trial);
    trial.may_turn = options_.first_double;
    trial.luck.assign(row_, 0.0);
    trial.active = true;
}

// Ends the trial if it is over, or ends with a drop; else the cube stands where it is thrown with.
bool Roller::turn_cube(Trial& trial, double* out) {
    const bool cut = options_.truncate > 0 && trial.throws >= options_.truncate;
    if (trial.settled || cut || trial.plays >= options_.longest_game) {
        finish_by_value(trial, out);
        trial.active = false;
        return true;
    }
    if (!cube_ || !trial.may_turn) return false;
    const bool own = mine(trial.state);
    const CubefulUtility::Decision decision = decide(*cube_, trial.state, trial.value.data(), trial.place);
    if (decision.action == CubeAction::turn) trial.place = CubefulUtility::taken(trial.place, own);
    if (decision.action != CubeAction::drop) return false;
    finish(trial, decision.equity, out);
    trial.active = false;
    return true;
}

void Roller::choose_dice(Trial& trial) {
    trial.turn = &turn_for(trial);
    Turn& turn = *trial.turn;
    trial.reply = 0;
    if (!turn.state.pending.any()) {
        trial.reply = reply_index(trial_dice(options_.seed, trial.number, trial.throws));
        ++trial.throws;
    }
    trial.measured = options_.luck != Luck::none && !turn.state.pending.any();
    if (trial.measured && !turn.luck_known && !turn.luck_asked) {
        turn.luck_asked = true;
        asked_luck_.push_back(&turn);
    }
    asked_reply_.emplace_back(&turn, trial.reply);
}

Roller::Turn& Roller::turn_for(const Trial& trial) {
    Turn* turn = nullptr;
    if (trial.throws < kEarlyThrows) {
        auto& kept = early_[{trial.state, trial.place}];
        if (kept) return *kept;
        kept = std::make_unique<Turn>();
        turn = kept.get();
    } else {
        if (used_ == pool_.size()) pool_.push_back(std::make_unique<Turn>());
        turn = pool_[used_++].get();
    }
    turn->state = trial.state;
    turn->place = trial.place;
    turn->chances = chances(searcher_.evaluator().rules(), trial.state);
    turn->replies.resize(trial.state.pending.any() ? 1 : turn->chances.size());
    for (Reply& reply : turn->replies) reply.known = false;
    turn->luck_asked = turn->luck_known = false;
    return *turn;
}

// Finds the replies and the luck that were asked for.
void Roller::gather() {
    batch_.clear();
    const bool searched = searcher_.options().plies > 0 && !sampling_;
    const bool full = options_.luck == Luck::full;
    for (Turn* turn : asked_luck_) {
        if (!full) {
            filter_plays(*turn);
            continue;
        }
        for (Reply& reply : turn->replies) reply.known |= !searched;
        add(batch_, *turn, 0, turn->replies.size(), {.luck = true, .reply = !searched});
    }
    for (const auto& [turn, reply] : asked_reply_) {
        if (std::exchange(turn->replies[reply].known, true)) continue;
        if (searched) {
            search(*turn, reply);
        } else {
            add(batch_, *turn, reply, reply + 1, {.luck = false, .reply = true});
        }
    }
    value(batch_, searcher_.evaluator());
    settle(batch_);
    for (Turn* turn : asked_luck_) finish_luck(*turn);
}

// Adds the plays of some throws, positions that several of them reach only once.
void Roller::add(Batch& batch, Turn& turn, std::size_t from, std::size_t to, Purpose purpose) {
    const Ruleset& rules = searcher_.evaluator().rules();
    ++epoch_;
    const std::size_t begin = batch.states.size();
    for (std::size_t reply = from; reply < to; ++reply) {
        Ask ask{&turn, reply, purpose, batch.members.size(), 0};
        // Where a double is named, the plays of all of them are one choice.
        const std::size_t last = turn.state.pending.choose_double ? turn.chances.size() : reply + 1;
        for (std::size_t c = reply; c < last; ++c) {
            const Throw& dice = turn.chances[c].dice;
            for (const Play& play : generator_.plays(rules, turn.state, dice)) {
                const State after = position_after(rules, turn.state, dice, play);
                const bool room = batch.states.size() - begin < kTable / 2;
                std::size_t at = static_cast<std::size_t>(hash(after)) % kTable;
                const auto taken = [&] { return table_[at] >> 32 == epoch_; };
                const auto there = [&] { return static_cast<std::size_t>(table_[at] & 0xFFFFFFFF); };
                while (taken() && batch.states[there()] != after) at = (at + 1) % kTable;
                if (taken()) {
                    batch.members.push_back(there());
                    continue;
                }
                if (room) table_[at] = epoch_ << 32 | batch.states.size();
                batch.members.push_back(batch.states.size());
                batch.states.push_back(after);
                batch.turns.push_back(&turn);
            }
        }
        ask.last = batch.members.size();
        batch.asks.push_back(ask);
    }
}

void Roller::value(Batch& batch, StaticEvaluator& evaluator) {
    const std::size_t size = batch.states.size();
    batch.values.resize(size * row_);
    batch.equities.resize(size);
    for (std::size_t from = 0; from < size; from += kSlice) {
        const std::size_t count = std::min(kSlice, size - from);
        evaluator.evaluate({batch.states.data() + from, count}, batch.values.data() + from * row_);
    }
    for (std::size_t i = 0; i < size; ++i) {
        batch.equities[i] = equity_to_me(*batch.turns[i], batch.states[i], &batch.values[i * row_]);
    }
    if (!preference_) return;
    batch.choices.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        const float preferred = preference_->equity(&batch.values[i * row_], mine(batch.states[i]));
        batch.choices[i] = batch.equities[i] + static_cast<double>(preferred);
    }
}

double Roller::equity_to_me(const Turn& turn, const State& after, const float* value) const {
    if (!cube_) return static_cast<double>(utility_.equity(value, mine(after)));
    if (after.black_on_roll == turn.state.black_on_roll) return holding(*cube_, after, value, turn.place);
    return decide(*cube_, after, value, turn.place).equity;
}

double Roller::holding(const CubefulUtility& cube, const State& state, const float* value, CubePlace place) const {
    const auto known = searcher_.evaluator().cubeful(state);  // in a money game
    if (known && cube.tabled(place)) return cube.holding(*known, mine(state), place);
    return cube.holding(value, mine(state), place, known);
}

CubefulUtility::Decision Roller::decide(const CubefulUtility& cube, const State& state, const float* value,
                                        CubePlace place) const {
    const auto known = searcher_.evaluator().cubeful(state);  // in a money game
    if (known && cube.tabled(place)) return cube.decide(*known, mine(state), place);
    return cube.decide(value, mine(state), place, known);
}

// Whether nothing more can be learned by playing on; then `value` is that of the database or the result. While a
// cube may still be turned, probabilities are not enough.
bool Roller::settle_value(Trial& trial) const {
    if (!searcher_.evaluator().exact(trial.state, trial.value.data())) return false;
    if (!cube_ || cube_->dead(trial.place)) return true;
    if (cube_->tabled(trial.place) && searcher_.evaluator().cubeful(trial.state)) return true;
    return result(searcher_.evaluator().rules(), trial.state).kind != Kind::none;
}

// The play the side on roll chooses: a number in the batch.
std::size_t Roller::best(const Batch& batch, const Ask& ask) const {
    const double sign = mine(ask.turn->state) ? 1 : -1;
    const std::vector<double>& equities = choices(batch);
    std::size_t found = batch.members[ask.first];
    for (std::size_t i = ask.first + 1; i < ask.last; ++i) {
        const std::size_t member = batch.members[i];
        if (sign * equities[member] > sign * equities[found]) found = member;
    }
    return found;
}

void Roller::settle(const Batch& batch) {
    for (const Ask& ask : batch.asks) {
        Turn& turn = *ask.turn;
        const std::size_t chosen = best(batch, ask);
        const State& after = batch.states[chosen];
        const float* value = &batch.values[chosen * row_];
        if (sampling_) add_sample(batch, ask);
        if (ask.purpose.reply) {
            Reply& reply = turn.replies[ask.reply];
            reply.after = after;
            reply.value.assign(value, value + row_);
        }
        if (ask.purpose.luck) {
            turn.luck.resize(turn.replies.size() * row_);
            turn.luck_equity.resize(turn.replies.size());
            float* seen = &turn.luck[ask.reply * row_];
            if (mine(after)) {
                std::copy_n(value, row_, seen);
            } else {
                classes().flip(value, seen);
            }
            turn.luck_equity[ask.reply] = batch.equities[chosen];
        }
    }
}

// Adds the plays of every throw that that pass the filter, to measure luck by them.
void Roller::filter_plays(Turn& turn) {
    const Ruleset& rules = searcher_.evaluator().rules();
    filter_->look(turn.state);
    const std::size_t begin = batch_.states.size();
    for (std::size_t reply = 0; reply < turn.replies.size(); ++reply) {
        const Throw& dice = turn.chances[reply].dice;
        const std::vector<Play>& plays = generator_.plays(rules, turn.state, dice);
        scores_.clear();
        for (std::size_t i = 0; i < plays.size(); ++i) scores_.emplace_back(-filter_->score(plays[i]), i);
        const std::size_t kept = std::min(plays.size(), static_cast<std::size_t>(std::max(options_.filter_to, 1)));
        std::partial_sort(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(kept), scores_.end());
        const std::size_t first = batch_.members.size();
        for (std::size_t i = 0; i < kept; ++i) {
            const State after = position_after(rules, turn.state, dice, plays[scores_[i].second]);
            // Throws with the same sum often lead to the same position.
            const auto known =
                std::find(batch_.states.begin() + static_cast<std::ptrdiff_t>(begin), batch_.states.end(), after);
            batch_.members.push_back(static_cast<std::size_t>(known - batch_.states.begin()));
            if (known != batch_.states.end()) continue;
            batch_.states.push_back(after);
            batch_.turns.push_back(&turn);
        }
        batch_.asks.push_back({&turn, reply, {.luck = true, .reply = false}, first, batch_.members.size()});
    }
}

// Shows the filter the plays of a throw.
void Roller::add_sample(const Batch& batch, const Ask& ask) {
    sample_.clear();
    sample_equities_.clear();
    const double sign = mine(ask.turn->state) ? 1 : -1;
    for (std::size_t i = ask.first; i < ask.last; ++i) {
        sample_.push_back(batch.states[batch.members[i]]);
        sample_equities_.push_back(sign * choices(batch)[batch.members[i]]);
    }
    filter_->add_sample(ask.turn->state, sample_, sample_equities_);
}

void Roller::finish_luck(Turn& turn) const {
    turn.luck_known = true;
    turn.luck_mean.assign(row_, 0.0);
    turn.luck_equity_mean = 0;
    for (std::size_t reply = 0; reply < turn.replies.size(); ++reply) {
        const Throw& dice = turn.chances[reply].dice;
        const double share = (dice.same() ? 1.0 : 2.0) / kThrows;
        for (std::size_t i = 0; i < row_; ++i) {
            turn.luck_mean[i] += share * static_cast<double>(turn.luck[reply * row_ + i]);
        }
        turn.luck_equity_mean += share * turn.luck_equity[reply];
    }
}

void Roller::search(Turn& turn, std::size_t reply) {
    const bool own = mine(turn.state);
    const std::size_t last = turn.state.pending.choose_double ? turn.chances.size() : reply + 1;
    const Utility& utility = own ? utility_ : their_utility_;
    std::vector<Throw> throws;
    for (std::size_t c = reply; c < last; ++c) throws.push_back(turn.chances[c].dice);
    const Candidate found = searcher_.best_of_throws(turn.state, throws, utility).candidate;
    turn.replies[reply].after = found.after;
    std::vector<float>& value = turn.replies[reply].value;
    value = found.probs;
    if (found.after.black_on_roll != turn.state.black_on_roll) classes().flip(found.probs.data(), value.data());
}

void Roller::advance(Trial& trial, double* out) {
    const Turn& turn = *trial.turn;
    const Reply& reply = turn.replies[trial.reply];
    if (trial.measured) {
        for (std::size_t i = 0; i < row_; ++i) {
            trial.luck[i] += static_cast<double>(turn.luck[trial.reply * row_ + i]) - turn.luck_mean[i];
        }
        trial.luck_equity += turn.luck_equity[trial.reply] - turn.luck_equity_mean;
    }
    ++trial.plays;
    trial.may_turn = reply.after.black_on_roll != trial.state.black_on_roll;
    trial.state = reply.after;
    trial.value = reply.value;
    trial.settled = settle_value(trial);
    if (!trial.settled) return;
    finish_by_value(trial, out);
    trial.active = false;
}

void Roller::finish_by_value(const Trial& trial, double* out) {
    const bool own = mine(trial.state);
    double equity = 0;
    if (cube_) {
        const GameResult outcome = result(searcher_.evaluator().rules(), trial.state);
        if (outcome.kind != Kind::none) {
            equity = cube_->equity(classes().index(outcome), own, trial.place);
        } else if (trial.may_turn) {
            equity = decide(*cube_, trial.state, trial.value.data(), trial.place).equity;
        } else {
            equity = holding(*cube_, trial.state, trial.value.data(), trial.place);
        }
    }
    finish(trial, equity, out);
}

void Roller::finish(const Trial& trial, double equity, double* out) const {
    const bool own = mine(trial.state);
    for (std::size_t i = 0; i < row_; ++i) {
        const auto seen = own ? i : static_cast<std::size_t>(classes().flipped(static_cast<int>(i)));
        out[i] = static_cast<double>(trial.value[seen]) - trial.luck[i];
    }
    if (cube_) out[row_] = equity - trial.luck_equity;
}

}  // namespace sheshbesh
