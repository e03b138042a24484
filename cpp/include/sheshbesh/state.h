// A position as the rules see it: everything they can ask about, from the side of the player on
// roll. Which colour that is, is carried along but never asked.
#pragma once

#include <cstdint>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/types.h"

namespace sheshbesh {

// What must be played before the next throw: an element of a chain, or a double still to be named.
struct Pending {
    std::uint8_t die = 0;        // number of each step; 0: nothing is owed
    std::uint8_t second = 0;     // the other, smaller number of a simple throw handed over; 0: none
    std::uint8_t steps = 0;      // how many steps are owed
    bool rest = false;           // the elements die+1 ... 6 follow, four steps each
    bool then_throw = false;     // afterwards the same side throws; otherwise its turn is over
    bool choose_double = false;  // the side on roll first names a double
    std::uint8_t head = 0;       // checkers that left 24 earlier in this roll; asked only by a head limit

    bool any() const { return steps != 0 || choose_double; }
    bool operator==(const Pending&) const = default;
};

struct State {
    Counts mine = 0;              // the side on roll, own numbering
    Counts theirs = 0;            // the other side, its own numbering
    Mask pinned_mine = 0;         // my points where my checker lies under an enemy
    Mask pinned_theirs = 0;       // the same for the other side, in its numbering
    std::uint8_t turns_mine = 0;  // finished turns, counted as far as the rules ask
    std::uint8_t turns_theirs = 0;
    bool black_on_roll = false;
    bool i_started = false;  // asked only where the second player has a last turn
    bool they_started = false;
    bool my_mother_lost = false;  // asked only where a lost mother is played on
    bool their_mother_lost = false;
    Pending pending;

    bool operator==(const State&) const = default;
};

// The throw, or the element of a chain, that is being played: `steps` times `high` when both
// numbers are equal, else one step of each.
struct Throw {
    int high = 0;
    int low = 0;
    int steps = 0;

    bool same() const { return high == low; }
};

enum class Kind : std::uint8_t {
    none,
    single,
    gammon,
    backgammon,
    home_mars,
    koks,
    count,
    difference,
    closed_area,
    mother,
    tie,
};

enum class Winner : std::uint8_t { nobody, on_roll, other };

struct GameResult {
    Kind kind = Kind::none;  // none: the game goes on
    Winner winner = Winner::nobody;
    int points = 0;
};

// The start of a game, the starter on roll.
State start(const Ruleset& rules, bool black_starts);

// The result of a game, read from the position alone, whoever is on roll.
GameResult result(const Ruleset& rules, const State& state);

// The throw `first`, `second` in this position, or the element that is owed there.
Throw element(const Ruleset& rules, const State& state, int first, int second);

// The same position seen by the other side, who is then on roll.
State swapped(const State& state);

// The board after the mover's checkers came to stand as in `mine` and hit on `hits`; still seen by
// the mover, the turn not yet passed.
State board_after(const Ruleset& rules, const State& state, Counts mine, Mask hits);

// What a play did, apart from the position it was made in.
struct Played {
    Counts mine = 0;            // the mover's checkers as it left them
    Mask hits = 0;              // where it hit, own numbering of the mover
    int used = 0;               // steps played
    int unplayed = 0;           // the number on the die left over; asked only after one die of two
    bool ended = false;         // it ended the game
    bool mother_taken = false;  // it sealed the loss of the enemy's mother
};

// The position after a play of `dice`, the next side on roll.
State after(const Ruleset& rules, const State& state, const Throw& dice, const Played& played);

// The two imprisonments that decide games with a mother, seen from the side on roll.
struct Mothers {
    bool mine_pinned = false;
    bool theirs_pinned = false;
};
inline Mothers mothers(const Ruleset& rules, Counts mine, Counts theirs, Mask pinned_mine) {
    const int their_start = rules.mirrored(24);
    return {(pinned_mine & bit(24)) != 0,
            count(theirs, 24) == 1 && count(mine, their_start) > 0 && (pinned_mine & bit(their_start)) == 0};
}

}  // namespace sheshbesh
