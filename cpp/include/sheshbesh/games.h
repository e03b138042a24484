// Games played one decision at a time, alone or many at once: what environments for learning are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sheshbesh/movegen.h"
#include "sheshbesh/random.h"

namespace sheshbesh {

struct GameOptions {
    bool first_double = true;  // whether the first throw of a game may be a double
    int longest = 2000;        // decisions after which a game is given up (some rule sets can lock)
};

// One game, always at a decision: dice are thrown by itself. An action is the index of a legal play in the order
// of Generator::plays, or of the double to be named, 0 for 1-1. A pass is the only play of its throw.
class Game {
public:
    // What the last decision brought.
    struct Outcome {
        int reward = 0;          // points won by the side that decided; negative if it lost them
        bool ended = false;      // the game is over
        bool truncated = false;  // it was given up
    };

    // What a game goes on from, dice to come included; its bytes mean something to the same build alone.
    struct Memory {
        Random random{0};
        State state;
        Throw dice;
        int decisions = 0;
    };

    Game(const Ruleset& rules, const GameOptions& options, std::uint64_t seed);

    Memory memory() const { return {random_, state_, dice_, decisions_}; }
    void recall(Generator& generator, const Memory& memory);

    // A new game; the side that starts is drawn.
    void restart(Generator& generator);
    // Makes the legal decision number `action`; after the end it waits for `restart`.
    Outcome step(Generator& generator, std::size_t action);

    const State& state() const { return state_; }
    // What is played; steps is 0 where a double is to be named.
    const Throw& dice() const { return dice_; }
    std::size_t actions() const { return naming() ? 6 : plays_.size(); }
    // The position after a decision, for the side that is on roll then. Naming a double leaves the position as it is.
    State after(std::size_t action) const;

private:
    bool naming() const { return dice_.steps == 0; }
    void throw_dice(Generator& generator, bool may_double);

    const Ruleset* rules_;
    GameOptions options_;
    Random random_;
    State state_;
    Throw dice_;
    std::vector<Play> plays_;
    int decisions_ = 0;
};

// No decision has more legal actions. Up to four equal steps are a choice, with repetition, of that many among
// the n checkers: C(n+4, 4) at most, since a play that ends the game may leave some out. Two different steps are a
// checker for each, one checker in either order, or a single step.
std::size_t most_actions(const Ruleset& rules);

// Many games of one rule set. A game that ends begins anew at once, with dice of its own that depend on the seed
// and on its place alone.
class Games {
public:
    Games(const Ruleset& rules, const GameOptions& options, std::size_t count, std::uint64_t seed);
    ~Games() = default;
    // The games refer to the rules by index.
    Games(const Games&) = delete;
    Games& operator=(const Games&) = delete;
    Games(Games&&) = delete;
    Games& operator=(Games&&) = delete;

    void reset();
    // One decision in every game; an index that is not legal leaves its game as it is and is marked in `illegal`.
    void step(std::span<const std::int32_t> actions);
    // What all of them, and the choice at random, go on from.
    struct Memory {
        Random random{0};
        std::vector<Game::Memory> games;
    };
    Memory memory() const;
    // Refuses the memory of another number of games; the outcomes of the last step are left as they are.
    void recall(const Memory& memory);
    // A legal decision for every game, uniformly.
    void choose_at_random(std::span<std::int32_t> actions);

    const Ruleset& rules() const { return rules_; }
    std::size_t size() const { return games_.size(); }
    std::size_t width() const { return width_; }
    const Game& operator[](std::size_t index) const { return games_[index]; }

    // Filled by `reset` and `step`; the memory stays where it is.
    std::vector<std::uint8_t> observations;  // size() rows as in rows.h, for the side to decide
    std::vector<std::int8_t> masks;          // size() times `width()`: 1 for each legal decision
    std::vector<std::int32_t> actions;       // how many decisions are legal
    std::vector<float> rewards;              // of the side that decided last
    std::vector<std::uint8_t> ended;         // whether its game ended; the row is that of the next game
    std::vector<std::uint8_t> truncated;     // whether it was given up
    std::vector<std::uint8_t> illegal;       // whether the decision was refused

private:
    void show(std::size_t index);

    Ruleset rules_;
    std::size_t width_;
    Generator generator_;
    Random random_;
    std::vector<Game> games_;
};

}  // namespace sheshbesh
