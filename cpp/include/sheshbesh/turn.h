// One turn in progress: which steps a rule set allows from a node, and what a step does.
//
// `Turn` holds what stays fixed while one side plays (in all games the enemy only changes by being
// hit, so the points closed to the mover never change within a turn). `Node` is the mover's board
// after some steps. Every rule about a single step is here and nowhere else.
#pragma once

#include <bit>
#include <cstdint>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"
#include "sheshbesh/types.h"

namespace sheshbesh {

// The steps of a play in the order played, one byte each: 3 bits die, 5 bits origin.
using Path = std::uint32_t;

constexpr Path path_step(int origin, int die) { return static_cast<Path>(origin << 3 | die); }
constexpr int path_origin(Path path, int index) { return static_cast<int>(path >> (8 * index + 3)) & 31; }
constexpr int path_die(Path path, int index) { return static_cast<int>(path >> (8 * index)) & 7; }

// Where a step ends: a checker from the bar or the hand enters on 25 - die.
constexpr int landing(int origin, int die) {
    const int from = origin == kBar ? 25 : origin;
    return from > die ? from - die : kOff;
}

// Hitters under a soft ban, three facts for each point of the own home (one byte each): whether a
// hitter stands on the point of its hit (`fresh`), how many moved on to an empty point (`clean`),
// how many moved on to own checkers (`spoiled`). The top byte: one was borne off.
class Hitters {
public:
    int fresh(int point) const { return static_cast<int>(word_ >> shift(point)) & 1; }
    int clean(int point) const { return static_cast<int>(word_ >> (shift(point) + 1)) & 7; }
    int spoiled(int point) const { return static_cast<int>(word_ >> (shift(point) + 4)) & 7; }
    int all(int point) const { return fresh(point) + clean(point) + spoiled(point); }

    void add_fresh(int point) { word_ |= std::uint64_t{1} << shift(point); }
    void release(int point) { word_ &= ~(std::uint64_t{1} << shift(point)); }
    void add_clean(int point, int change) { word_ += static_cast<std::uint64_t>(change) << (shift(point) + 1); }
    void add_spoiled(int point, int change) { word_ += static_cast<std::uint64_t>(change) << (shift(point) + 4); }
    void bear_off() { word_ |= kBorneOff; }

    bool any() const { return word_ != 0; }
    bool violated() const { return (word_ & (kBorneOff | kSpoiled)) != 0; }
    std::uint64_t word() const { return word_; }

private:
    static constexpr std::uint64_t kBorneOff = std::uint64_t{1} << 63;
    static constexpr std::uint64_t kSpoiled = 0x0000707070707070ull;
    static constexpr int shift(int point) { return 8 * (point - 1); }
    std::uint64_t word_ = 0;
};

enum class Hitter : std::uint8_t { ordinary, fresh, clean, spoiled };

struct Node {
    Counts mine = 0;
    Mask standing = 0;  // occupied(mine)
    Mask hits = 0;      // points hit in this turn, own numbering
    Path path = 0;
    Hitters hitters;
    std::uint8_t depth = 0;
    std::uint8_t left = 0;  // doubles: steps left; otherwise bit 0: the high die, bit 1: the low die
    bool ended = false;
    bool broke_ban = false;     // a hard ban that only yields to the dice was broken
    bool mother_taken = false;  // the enemy's mother was imprisoned for good
};

class Turn {
public:
    Turn(const Ruleset& rules, const State& state, const Throw& dice);

    const Ruleset& rules() const { return rules_; }
    const State& state() const { return state_; }
    const Throw& dice() const { return dice_; }

    // Lets one checker more leave the head, where that is limited.
    void widen_head() { ++head_limit_; }

    Node root() const;

    // The origins from which `die` can be played, as a mask. `Careful` false leaves out every rule
    // that `needs_full_checks` reports as not applicable in this turn.
    template <bool Careful>
    Mask origins(const Node& node, int die) const {
        if ((node.standing & bit(kBar)) != 0) [[unlikely]] {
            return from_bar(node, die);
        }
        Mask froms = node.standing & movable_ & (open_ << die);
        if (may_bear_off_ && (node.standing & gate_) == 0) froms |= bear_offs(node, die);
        if constexpr (Careful) {
            if (froms != 0) froms = filtered(node, die, froms);
        }
        return froms;
    }
    Mask origins(const Node& node, int die) const {
        return needs_full_checks_ ? origins<true>(node, die) : origins<false>(node, die);
    }

