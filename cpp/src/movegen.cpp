#include "sheshbesh/movegen.h"

#include <algorithm>

namespace sheshbesh {

namespace {

// No throw of two dice has more final positions: at most 15 origins for each die, in both orders.
constexpr std::size_t kTableSize = 1024;

std::size_t slot_of(const Play& play) {
    const auto low = static_cast<std::uint64_t>(play.mine);
    const auto high = static_cast<std::uint64_t>(play.mine >> 64);
    std::uint64_t h = (low ^ (std::uint64_t{play.hits} << 20)) * 0x9E3779B97F4A7C15ull;
    h ^= high * 0xC2B2AE3D27D4EB4Full;
    return static_cast<std::size_t>(h >> 54);
}
static_assert(kTableSize == std::size_t{1} << (64 - 54));

// Whether the quick way below finds every legal play and nothing else. It steps through the dice
// in both orders, and through a double from the highest point down. It applies the duty to play as
// many dice as possible and the larger one, and no other duty.
bool has_short_cut(const Turn& turn) {
    const Ruleset& rules = turn.rules();
    if (rules.dice_duty != DiceDuty::all || turn.may_lock() || !rules.prime_transit) return false;
    if (turn.dice().same() && !turn.any_order()) return false;
    if (turn.needs_full_checks() && (turn.tracks_hitters() || rules.hit_run_priority != HitRunPriority::absolute ||
                                     rules.mother != Mother::off || rules.lifted != 0)) {
        return false;
    }
    if (turn.may_bear_off_this_turn() &&
        (rules.forced_bearoff != ForcedBearoff::off || rules.duty_tie != DutyTie::larger)) {
        return false;
    }
    return rules.head_exception != HeadException::any_blocked || turn.state().turns_mine > 0;
}

}  // namespace

Play play_of(const Node& node) { return {node.mine, node.hits, node.path, node.depth, node.ended, node.mother_taken}; }

State position_after(const Ruleset& rules, const State& state, const Throw& dice, const Play& play) {
    Played played;
    played.mine = play.mine;
    played.hits = play.hits;
    played.used = play.depth;
    played.ended = play.ended;
    played.mother_taken = play.mother_taken;
    if (play.depth == 1) played.unplayed = path_die(play.path, 0) == dice.high ? dice.low : dice.high;
    return after(rules, state, dice, played);
}

Generator::Generator() : table_(kTableSize, 0) { plays_.reserve(4096); }

const std::vector<Play>& Generator::plays(const Ruleset& rules, const State& state, const Throw& dice) {
    plays_.clear();
    if (result(rules, state).kind != Kind::none) return plays_;
    const Turn turn(rules, state, dice);
    if (!has_short_cut(turn)) return plays_by_graph(rules, state, dice);
    if (dice.same()) {
        deepest_ = 0;
        if (turn.needs_full_checks()) {
            play_equal<true>(turn, turn.root(), ~Mask{0}, dice.steps);
        } else {
            play_equal<false>(turn, turn.root(), ~Mask{0}, dice.steps);
        }
    } else if (turn.needs_full_checks()) {
        play_pair<true>(turn);
    } else {
        play_pair<false>(turn);
    }
    return plays_;
}

template <bool Careful>
void Generator::play_pair(const Turn& turn) {
    start_table();
    single_.clear();
    const Node root = turn.root();
    play_order<Careful>(turn, root, turn.dice().high, turn.dice().low);
    play_order<Careful>(turn, root, turn.dice().low, turn.dice().high);
    if (!plays_.empty()) return;
    if (single_.empty()) {
        add(root);
        return;
    }
    // Only one die can be played: the larger, if it is among them.
    const int die = path_die(single_.front().path, 0);
    for (const Play& play : single_) {
        if (path_die(play.path, 0) == die) plays_.push_back(play);
    }
}

template <bool Careful>
void Generator::play_order(const Turn& turn, const Node& root, int first, int second) {
    for (Mask froms = turn.origins<Careful>(root, first); froms != 0;) {
        const int origin = top(froms);
        froms &= ~bit(origin);
        const Node node = turn.step<Careful>(root, origin, first);
        Mask nexts = node.ended ? 0 : turn.origins<Careful>(node, second);
        if (nexts == 0) single_.push_back(play_of(node));
        while (nexts != 0) {
            const int next = top(nexts);
            nexts &= ~bit(next);
            add_new(turn.step<Careful>(node, next, second));
        }
    }
}

// Steps of one size, taken from the highest origin down, find every play once:
// - Every legal play may be so ordered. A step needs its checker, the open target and, to enter or bear
//   off, that nothing stands higher or outside; whatever made room for it started higher, so it still
//   comes before. No other rule of such a turn (`any_order`) depends on what was played before.
// - No two such orders end alike: from the top down, what has left each point can be read from the board.
// A branch that `allowed` cuts short has a longer ordering elsewhere, so only the deepest are kept.
template <bool Careful>
void Generator::play_equal(const Turn& turn, const Node& node, Mask allowed, int left) {
    const int die = turn.dice().high;
    Mask froms = left == 0 || node.ended ? 0 : turn.origins<Careful>(node, die) & allowed;
    if (froms == 0) {
        const int depth = node.ended ? turn.dice().steps : node.depth;  // only by the last checker off
        if (depth > deepest_) {
            deepest_ = depth;
            plays_.clear();
        }
        if (depth == deepest_) add(node);
        return;
    }
    while (froms != 0) {
        const int origin = top(froms);
        froms &= ~bit(origin);
        play_equal<Careful>(turn, turn.step<Careful>(node, origin, die), bit(origin + 1) - 1, left - 1);
    }
}

void Generator::start_table() {
    if (++epoch_ == 0x10000) {
        std::fill(table_.begin(), table_.end(), 0);
        epoch_ = 1;
    }
}

void Generator::add(const Node& node) { plays_.push_back(play_of(node)); }

void Generator::add_new(const Node& node) {
    const Play play = play_of(node);
    for (std::size_t slot = slot_of(play);; slot = (slot + 1) % kTableSize) {
        const std::uint32_t entry = table_[slot];
        if (entry >> 16 != epoch_) {
            table_[slot] = epoch_ << 16 | static_cast<std::uint32_t>(plays_.size());
            plays_.push_back(play);
            return;
        }
        if (plays_[entry & 0xFFFF] == play) return;
    }
}

const TurnGraph& Generator::explore(const Ruleset& rules, const State& state, const Throw& dice) {
    Turn turn(rules, state, dice);
    graph_.build(turn);
    const bool may_widen = rules.head_exception == HeadException::any_blocked && state.turns_mine == 0;
    if (may_widen && rules.head_limit != 0 && graph_.most_steps() < dice.steps && !graph_.can_end_game()) {
        turn.widen_head();
        graph_.build(turn);
    }
    return graph_;
}

const std::vector<Play>& Generator::plays_by_graph(const Ruleset& rules, const State& state, const Throw& dice) {
    plays_.clear();
    if (result(rules, state).kind != Kind::none) return plays_;
    explore(rules, state, dice);
    take_from_graph();
    return plays_;
}

// Nodes that differ in what only the rules of this turn asked (which die is left, who is a hitter)
// show the same position once the turn is over.
void Generator::take_from_graph() {
    finals_ = graph_.finals();
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const Node& left = graph_.node(a);
        const Node& right = graph_.node(b);
        if (left.mine != right.mine) return left.mine > right.mine;
        if (left.hits != right.hits) return left.hits > right.hits;
        if (left.mother_taken != right.mother_taken) return left.mother_taken;
        return a < b;
    };
    // A partial sort of all is as quick on so few and a fifth of the code, which browsers have to load.
    std::partial_sort(finals_.begin(), finals_.end(), finals_.end(), before);
    for (const auto i : finals_) {
        const Play play = play_of(graph_.node(i));
        if (plays_.empty() || !(plays_.back() == play)) plays_.push_back(play);
    }
}

}  // namespace sheshbesh
