#include "sheshbesh/turn.h"

namespace sheshbesh {

namespace {

// The low ends of all runs of six or more points.
Mask runs_of_six(Mask points) {
    const Mask two = points & (points >> 1);
    const Mask four = two & (two >> 2);
    return four & (two >> 4);
}

bool is_exceptional_double(const Throw& dice) {
    return dice.same() && (dice.high == 3 || dice.high == 4 || dice.high == 6);
}

}  // namespace

Turn::Turn(const Ruleset& rules, const State& state, const Throw& dice) : rules_(rules), state_(state), dice_(dice) {
    const Mask mine = occupied(state.mine);
    enemy_ = rules.mirrored(occupied(state.theirs) & kPoints);
    const Mask stacks = rules.mirrored(stacked(state.theirs) & kPoints);
    hits_ = rules.contact == Contact::hit;
    const Mask closed = rules.contact == Contact::block ? enemy_ : hits_ ? stacks : stacks | state.pinned_mine;
    blots_ = rules.contact == Contact::block ? 0 : enemy_ & ~stacks & ~state.pinned_mine;
    open_ = rules.is_lifted(Rule::point_closed) ? kPoints : kPoints & ~closed;
    movable_ = rules.is_lifted(Rule::captive) ? ~Mask{0} : ~state.pinned_mine;
    gate_ = rules.is_lifted(Rule::bear_off_all_home) ? 0 : ~kHome;
    may_bear_off_ = !(rules.pinned_blocks_bearoff && state.pinned_mine != 0);
    all_ = rules.checkers;
    opponent_quarter_ = rules.mirrored(kStartQuarter);

    head_limited_ = rules.head_limit != 0;
    head_limit_ = rules.head_limit - state.pending.head;
    if (head_limited_ && state.turns_mine == 0) {
        const bool doubles = rules.head_exception == HeadException::any_double && dice.same();
        const bool three = rules.head_exception == HeadException::three_doubles && is_exceptional_double(dice);
        if (doubles || three) ++head_limit_;
    }

    int outside = 0;
    for (Mask far = mine & ~kHome; far != 0; far &= far - 1) outside += count(state.mine, lowest(far));
    bear_off_near_ = outside < dice.steps || rules.is_lifted(Rule::bear_off_all_home);

    const bool home_blots = hits_ && (blots_ & kHome) != 0;
    soft_ban_ = rules.hit_run_ban == HitRunBan::soft && home_blots;
    hard_ban_ = rules.hit_run_ban == HitRunBan::hard && home_blots;
    mother_ = rules.mother != Mother::off && count(state.theirs, 24) == 1;
    structure_ = structure_can_bite();
    runner_ = rules.runner_to != RunnerTo::none && !runner_arrived(root());
    const bool odd_bear_off = bear_off_near_ && (rules.overshoot == Overshoot::loose || !rules.inside_moves);
    // Rules whose answer depends on the steps before. The head only counts, so it bears any order.
    const bool ordered = rules.stack_cap != 0 || runner_ || structure_ || hard_ban_ || soft_ban_ || mother_ ||
                         odd_bear_off || rules.lifted != 0;
    needs_full_checks_ = ordered || head_limited_;
    any_order_ = !ordered;
}

Node Turn::root() const {
    Node node;
    node.mine = state_.mine;
    node.standing = occupied(state_.mine);
    node.left = static_cast<std::uint8_t>(dice_.same() ? dice_.steps : 3);
    return node;
}

Mask Turn::from_bar(const Node& node, int die) const {
    const Mask entry = (open_ & bit(25 - die)) != 0 ? bit(kBar) : 0;
    const bool capped = rules_.stack_cap != 0 && count(node.mine, 25 - die) >= rules_.stack_cap;
    Mask froms = capped ? 0 : entry;
    if (structure_) froms = keep_structure(node, die, froms);
    if (!rules_.is_lifted(Rule::enter_first)) return froms;
    Node others = node;
    others.standing &= ~bit(kBar);
    // What waits on the bar is not home, whatever else is lifted.
    const Mask off = gate_ != 0 ? range(1, die) : 0;
    return froms | (origins<true>(others, die) & ~off);
}

Mask Turn::bear_offs(const Node& node, int die) const {
    const Mask inside = node.standing & kHome;
    if (rules_.is_lifted(Rule::bear_off_number)) return inside & movable_ & (bit(die + 1) - 1);
    Mask froms = inside & bit(die);
    if (rules_.overshoot == Overshoot::from_highest) {
        if (inside != 0 && inside < bit(die)) froms |= bit(top(inside));
    } else if (rules_.overshoot == Overshoot::loose && froms == 0) {
        froms |= inside & (bit(die) - 1);
    }
    return froms & movable_;
}

Mask Turn::filtered(const Node& node, int die, Mask froms) const {
    if (rules_.stack_cap != 0) froms &= ~((holding(node.mine, rules_.stack_cap) & kPoints) << die);
    if (head_limited_ && (froms & bit(24)) != 0) {
        int left_head = 0;
        for (int i = 0; i < node.depth; ++i) left_head += path_origin(node.path, i) == 24;
        if (left_head >= head_limit_) froms &= ~bit(24);
    }
    if (runner_ && !runner_arrived(node)) froms = runners_only(node, froms);
    if (hard_ban_ && rules_.hit_run_priority == HitRunPriority::absolute) {
        for (Mask hit = node.hits & kHome & froms; hit != 0; hit &= hit - 1) {
            if (count(node.mine, lowest(hit)) == 1) froms &= ~bit(lowest(hit));
        }
    }
    if (!rules_.inside_moves && (node.standing & ~kHome) == 0) froms &= bear_offs(node, die);
    if (structure_) froms = keep_structure(node, die, froms);
    return froms;
}

bool Turn::runner_arrived(const Node& node) const {
    const Mask goal = rules_.runner_to == RunnerTo::home ? kHome : range(1, 11);
    return (node.standing & goal) != 0 || count(node.mine, kOff) > 0;
}

Mask Turn::runners_only(const Node& node, Mask froms) const {
    const Mask left_head = node.standing & range(1, 23);
    return froms & ((left_head != 0 ? left_head : bit(24)) | bit(kHand));
}

Mask Turn::keep_structure(const Node& node, int die, Mask froms) const {
    Mask kept = 0;
    for (Mask rest = froms; rest != 0; rest &= rest - 1) {
        const int origin = lowest(rest);
        const Node next = step<false>(node, origin, die);
        if (rules_.prime_transit && !prime_permitted(next)) continue;
        if (quarters_permitted(held(next))) kept |= bit(origin);
    }
    return kept;
}

bool Turn::quarters_permitted(Mask points) const {
    if (std::popcount(points & opponent_quarter_) > rules_.opponent_quarter) return false;
    return !own_quarter_limited_ || std::popcount(points & kStartQuarter) <= rules_.own_quarter;
}

bool Turn::prime_permitted(const Node& node) const {
    if (rules_.prime_allowed == PrimeAllowed::always) return true;
    const Mask runs = runs_of_six(rules_.mirrored(held(node)));
    if (runs == 0) return true;
    if (rules_.prime_allowed == PrimeAllowed::may_move) {
        return enemy_can_step(node);
    }
    const Mask enemies = occupied(state_.theirs) & kPoints & ~rules_.mirrored(node.hits);
    // An enemy below the lowest run is below every run.
    const Mask ahead = rules_.prime_allowed == PrimeAllowed::in_home ? kHome : bit(lowest(runs)) - 1;
    return (enemies & ahead) != 0;
}

bool Turn::locks(const Node& node) const {
    const Mask points = rules_.mirrored(held(node));
    const Mask enemies = occupied(state_.theirs) & kPoints;
    if (rules_.must_open == MustOpen::stack_behind) {
        if (std::popcount(enemies) != 1 || count(state_.theirs, lowest(enemies)) != rules_.checkers) return false;
        const int stack = lowest(enemies);
        return stack > 6 && (points >> (stack - 6) & 0x3F) == 0x3F;
    }
    return !enemy_can_step(node);
}

// Whether the enemy could play any single number if the turn ended in this node.
bool Turn::enemy_can_step(const Node& node) const {
    Ruleset rules = rules_;
    // What is lifted for an explanation is lifted for the mover, not for the enemy.
    rules.lifted = 0;
    // Whether a run of theirs leaves the mover a number would be asked of the mover again, and so on.
    if (rules.prime_allowed == PrimeAllowed::may_move) rules.prime_allowed = PrimeAllowed::always;
    const State reply = swapped(board_after(rules, state_, node.mine, node.hits));
    for (int die = 1; die <= 6; ++die) {
        const Turn turn(rules, reply, Throw{die, die, 1});
        if (turn.origins(turn.root(), die) != 0) return true;
    }
    return false;
}

bool Turn::structure_can_bite() {
    const bool primes = rules_.prime_allowed != PrimeAllowed::always;
    const Mask theirs = occupied(state_.theirs);
    const bool off = count(state_.theirs, kOff) > 0;
    const auto reached = [&](Mask goal) { return off || (theirs & goal) != 0; };
    const bool released = rules_.quarter_until == QuarterUntil::enemy_home     ? reached(kHome)
                          : rules_.quarter_until == QuarterUntil::enemy_passed ? reached(range(1, 11))
                                                                               : false;
    own_quarter_limited_ = rules_.own_quarter < 6 && !released;
    if (!primes && !own_quarter_limited_ && rules_.opponent_quarter == 6) return false;

    // Every point that could be held at some moment of this turn.
    Mask reach = occupied(state_.mine);
    if ((reach & bit(kBar)) != 0) reach |= open_ & (bit(25 - dice_.high) | bit(25 - dice_.low));
    reach &= ~bit(kBar);
    for (int i = 0; i < dice_.steps; ++i) {
        reach |= open_ & ((reach >> dice_.high) | (reach >> dice_.low));
    }
    reach &= kPoints;
    if (primes && runs_of_six(rules_.mirrored(reach)) != 0) return true;
    return (own_quarter_limited_ && std::popcount(reach & kStartQuarter) > rules_.own_quarter) ||
           std::popcount(reach & opponent_quarter_) > rules_.opponent_quarter;
}

void Turn::note(const Node& before, Node& next, int origin, int target, Hitter as) const {
    if (soft_ban_) note_hitter(before, next, origin, target, as);
    if (hard_ban_ && (before.hits & kHome & bit(origin)) != 0 && count(before.mine, origin) == 1) {
        next.broke_ban = true;
    }
    if (mother_) note_mother(before, next);
}

// Keeps the record of `Hitters`: `as` is the checker on the origin that has moved.
void Turn::note_hitter(const Node& before, Node& next, int origin, int target, Hitter as) const {
    const bool hitter = as != Hitter::ordinary;
    if (as == Hitter::fresh) next.hitters.release(origin);
    if (as == Hitter::clean) next.hitters.add_clean(origin, -1);
    if (as == Hitter::spoiled) next.hitters.add_spoiled(origin, -1);
    if (target == kOff) {
        if (hitter) next.hitters.bear_off();
    } else if (takes(before, target)) {
        if ((bit(target) & kHome) != 0) next.hitters.add_fresh(target);
    } else if (count(before.mine, target) > 0) {
        if ((bit(target) & kHome) != 0) next.hitters.release(target);
        if (hitter) next.hitters.add_spoiled(target, 1);
    } else if (hitter) {
        next.hitters.add_clean(target, 1);
    }
}

void Turn::note_mother(const Node& before, Node& next) const {
    const Mothers pinned = mothers(rules_, next.mine, state_.theirs, state_.pinned_mine);
    if (!pinned.theirs_pinned) return;
    const bool sealed = count(next.mine, 24) == 0;
    if (pinned.mine_pinned || (sealed && rules_.mother == Mother::at_once)) {
        next.ended = true;
        return;
    }
    // Only the step that seals the loss counts: two lost mothers cancel, though a pin may still stand.
    const bool was_sealed =
        count(before.mine, 24) == 0 && mothers(rules_, before.mine, state_.theirs, state_.pinned_mine).theirs_pinned;
    if (sealed && !was_sealed && !state_.their_mother_lost) next.mother_taken = true;
}

}  // namespace sheshbesh