    // The node after one step; `as` selects which of several checkers there moves (soft ban only).
    template <bool Careful>
    Node step(const Node& node, int origin, int die, Hitter as = Hitter::ordinary) const {
        const int target = landing(origin, die);
        Node next = node;
        next.mine = node.mine - one(origin) + one(target);
        next.standing &= ~(Mask{count(next.mine, origin) == 0} << origin);
        next.standing |= bit(target) & ~bit(kOff);
        next.path |= path_step(origin, die) << (8 * node.depth);
        ++next.depth;
        if (hits_) next.hits |= blots_ & bit(target);
        if constexpr (Careful) note(node, next, origin, target, as);
        next.ended |= count(next.mine, kOff) == all_;
        return next;
    }
    Node step(const Node& node, int origin, int die, Hitter as = Hitter::ordinary) const {
        return step<true>(node, origin, die, as);
    }

    // Whether a rule about single steps beyond closed points and the plain bear-off can apply.
    bool needs_full_checks() const { return needs_full_checks_; }
    // Whether steps of equal size may be played from the highest point down without losing a play.
    bool any_order() const { return any_order_; }
    // Whether a soft ban can apply, so that the checkers on a point must be distinguished.
    bool tracks_hitters() const { return soft_ban_; }
    // Whether a checker may reach the home, and so be borne off, in this turn.
    bool may_bear_off_this_turn() const { return bear_off_near_; }

    // Whether a play may leave a lock that must be opened.
    bool may_lock() const {
        return rules_.must_open == MustOpen::any_lock ||
               (rules_.must_open == MustOpen::stack_behind && std::has_single_bit(enemy_));
    }

    // Whether landing on `target` now would hit or imprison an enemy checker.
    bool takes(const Node& before, int target) const {
        if (target == kOff || (blots_ & bit(target)) == 0) return false;
        return hits_ ? (before.hits & bit(target)) == 0 : (before.standing & bit(target)) == 0;
    }

    // Whether the mover's primes are permitted as they stand in this node.
    bool prime_permitted(const Node& node) const;
    // Whether all enemies stand locked behind six points held in this node (`must_open`).
    bool locks(const Node& node) const;

private:
    Mask from_bar(const Node& node, int die) const;
    Mask bear_offs(const Node& node, int die) const;
    Mask filtered(const Node& node, int die, Mask froms) const;
    bool runner_arrived(const Node& node) const;
    Mask runners_only(const Node& node, Mask froms) const;
    Mask keep_structure(const Node& node, int die, Mask froms) const;
    bool quarters_permitted(Mask held) const;
    void note(const Node& before, Node& next, int origin, int target, Hitter as) const;
    void note_hitter(const Node& before, Node& next, int origin, int target, Hitter as) const;
    void note_mother(const Node& before, Node& next) const;
    bool structure_can_bite();
    bool enemy_can_step(const Node& node) const;
    Mask held(const Node& node) const { return node.standing & kPoints & ~state_.pinned_mine; }

    const Ruleset& rules_;
    const State& state_;
    Throw dice_;
    Mask enemy_ = 0;    // points with enemies, own numbering of the mover
    Mask open_ = 0;     // points the mover may land on
    Mask blots_ = 0;    // points with one enemy that can be hit or imprisoned
    Mask movable_ = 0;  // where the mover's checkers are not imprisoned
    Mask gate_ = 0;     // while any checker stands here, none is borne off
    Mask opponent_quarter_ = 0;
    int all_ = 0;
    int head_limit_ = 0;  // how many checkers may leave 24 in this element; at most 0: none
    bool head_limited_ = false;
    bool hits_ = false;
    bool may_bear_off_ = true;
    bool runner_ = false;  // a runner is still on its way
    bool own_quarter_limited_ = false;
    bool structure_ = false;  // primes or quarters can apply
    bool soft_ban_ = false;
    bool hard_ban_ = false;
    bool mother_ = false;
    bool bear_off_near_ = false;
    bool needs_full_checks_ = false;
    bool any_order_ = true;
};

}  // namespace sheshbesh
