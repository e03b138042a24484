#include "sheshbesh/engine/bearoff.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "bearoff_file.h"
#include "sheshbesh/axes.h"

namespace sheshbesh {

namespace {

// Whether a double goes on, or a 1-2 earns something, once all checkers of both sides are home.
bool has_chains(const Ruleset& rules) {
    const bool goes_over = rules.unused_to_opponent && rules.forfeit_simple;
    return doubles_go_on(rules) || goes_over || rules.one_two_bonus != OneTwoBonus::off;
}

// Whether every number can and must be played, four times for a double, until the last checker is off: then nothing
// of a chain is ever left over, and it depends on the mover alone.
bool plays_all(const Ruleset& rules) {
    const bool room = rules.stack_cap == 0 && (rules.movement == Movement::parallel || rules.opponent_quarter >= 6);
    return room && rules.overshoot == Overshoot::from_highest && rules.inside_moves &&
           rules.dice_duty == DiceDuty::all && rules.forced_bearoff == ForcedBearoff::off &&
           rules.double_steps == kMaxSteps;
}

int most_checkers(const Ruleset& rules) { return std::min<int>(rules.checkers, kTwoSidedCheckers); }

}  // namespace

// All others are as in a plain game of hits, where nothing but the enemy is ever in the way.
bool holds_races(const Ruleset& rules) {
    constexpr std::array<std::string_view, 13> kFree = {
        "board.checkers",  "duty.dice",          "duty.tie",     "bearoff.overshoot", "bearoff.inside",
        "bearoff.forced",  "throw.double_steps", "score.single", "score.gammon",      "score.backgammon",
        "score.home_mars", "score.koks",         "score.left"};
    const Ruleset plain;
    return rules.checkers <= kRaceCheckers && std::ranges::all_of(kAxes, [&](const Axis& axis) {
               return std::ranges::find(kFree, axis.name) != kFree.end() || axis.read(rules) == axis.read(plain);
           });
}

bool doubles_go_on(const Ruleset& rules) { return rules.progression_from != 0 && rules.progression_in_bearoff; }

bool pays_what_is_left(const Ruleset& rules) { return BearoffWins(rules, rules.checkers - 1).slots > 1; }

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
    if (has_chains(rules) && (sides == Sides::two || !plays_all(rules))) {
        return "a throw in the bear-off can bring more throws or go over to the other side";
    }
    if (rules.last_roll_tie) return "the second player's last turn depends on who started";
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
    home.progression_from = doubles_go_on(rules) ? 1 : 0;
    home.one_two_bonus = rules.one_two_bonus == OneTwoBonus::off ? OneTwoBonus::off : OneTwoBonus::needs_all;
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
        home.progression_from,
        static_cast<std::uint8_t>(home.one_two_bonus),
        static_cast<std::uint8_t>(sides == Sides::one && pays_what_is_left(rules)),
    };
    if (sides == Sides::two && holds_races(rules)) {
        const Pairs pairs(rules);
        facts.push_back(1);
        for (std::uint32_t side = 1; side < pairs.sides().size(); ++side) facts.push_back(pairs.slot(side));
        for (const GameResult& each : pairs.results()) facts.push_back(static_cast<std::uint8_t>(each.points));
    } else if (sides == Sides::two) {
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
    auto database = std::make_shared<OneSided>();
    const std::uint32_t positions = home_positions(rules.checkers);
    database->full_ = HomeIndex::kMultisets[5][rules.checkers];
    std::vector<std::uint32_t> floats;
    reader.read(floats, 1);
    reader.read(database->average_, positions);
    for (Spread* spread : {&database->all_, &database->first_}) {
        const std::uint32_t rows = spread == &database->all_ ? positions : positions - database->full_;
        reader.read(spread->begin, rows + 1);
        reader.read(spread->sure, rows);
        const bool ascends = std::ranges::is_sorted(spread->begin) && spread->begin.back() <= floats.front();
        if (!ascends) throw BearoffFormatError("a bear-off database whose rows overlap");
    }
    reader.read(database->floats_, floats.front());
    const auto within = [positions](const std::vector<std::uint32_t>& targets) {
        return std::ranges::all_of(targets, [positions](std::uint32_t target) { return target < positions; });
    };
    if (doubles_go_on(rules)) reader.read(database->chains_, std::size_t{positions} * 6);
    if (rules.one_two_bonus != OneTwoBonus::off) reader.read(database->named_, positions);
    if (!within(database->chains_) || !within(database->named_)) {
        throw BearoffFormatError("a bear-off database that leads nowhere");
    }
    if (pays_what_is_left(rules)) database->read_left(reader, positions);
    reader.finish();
    return database;
}

