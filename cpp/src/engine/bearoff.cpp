#include "sheshbesh/engine/bearoff.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "bearoff_file.h"

namespace sheshbesh {

namespace {

// Whether a double goes on, or a 1-2 earns something, once all checkers of both sides are home.
bool has_chains(const Ruleset& rules) {
    const bool goes_on = rules.progression_from != 0 && rules.progression_in_bearoff;
    const bool goes_over = rules.unused_to_opponent && rules.forfeit_simple;
    return goes_on || goes_over || rules.one_two_bonus != OneTwoBonus::off;
}

int most_checkers(const Ruleset& rules) { return std::min<int>(rules.checkers, kTwoSidedCheckers); }

}  // namespace

std::uint32_t home_positions(int checkers) { return HomeIndex::of(static_cast<HomeIndex::Word>(checkers) << 24) + 1; }

BearoffWins::BearoffWins(const Ruleset& rules, int most) {
    State state;
    state.mine = Counts{rules.checkers};
    for (int left = 1; left <= most; ++left) {
        state.theirs = static_cast<Counts>(rules.checkers - left) + static_cast<Counts>(left) * one(1);
        const auto here = static_cast<std::size_t>(left);
        result[here] = sheshbesh::result(rules, state);
        std::size_t known = 1;
        while (result[known].kind != result[here].kind || result[known].points != result[here].points) ++known;
        slot[here] = known == here ? static_cast<std::uint8_t>(slots++) : slot[known];
    }
}

std::string_view bearoff_obstacle(const Ruleset& rules, Sides sides) {
    if (has_chains(rules)) return "a throw in the bear-off can bring more throws or go over to the other side";
    if (rules.last_roll_tie) return "the second player's last turn depends on who started";
    if (sides == Sides::one && BearoffWins(rules, rules.checkers - 1).slots > 1) {
        return "a win is paid by the checkers that the loser has left";
    }
    return {};
}

// With both sides home nobody can hit, block or imprison; nothing stands on 24, in hand or on the bar; and
// of the other rules about other people's checkers each asks for one that has not come home, or is
// content with one that has (primes).
Ruleset bearoff_rules(const Ruleset& rules) {
    Ruleset home;
    home.checkers = rules.checkers;
    home.setup = static_cast<Counts>(rules.checkers) * one(6);
    home.stack_cap = rules.stack_cap;
    // Where both go against each other, my home is where the opponent started.
    if (rules.movement == Movement::contrary) home.opponent_quarter = rules.opponent_quarter;
    home.dice_duty = rules.dice_duty;
    home.duty_tie = rules.duty_tie;
    home.overshoot = rules.overshoot;
    home.inside_moves = rules.inside_moves;
    home.forced_bearoff = rules.forced_bearoff;
    home.double_steps = rules.double_steps;
    return home;
}

std::uint64_t bearoff_key(const Ruleset& rules, Sides sides) {
    const Ruleset home = bearoff_rules(rules);
    std::vector<std::uint8_t> facts = {
        static_cast<std::uint8_t>(sides),
        home.checkers,
        home.stack_cap,
        home.opponent_quarter,
        static_cast<std::uint8_t>(home.dice_duty),
        static_cast<std::uint8_t>(home.duty_tie),
        static_cast<std::uint8_t>(home.overshoot),
        static_cast<std::uint8_t>(home.inside_moves),
        static_cast<std::uint8_t>(home.forced_bearoff),
        home.double_steps,
    };
    if (sides == Sides::two) {
        const BearoffWins wins(rules, most_checkers(rules));
        for (std::size_t left = 1; left <= static_cast<std::size_t>(most_checkers(rules)); ++left) {
            facts.push_back(wins.slot[left]);
            facts.push_back(static_cast<std::uint8_t>(wins.result[left].points));
        }
    }
    return fnv1a(std::as_bytes(std::span(facts)));
}

std::shared_ptr<const OneSided> OneSided::parse(std::span<const std::byte> file, const Ruleset& rules) {
    FileReader reader(file, Sides::one, bearoff_key(rules, Sides::one));
    auto table = std::make_shared<OneSided>();
    const std::uint32_t positions = home_positions(rules.checkers);
    table->full_ = HomeIndex::kMultisets[5][rules.checkers];
    std::vector<std::uint32_t> floats;
    reader.read(floats, 1);
    reader.read(table->average_, positions);
    for (Spread* spread : {&table->all_, &table->first_}) {
        const std::uint32_t rows = spread == &table->all_ ? positions : positions - table->full_;
        reader.read(spread->begin, rows + 1);
        reader.read(spread->sure, rows);
        const bool ascends = std::ranges::is_sorted(spread->begin) && spread->begin.back() <= floats.front();
        if (!ascends) throw BearoffFormatError("a bear-off database whose rows overlap");
    }
    reader.read(table->floats_, floats.front());
    reader.finish();
    return table;
}

std::shared_ptr<const TwoSided> TwoSided::parse(std::span<const std::byte> file, const Ruleset& rules) {
    FileReader reader(file, Sides::two, bearoff_key(rules, Sides::two));
    auto table = std::make_shared<TwoSided>();
    const int most = most_checkers(rules);
    table->positions_ = home_positions(most);
    table->slots_ = BearoffWins(rules, most).slots;
    table->width_ = two_sided_width(table->slots_);
    reader.read(table->values_, std::size_t{table->positions_} * table->positions_ * table->width_);
    reader.finish();
    return table;
}

BearoffTable::BearoffTable(const Ruleset& rules, std::shared_ptr<const OneSided> one,
                           std::shared_ptr<const TwoSided> two)
    : checkers_(rules.checkers), one_(std::move(one)), two_(std::move(two)) {
    const ClassTable classes(rules);
    classes_ = classes.size();
    half_ = classes.wins();
    const BearoffWins wins(rules, rules.checkers);
    const int most = most_checkers(rules);
    for (int left = 1; left <= most; ++left) {
        const auto here = static_cast<std::size_t>(left);
        if (wins.slot[here] == class_of_slot_.size()) class_of_slot_.push_back(classes.index(wins.result[here]));
    }
    plain_ = classes.index(wins.result[1]);
    shutout_ = classes.index(wins.result[rules.checkers]);
}

bool BearoffTable::covers(const State& state) const {
    return HomeIndex::all_home(state.mine | state.theirs) && count(state.mine, kOff) < checkers_ &&
           count(state.theirs, kOff) < checkers_ && (state.pinned_mine | state.pinned_theirs) == 0 &&
           !state.pending.any() && !state.my_mother_lost && !state.their_mother_lost;
}

bool BearoffTable::lookup(const State& state, float* out) const {
    if (!covers(state)) return false;
    const std::uint32_t mine = HomeIndex::of(HomeIndex::word(state.mine));
    const std::uint32_t theirs = HomeIndex::of(HomeIndex::word(state.theirs));
    if (two_ != nullptr && std::max(mine, theirs) < two_->positions()) return from_two(two_->row(mine, theirs), out);
    return one_ != nullptr && from_one(state, mine, theirs, out);
}

bool BearoffTable::from_two(const float* row, float* out) const {
    if (std::isnan(row[0])) return false;
    std::fill_n(out, classes_, 0.0f);
    if (two_->slots() == 1) {
        out[plain_] = row[0];
        out[plain_ + half_] = 1.0f - row[0];
        return true;
    }
    for (const int found : class_of_slot_) {
        out[found] = row[0];
        out[found + half_] = row[two_->slots()];
        ++row;
    }
    return true;
}

namespace {

// The chance that `first` is done on some turn n and `other` not before turn n + `lag`.
double chance_before(const OneSided::Turns& first, const OneSided::Turns& other, int lag) {
    // `other` is certain to be late as long as its table has not begun.
    const int size = static_cast<int>(first.beyond.size());
    const int other_size = static_cast<int>(other.beyond.size());
    const int ahead = first.sure + lag - other.sure - 1;  // where `other` is asked, for place 0 of `first`
    const auto left = [&first, size](int place) {
        return place < 0 ? 1.0f : place < size ? first.beyond[static_cast<std::size_t>(place)] : 0.0f;
    };
    const int begin = std::clamp(-ahead, 0, size + 1);
    const int end = std::clamp(other_size - ahead, begin, size + 1);
    float here = left(begin - 1);
    double sum = 1.0 - static_cast<double>(here);
    for (int place = begin; place < end; ++place) {
        const float next = left(place);
        const int asked = place + ahead;
        const float late = other.beyond[static_cast<std::size_t>(asked)];
        sum += static_cast<double>(here - next) * static_cast<double>(late);
        here = next;
    }
    return sum;
}

}  // namespace

bool BearoffTable::from_one(const State& state, std::uint32_t mine, std::uint32_t theirs, float* out) const {
    if (!(one_->average(mine) < OneSided::kNever) || !(one_->average(theirs) < OneSided::kNever)) return false;
    const OneSided::Turns my_end = one_->to_end(mine);
    const OneSided::Turns their_end = one_->to_end(theirs);
    const auto win = static_cast<float>(chance_before(my_end, their_end, 0));
    float win_shutout = 0.0f;
    float lose_shutout = 0.0f;
    if (shutout_ != plain_) {
        if (count(state.theirs, kOff) == 0) {
            win_shutout = std::min(win, static_cast<float>(chance_before(my_end, one_->to_first(theirs), 0)));
        }
        if (count(state.mine, kOff) == 0) {
            const auto shutout = static_cast<float>(chance_before(their_end, one_->to_first(mine), 1));
            lose_shutout = std::min(1.0f - win, shutout);
        }
    }
    std::fill_n(out, classes_, 0.0f);
    out[shutout_] = win_shutout;
    out[shutout_ + half_] = lose_shutout;
    out[plain_] = win - win_shutout;
    out[plain_ + half_] = 1.0f - win - lose_shutout;
    return true;
}

std::optional<CubefulEquities> BearoffTable::cubeful(const State& state) const {
    const float* row = two_sided(state);
    if (row == nullptr) return std::nullopt;
    const CubefulEquities found = two_->cubeful(row);
    return std::isnan(found.centred) ? std::nullopt : std::optional(found);
}

bool BearoffTable::is_exact(const State& state) const {
    const float* row = two_sided(state);
    return row != nullptr && !std::isnan(row[0]);
}

// The row of the two-sided table, where it reaches.
const float* BearoffTable::two_sided(const State& state) const {
    if (two_ == nullptr || !covers(state)) return nullptr;
    const std::uint32_t mine = HomeIndex::of(HomeIndex::word(state.mine));
    const std::uint32_t theirs = HomeIndex::of(HomeIndex::word(state.theirs));
    return std::max(mine, theirs) < two_->positions() ? two_->row(mine, theirs) : nullptr;
}

std::optional<std::array<float, 2>> BearoffTable::average_turns(const State& state) const {
    if (one_ == nullptr || !covers(state)) return std::nullopt;
    const float mine = one_->average(HomeIndex::of(HomeIndex::word(state.mine)));
    const float theirs = one_->average(HomeIndex::of(HomeIndex::word(state.theirs)));
    if (!(mine < OneSided::kNever) || !(theirs < OneSided::kNever)) return std::nullopt;
    return std::array{mine, theirs};
}

}  // namespace sheshbesh
