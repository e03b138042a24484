// A position taken apart by colour, possible or not: what an id carries, and what somebody puts up on a board.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"
#include "sheshbesh/types.h"

namespace sheshbesh {

// One side, in its own numbering.
struct OneSide {
    std::array<int, 27> counts{};  // by the indices of types.h
    Mask pinned = 0;
    int turns = 0;  // finished, as far as the rules ask
};

struct Description {
    std::array<OneSide, 2> sides{};  // White's, Black's
    Colour turn = Colour::white;
    std::optional<Colour> starter;      // asked only where the second player has a last turn
    std::optional<Colour> mother_lost;  // asked only where a lost mother is played on
    Pending pending;
};

// What is wrong with an id, with checkers, with a history: with each part in the order in which it is looked for.
enum class Fault : std::uint8_t {
    id_long,
    id_side,
    id_stack,
    id_pin,
    id_most,
    id_few,
    id_field,
    id_order,
    id_turns,
    count,
    bar,
    hand,
    pinned,
    high,
    under,
    shared,
    name,
    several,
    starter,
    mother,
    head,
    choose,
    owed,
    chain,
    then,
    simple,
};
constexpr int kFaults = static_cast<int>(Fault::simple) + 1;
std::string_view fault_name(Fault fault);
// Whether the text of an id cannot be read; the others are about what it says.
constexpr bool is_unreadable(Fault fault) { return fault <= Fault::id_turns; }

constexpr std::string_view kNoText;

// A fault with what there is to say of it; 0 and nothing where there is not.
struct Problem {
    Fault fault = Fault::id_long;
    std::optional<Colour> side = std::nullopt;
    int n = 0;                         // what was found: a number of checkers, of points, a column of a text
    int most = 0;                      // what would be right
    int point = 0;                     // of White's
    std::string_view field = kNoText;  // the part of the text that it is about
};

// The position in the words of its sides.
Description described(const State& state);

// Everything that makes the checkers impossible; pins that leave no choice are filled in.
std::vector<Problem> checker_problems(const Ruleset& rules, Description& description);

// The parts of a history that the rules never ask: they would make equal positions differ.
std::vector<Problem> history_problems(const Ruleset& rules, const Description& description);

// Whether a side's checkers stand as at the start of a game, none of them off.
bool stands_at_start(const Ruleset& rules, const OneSide& side);

// A history as the checkers let suppose: a side that does not stand at the start has finished turns.
void suppose_turns(const Ruleset& rules, Description& description);

// The position of a description without problems.
State state_of(const Ruleset& rules, const Description& description);

}  // namespace sheshbesh