void OneSided::read_left(FileReader& reader, std::uint32_t positions) {
    const auto rows = reader.number<std::uint32_t>();
    const auto floats = reader.number<std::uint32_t>();
    reader.read(left_begin_, std::size_t{positions} + 1);
    reader.read(row_begin_, std::size_t{rows} + 1);
    reader.read(row_fewest_, rows);
    reader.read(left_floats_, floats);
    const bool ascends = std::ranges::is_sorted(left_begin_) && left_begin_.back() <= rows &&
                         std::ranges::is_sorted(row_begin_) && row_begin_.back() <= floats;
    if (!ascends) throw BearoffFormatError("a bear-off database whose rows overlap");
}

OneSided::Left OneSided::left(std::uint32_t index, int turns) const {
    const std::size_t row = std::size_t{left_begin_[index]} + static_cast<std::size_t>(turns) - 1;
    if (row >= left_begin_[index + 1]) return {};
    const std::size_t from = row_begin_[row];
    return {row_fewest_[row], std::span(left_floats_).subspan(from, row_begin_[row + 1] - from)};
}

std::shared_ptr<const TwoSided> TwoSided::parse(std::span<const std::byte> file, const Ruleset& rules) {
    FileReader reader(file, Sides::two, bearoff_key(rules, Sides::two));
    auto database = std::make_shared<TwoSided>(rules);
    database->width_ = two_sided_width(database->slots());
    reader.read(database->values_, database->pairs_.size() * database->width_);
    reader.finish();
    return database;
}

const float* TwoSided::row(Counts on_roll, Counts other) const {
    const std::optional<std::uint32_t> mine = pairs_.number(on_roll);
    const std::optional<std::uint32_t> theirs = pairs_.number(other);
    if (!mine || !theirs || *theirs >= pairs_.met_by(*mine)) return nullptr;
    return values_.data() + pairs_.at(*mine, *theirs) * width_;
}

BearoffDatabase::BearoffDatabase(const Ruleset& rules, std::shared_ptr<const OneSided> one,
                                 std::shared_ptr<const TwoSided> two)
    : home_(bearoff_rules(rules)), checkers_(rules.checkers), one_(std::move(one)), two_(std::move(two)) {
    const ClassTable classes(rules);
    classes_ = classes.size();
    half_ = classes.wins();
    const BearoffWins wins(rules, rules.checkers);
    // The database may have been made for rules with other names for what is paid.
    const Pairs pairs(rules);
    for (const GameResult& each : pairs.results()) class_of_slot_.push_back(classes.index(each));
    plain_ = classes.index(wins.result[1]);
    shutout_ = classes.index(wins.result[rules.checkers]);
    class_of_left_.assign(std::size_t{rules.checkers} + 1, plain_);
    for (std::size_t left = 1; left < class_of_left_.size(); ++left) {
        class_of_left_[left] = classes.index(wins.result[left]);
    }
    paid_by_left_ = pays_what_is_left(rules);
    if (doubles_go_on(rules)) progression_from_ = rules.progression_from;
    counts_both_ = rules.progression_count == ProgressionCount::game;
}

bool BearoffDatabase::goes_on(const State& state) const {
    return count(state.mine, kOff) < checkers_ && count(state.theirs, kOff) < checkers_ &&
           (state.pinned_mine | state.pinned_theirs) == 0 && !state.my_mother_lost && !state.their_mother_lost &&
           all_turns_alike(state);
}

// Whether doubles go on in this turn and in all that follow.
bool BearoffDatabase::all_turns_alike(const State& state) const {
    const int mine = state.turns_mine + (counts_both_ ? state.turns_theirs : 0);
    const int theirs = state.turns_theirs + (counts_both_ ? state.turns_mine + 1 : 0);
    return std::min(mine, theirs) + 1 >= progression_from_;
}

bool BearoffDatabase::lookup(const State& state, float* out) const {
    if (const float* row = two_sided(state); row != nullptr) return from_two(row, out);
    if (one_ == nullptr || !HomeIndex::all_home(state.mine | state.theirs) || !goes_on(state)) return false;
    const std::uint32_t mine = HomeIndex::of(HomeIndex::word(state.mine));
    const std::uint32_t theirs = HomeIndex::of(HomeIndex::word(state.theirs));
    return from_one(state, mine, theirs, out);
}

