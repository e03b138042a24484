// What a player can count on the board after a play: shots, points, primes, pins, the race.
//
// Which of it matters follows from the axes of the rule set, so a user's own game is described like a shipped one. What
// one more of a feature is worth is a table of shapes here, times a weight for the game, which is measured.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sheshbesh/movegen.h"
#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

// The first five ask about the next throw of the other side, the others about what stands on the board.
enum class BoardFeature : std::uint8_t {
    shots,           // of 36 throws of the other side those that can hit at least one more checker
    pin_shots,       // the same where checkers are imprisoned
    exposed,         // the pips that such a throw costs at worst, on the average of all 36
    dances,          // of 36 throws those with which the other side cannot move at all
    hindered,        // of 36 throws those of which it can play a part only
    sent_back,       // enemy checkers on the bar
    on_bar,          // own checkers on the bar
    pins_held,       // enemy checkers imprisoned
    pins_suffered,   // own checkers imprisoned
    home_points,     // closed points at home, each with its own worth
    outside_points,  // the same outside
    anchors,         // the same in the other side's home
    blocks,          // closed points where one checker closes a point
    prime,           // the longest run of closed points with enemies still behind it
    prime_against,   // the same of the other side
    trapped,         // enemies behind such a run of four points or more
    captives,        // own checkers behind one
    back,            // own checkers in the other side's home, in hand and on the bar
    stuck,           // of 36 own throws those that could not be played in full, were it the own turn
    head,            // checkers on the head
    runner,          // 1 once the first checker has arrived, where the others wait for it
    stack,           // checkers on the tallest stack
    gaps,            // empty home points once all checkers are at home
    off,             // checkers borne off
    race,            // pips ahead
};
constexpr int kBoardFeatures = static_cast<int>(BoardFeature::race) + 1;
constexpr int kThrowFeatures = 5;

std::string_view name(BoardFeature feature);

// A run of closed points and the checkers behind it.
struct Run {
    int length = 0;
    int behind = 0;

    auto operator<=>(const Run&) const = default;
};

// A position as one side counts it, in its own numbering.
struct BoardView {
    // `own`: it is the side on roll.
    BoardView(const Ruleset& rules, const State& state, bool own);

    const Ruleset& rules;
    Counts mine;
    Counts theirs;       // in the numbering of the other side, as `held`
    Mask held;           // where an enemy checker lies imprisoned
    Mask suffered;       // where an own one does
    Mask closed;         // own points on which the other side may not land
    Mask closed_before;  // points closed by the other side, in own numbers
    bool has_contact;

    Run prime() const;          // the longest run of own closed points with enemies still behind it
    Run prime_against() const;  // the same of the other side with own checkers behind it
    int lead() const;           // pips ahead in the race
};

// What was counted, and what its shape says that it is worth to the side, before the weight of the game. `points` are
// those of a feature that names points; then `number` is how many they are.
struct Measured {
    double number = 0;
    double worth = 0;
    Mask points = 0;
};
using Features = std::array<std::optional<Measured>, kBoardFeatures>;

// What the next throw of the other side can do: of 36 throws those that can hit or imprison a checker more, of the
// others those with which it cannot move, those of which it can play a part only, and the rest. `reached` are the
// positions after its plays, those of a throw together.
struct NextThrow {
    enum Kind : std::uint8_t { harmful, dancing, partial, quiet };
    struct Answer {
        int weight = 0;
        Kind kind = quiet;
        std::size_t last = 0;  // where its positions end among `reached`
    };
    std::vector<Answer> answers;
    std::vector<State> reached;
    double pips = 0;  // what it costs at worst, on average

    int of(Kind kind) const;
};
// None where the other side does not throw next.
std::optional<NextThrow> next_throw(Generator& generator, const Ruleset& rules, const State& state, bool own);

// Everything that counts for a side; `own`: it is the side on roll; `next`: what `next_throw` finds. Left out is what
// the rules or the phase make meaningless, and what asks about a throw of the other side where that is not what comes
// next.
Features measure(Generator& generator, const Ruleset& rules, const State& state, bool own,
                 const std::optional<NextThrow>& next);
Features measure(Generator& generator, const Ruleset& rules, const State& state, bool own);

}  // namespace sheshbesh
