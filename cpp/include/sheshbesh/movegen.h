// The legal plays of a throw: each distinct final position once, in a fixed order, with the steps
// of one way to reach it.
#pragma once

#include <cstdint>
#include <vector>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"
#include "sheshbesh/turn.h"
#include "sheshbesh/turn_graph.h"

namespace sheshbesh {

// A legal play, without the position before it.
struct Play {
    Counts mine = 0;  // the mover's checkers afterwards
    Mask hits = 0;    // where they hit, own numbering
    Path path = 0;
    std::uint8_t depth = 0;  // steps in `path`; 0 is a pass
    bool ended = false;
    bool mother_taken = false;

    // Two plays of one throw are the same when they leave the same board. What else a position holds
    // (pins, turns, what is owed) follows from the board and from the dice left over, and of those the
    // duty to play all leaves equally many after every play that does not end the game.
    bool operator==(const Play& other) const {
        return mine == other.mine && hits == other.hits && mother_taken == other.mother_taken;
    }
};

// The play that a final node of the turn stands for.
Play play_of(const Node& node);

// The position after `play`, a play of `dice` in `state`.
State position_after(const Ruleset& rules, const State& state, const Throw& dice, const Play& play);

// Generates plays. Holds the scratch memory, so keep one per thread and reuse it.
class Generator {
public:
    Generator();

    // The legal plays of `dice` (see `element`) in `state`. A game that is over has none; where
    // nothing can be played the only play is the pass. The result lives until the next call.
    const std::vector<Play>& plays(const Ruleset& rules, const State& state, const Throw& dice);

    // The same from the full graph, without the short cut: for proofs that both agree.
    const std::vector<Play>& plays_by_graph(const Ruleset& rules, const State& state, const Throw& dice);

    // The explored turn behind `plays_by_graph`, for questions about single steps.
    const TurnGraph& explore(const Ruleset& rules, const State& state, const Throw& dice);

private:
    template <bool Careful>
    void play_pair(const Turn& turn);
    template <bool Careful>
    void play_order(const Turn& turn, const Node& root, int first, int second);
    template <bool Careful>
    void play_equal(const Turn& turn, const Node& node, Mask allowed, int left);
    void add_new(const Node& node);
    void add(const Node& node);
    void take_from_graph();
    void start_table();

    std::vector<Play> plays_;
    std::vector<Play> single_;           // plays of one die only, high die first
    std::vector<std::uint32_t> table_;   // open addressing: epoch << 16 | index into plays_
    std::uint32_t epoch_ = 0;            // counts the throws, so that the table need not be cleared
    std::vector<std::uint32_t> finals_;  // finals of the graph, sorted by position
    int deepest_ = 0;                    // most steps of a double found so far
    TurnGraph graph_;
};

}  // namespace sheshbesh