bool BearoffDatabase::from_two(const float* row, float* out) const {
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
    // `other` is certain to be late as long as its database has not begun.
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

// With what is owed played out first: a chain ends the turn, a double that was named is followed by a throw.
bool BearoffDatabase::from_one(const State& state, std::uint32_t mine, std::uint32_t theirs, float* out) const {
    const Pending& owed = state.pending;
    if (!owed.any()) return of_turns(mine, theirs, out);
    const bool whole = owed.steps == kMaxSteps && owed.second == 0 && !owed.then_throw && owed.rest == (owed.die < 6);
    if (!owed.choose_double && !whole) return false;
    const auto after = owed.choose_double ? one_->after_named(mine) : one_->after_chain(mine, owed.die);
    if (!after) return false;
    if (*after == 0) {
        std::fill_n(out, classes_, 0.0f);
        out[class_of_left_[static_cast<std::size_t>(checkers_ - count(state.theirs, kOff))]] = 1.0f;
        return true;
    }
    if (owed.choose_double) return of_turns(*after, theirs, out);
    if (!of_turns(theirs, *after, out)) return false;
    flip(out);
    return true;
}

void BearoffDatabase::flip(float* out) const { std::swap_ranges(out, out + half_, out + half_); }

// Both sides play for the fewest turns; `mine` is on roll and owes nothing.
bool BearoffDatabase::of_turns(std::uint32_t mine, std::uint32_t theirs, float* out) const {
    if (!(one_->average(mine) < OneSided::kNever) || !(one_->average(theirs) < OneSided::kNever)) return false;
    if (paid_by_left_) {
        by_left(mine, theirs, out);
        return true;
    }
    const OneSided::Turns my_end = one_->to_end(mine);
    const OneSided::Turns their_end = one_->to_end(theirs);
    const auto win = static_cast<float>(chance_before(my_end, their_end, 0));
    float win_shutout = 0.0f;
    float lose_shutout = 0.0f;
    if (shutout_ != plain_) {
        if (one_->is_full(theirs)) {
            win_shutout = std::min(win, static_cast<float>(chance_before(my_end, one_->to_first(theirs), 0)));
        }
        if (one_->is_full(mine)) {
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

// Each win is paid by what the loser has left on the turn of the winner's last checker.
void BearoffDatabase::by_left(std::uint32_t mine, std::uint32_t theirs, float* out) const {
    std::fill_n(out, classes_, 0.0f);
    const auto add = [this, out](std::uint32_t loser, int turns, float chance, int side) {
        if (turns == 0) {
            int left = 1;
            while (home_positions(left) <= loser) ++left;
            out[class_of_left_[static_cast<std::size_t>(left)] + side] += chance;
            return;
        }
        const OneSided::Left found = one_->left(loser, turns);
        std::size_t left = static_cast<std::size_t>(found.fewest);
        for (const float share : found.chances) out[class_of_left_[left++] + side] += chance * share;
    };
    const OneSided::Turns my_end = one_->to_end(mine);
    const OneSided::Turns their_end = one_->to_end(theirs);
    for (int turn = 1; my_end.at(turn) > 0.0f && their_end.at(turn) > 0.0f; ++turn) {
        add(theirs, turn - 1, my_end.at(turn) - my_end.at(turn + 1), 0);
        add(mine, turn, their_end.at(turn) - their_end.at(turn + 1), half_);
    }
    // What the shortest chances lack.
    float sum = 0.0f;
    for (int i = 0; i < classes_; ++i) sum += out[i];
    for (int i = 0; i < classes_; ++i) out[i] /= sum;
}

std::optional<CubefulEquities> BearoffDatabase::cubeful(const State& state) const {
    const float* row = two_sided(state);
    if (row == nullptr) return std::nullopt;
    const CubefulEquities found = two_->cubeful(row);
    return std::isnan(found.centred) ? std::nullopt : std::optional(found);
}

bool BearoffDatabase::is_exact(const State& state) const {
    const float* row = two_sided(state);
    return row != nullptr && !std::isnan(row[0]);
}

// The row of the two-sided database, where it reaches.
const float* BearoffDatabase::two_sided(const State& state) const {
    if (two_ == nullptr || state.pending.any()) return nullptr;
    const float* row = two_->row(state.mine, state.theirs);
    return row != nullptr && goes_on(state) ? row : nullptr;
}

std::optional<std::array<float, 2>> BearoffDatabase::average_turns(const State& state) const {
    if (one_ == nullptr || state.pending.any() || !goes_on(state)) return std::nullopt;
    if (!HomeIndex::all_home(state.mine | state.theirs)) return std::nullopt;
    const float mine = one_->average(HomeIndex::of(HomeIndex::word(state.mine)));
    const float theirs = one_->average(HomeIndex::of(HomeIndex::word(state.theirs)));
    if (!(mine < OneSided::kNever) || !(theirs < OneSided::kNever)) return std::nullopt;
    return std::array{mine, theirs};
}

}  // namespace sheshbesh
