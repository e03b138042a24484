// Every order of the steps of one turn as a graph, with equal intermediate states merged, and the
// duties of the whole play judged on it. This is the full generator: slower than the short cut in
// movegen.cpp, right for every rule, and the one place that implements the duties.
//
// Merging keeps it small: four steps of a double lead to a few thousand states at most, whatever
// the number of orders.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sheshbesh/turn.h"

namespace sheshbesh {

// One step of a play as asked from outside: the same numbers as in a path.
struct Step {
    int origin = 0;
    int die = 0;

    bool operator==(const Step&) const = default;
};

// A step that may follow, and the stage of the turn it leads to.
struct Onward {
    Step step;
    std::uint32_t stage = 0;
};

// What a player can see of a turn in progress: the same for all orders of steps that lead to the same board.
struct Stage {
    bool is_whole = false;   // the steps so far make a legal play
    std::uint32_t node = 0;  // one of the states it stands for; all show the same board
    std::vector<Onward> onward;
};

class TurnGraph {
public:
    // Explores the turn and marks what the duties leave.
    void build(const Turn& turn);

    // The nodes that are final positions of legal plays; several may show the same position.
    const std::vector<std::uint32_t>& finals() const { return finals_; }
    const Node& node(std::uint32_t index) const { return nodes_[index]; }

    // The most steps that any order of the dice reaches, whatever the duties.
    int most_steps() const;
    // Whether some order ends the game.
    bool can_end_game() const;

    // The steps that can still lead to a legal play after `done`, highest origin first, each once.
    std::vector<Step> next_steps(const std::vector<Step>& done) const;

    // The whole turn as a board needs it: every stage that a legal play passes through, from the start of
    // the turn (the first) on. Where a step can be meant in several ways they are one step here.
    std::vector<Stage> stages() const;

    // The final node of a legal play that consists of `steps` in some order.
    std::optional<std::uint32_t> find(std::vector<Step> steps) const { return reach(0, steps); }

    // Whether `done`, in this order, is the beginning of a legal play (or a whole one).
    bool leads_on(const std::vector<Step>& done) const { return !follow(done).empty(); }

private:
    struct Edge {
        std::uint32_t target;
        Path step;
        bool bears_off;
        bool closed = false;  // a bear-off had to be chosen instead
    };

    void clear();
    std::span<const Edge> edges_from(std::uint32_t index) const {
        return std::span(edges_).subspan(first_edge_[index], first_edge_[index + 1] - first_edge_[index]);
    }
    bool is_open(const Edge& edge) const { return !edge.closed && reachable_[edge.target] != 0; }
    void expand(const Turn& turn, std::uint32_t index);
    void expand_die(const Turn& turn, std::uint32_t index, int die, std::uint8_t left, Mask froms);
    std::uint32_t intern(const Node& node);
    void grow_table();
    bool is_candidate(const Turn& turn, std::uint32_t index) const;
    void choose_finals(const Turn& turn);
    void keep_duty(const Turn& turn);
    void keep_tie(const Turn& turn);
    void keep_clean(const Turn& turn);
    void keep_open(const Turn& turn);
    void mark_viable();
    void force_bearoffs();
    void retrace();
    template <class Predicate>
    void keep_if_any(Predicate predicate);
    std::vector<std::uint32_t> follow(const std::vector<Step>& done) const;
    std::optional<std::uint32_t> reach(std::uint32_t index, std::vector<Step>& steps) const;

    // In the order of their depth, so that every edge leads to a later node.
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> first_edge_;  // edges of node i: first_edge_[i] .. first_edge_[i + 1]
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> finals_;    // ascending
    std::vector<std::uint8_t> viable_;     // can still end in a final
    std::vector<std::uint8_t> reachable_;  // by edges that are not closed, and viable
    std::vector<std::uint32_t> table_;
};

}  // namespace sheshbesh
