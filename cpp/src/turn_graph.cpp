#include "sheshbesh/turn_graph.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace sheshbesh {

namespace {

constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    return x ^ (x >> 32);
}

std::size_t hash(const Node& node) {
    std::uint64_t h = mix(static_cast<std::uint64_t>(node.mine));
    h = mix(h ^ static_cast<std::uint64_t>(node.mine >> 64) ^ (std::uint64_t{node.hits} << 8) ^ node.left);
    return static_cast<std::size_t>(node.hitters.any() ? mix(h ^ node.hitters.word()) : h);
}

bool same_state(const Node& a, const Node& b) {
    return a.mine == b.mine && a.hits == b.hits && a.left == b.left && a.hitters.word() == b.hitters.word() &&
           a.broke_ban == b.broke_ban && a.mother_taken == b.mother_taken;
}

// Pips of the steps; a checker borne off has played the number of its point. Every path to a node
// gives the same, but four steps are counted faster than a board.
int pips_played(const Node& node) {
    int total = 0;
    for (int i = 0; i < node.depth; ++i) {
        const int origin = path_origin(node.path, i);
        const int die = path_die(node.path, i);
        total += landing(origin, die) == kOff ? origin : die;
    }
    return total;
}

bool bore_off_all(const Turn& turn, const Node& node) { return count(node.mine, kOff) == turn.rules().checkers; }

// Whether a mother has decided the game here: what is left of the throw is not played.
bool ended_early(const Turn& turn, const Node& node) { return node.ended && !bore_off_all(turn, node); }

// The number of the next step when all are equal, or of the high (0) or low (1) die.
int die_of(const Throw& dice, std::size_t which) { return which == 0 ? dice.high : dice.low; }

}  // namespace

void TurnGraph::clear() {
    nodes_.clear();
    first_edge_.clear();
    edges_.clear();
    finals_.clear();
    if (table_.size() > 4096) table_.clear();
    if (table_.empty()) table_.resize(512);
    std::fill(table_.begin(), table_.end(), kEmpty);
}

void TurnGraph::build(const Turn& turn) {
    clear();
    intern(turn.root());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
        if (!nodes_[i].ended) expand(turn, i);
    }
    first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    choose_finals(turn);
    mark_viable();
    if (turn.rules().forced_bearoff == ForcedBearoff::after_duty && turn.may_bear_off_this_turn()) {
        force_bearoffs();
    } else {
        reachable_ = viable_;
    }
    if (turn.rules().must_open != MustOpen::off) {
        keep_open(turn);
        mark_viable();
        for (std::size_t i = 0; i < nodes_.size(); ++i) reachable_[i] &= viable_[i];
    }
}

void TurnGraph::expand(const Turn& turn, std::uint32_t index) {
    const Throw& dice = turn.dice();
    const std::uint8_t left = nodes_[index].left;
    // For each die that is left: the origins it may be played from, and what is left after it.
    std::array<Mask, 2> froms{};
    std::array<std::uint8_t, 2> fewer{};
    if (dice.same()) {
        if (left == 0) return;
        froms[0] = turn.origins(nodes_[index], dice.high);
        fewer[0] = static_cast<std::uint8_t>(left - 1);
    } else {
        for (std::size_t which = 0; which < 2; ++which) {
            if ((left >> which & 1) == 0) continue;
            froms[which] = turn.origins(nodes_[index], die_of(dice, which));
            fewer[which] = static_cast<std::uint8_t>(left & ~(1 << which));
        }
    }
    if (turn.rules().forced_bearoff == ForcedBearoff::before_duty) {
        const std::array<Mask, 2> off = {froms[0] & range(1, dice.high), froms[1] & range(1, dice.low)};
        if ((off[0] | off[1]) != 0) froms = off;
    }
    for (std::size_t which = 0; which < 2; ++which) {
        expand_die(turn, index, die_of(dice, which), fewer[which], froms[which]);
    }
}

void TurnGraph::expand_die(const Turn& turn, std::uint32_t index, int die, std::uint8_t left, Mask froms) {
    while (froms != 0) {
        const int origin = top(froms);
        froms &= ~bit(origin);
        const bool bears_off = landing(origin, die) == kOff;
        const auto add = [&](Hitter as) {
            Node next = turn.step(nodes_[index], origin, die, as);
            next.left = left;
            edges_.push_back({intern(next), path_step(origin, die), bears_off});
        };
        if (!turn.tracks_hitters() || (bit(origin) & kHome) == 0) {
            add(Hitter::ordinary);
            continue;
        }
        const Hitters hitters = nodes_[index].hitters;
        if (count(nodes_[index].mine, origin) > hitters.all(origin)) add(Hitter::ordinary);
        if (hitters.fresh(origin) > 0) add(Hitter::fresh);
        if (hitters.clean(origin) > 0) add(Hitter::clean);
        if (hitters.spoiled(origin) > 0) add(Hitter::spoiled);
    }
}

std::uint32_t TurnGraph::intern(const Node& node) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t slot = hash(node) & mask;; slot = (slot + 1) & mask) {
        const std::uint32_t known = table_[slot];
        if (known == kEmpty) {
            const auto index = static_cast<std::uint32_t>(nodes_.size());
            table_[slot] = index;
            nodes_.push_back(node);
            if (nodes_.size() * 2 > table_.size()) grow_table();
            return index;
        }
        if (same_state(nodes_[known], node)) return known;
    }
}

void TurnGraph::grow_table() {
    table_.assign(table_.size() * 4, kEmpty);
    const std::size_t mask = table_.size() - 1;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        std::size_t slot = hash(nodes_[i]) & mask;
        while (table_[slot] != kEmpty) slot = (slot + 1) & mask;
        table_[slot] = i;
    }
}

int TurnGraph::most_steps() const {
    int most = 0;
    for (const Node& node : nodes_) most = std::max<int>(most, node.depth);
    return most;
}

bool TurnGraph::can_end_game() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.ended; });
}

// What a play must satisfy to exist at all, whatever the dice ask.
bool TurnGraph::is_candidate(const Turn& turn, std::uint32_t index) const {
    const Node& node = nodes_[index];
    const Ruleset& rules = turn.rules();
    if (rules.hit_run_priority == HitRunPriority::absolute && node.hitters.violated()) return false;
    return rules.prime_transit || turn.prime_permitted(node);
}

void TurnGraph::choose_finals(const Turn& turn) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        if (is_candidate(turn, i)) finals_.push_back(i);
    }
    // Where no play may end, nothing is played.
    if (finals_.empty()) finals_.push_back(0);
    keep_duty(turn);
    keep_tie(turn);
    keep_clean(turn);
}

// Keeps the finals that satisfy `predicate`, unless none does.
template <class Predicate>
void TurnGraph::keep_if_any(Predicate predicate) {
    if (std::any_of(finals_.begin(), finals_.end(), predicate)) {
        finals_.erase(std::remove_if(finals_.begin(), finals_.end(), [&](auto i) { return !predicate(i); }),
                      finals_.end());
    }
}

void TurnGraph::keep_duty(const Turn& turn) {
    // A play that ends the game by imprisoning has nothing left to play: it satisfies the duty whatever
    // its length, and asks nothing of the others but the dice it used. Bearing off the last checker is no
    // such excuse: if the whole throw can be played it must be, which may take a hit on the way. The
    // short way is let pass only where it comes to the same.
    const auto all_off = [&](std::uint32_t i) { return bore_off_all(turn, nodes_[i]); };
    const auto complete = [&](std::uint32_t i) { return ended_early(turn, nodes_[i]); };
    switch (turn.rules().dice_duty) {
        case DiceDuty::all: {
            int most = 0;
            for (const auto i : finals_) most = std::max<int>(most, nodes_[i].depth);
            const auto full = [&](std::uint32_t i) { return nodes_[i].depth == most; };
            const std::vector<std::uint32_t> finals = finals_;
            const auto same_as_full = [&](std::uint32_t i) {
                const Node& node = nodes_[i];
                return std::any_of(finals.begin(), finals.end(), [&](auto j) {
                    const Node& other = nodes_[j];
                    return full(j) && all_off(j) && other.hits == node.hits && other.mother_taken == node.mother_taken;
                });
            };
            keep_if_any([&](std::uint32_t i) { return full(i) || complete(i) || (all_off(i) && same_as_full(i)); });
            break;
        }
        case DiceDuty::voluntary:
            keep_if_any([&](std::uint32_t i) { return nodes_[i].depth > 0; });
            break;
        case DiceDuty::blocking:
            keep_if_any([&](std::uint32_t i) { return first_edge_[i] == first_edge_[i + 1]; });
            break;
    }
}

void TurnGraph::keep_tie(const Turn& turn) {
    if (turn.rules().dice_duty != DiceDuty::all) return;
    int most = 0;
    for (const auto i : finals_) most = std::max<int>(most, nodes_[i].depth);
    if (turn.rules().duty_tie == DutyTie::larger && !turn.dice().same() && most == 1) {
        // All ways to a node used the same dice (`left` is part of it), so any path shows which.
        const auto larger = [&](std::uint32_t i) { return path_die(nodes_[i].path, 0) == turn.dice().high; };
        if (std::any_of(finals_.begin(), finals_.end(), larger)) {
            keep_if_any([&](std::uint32_t i) { return larger(i) || nodes_[i].ended; });
        }
    }
    if (turn.rules().duty_tie == DutyTie::pips) {
        int pips = 0;
        for (const auto i : finals_) {
            if (nodes_[i].depth == most) pips = std::max(pips, pips_played(nodes_[i]));
        }
        keep_if_any([&](std::uint32_t i) { return pips_played(nodes_[i]) == pips || ended_early(turn, nodes_[i]); });
    }
}

void TurnGraph::keep_clean(const Turn& turn) {
    if (turn.rules().hit_run_priority != HitRunPriority::dice_first) return;
    keep_if_any([&](std::uint32_t i) { return !nodes_[i].broke_ban && !nodes_[i].hitters.violated(); });
}

void TurnGraph::keep_open(const Turn& turn) {
    keep_if_any([&](std::uint32_t i) { return !turn.locks(nodes_[i]); });
}

void TurnGraph::mark_viable() {
    viable_.assign(nodes_.size(), 0);
    for (const auto i : finals_) viable_[i] = 1;
    // Nodes are found in the order of their depth, and nodes of different depth are never merged
    // (`left` differs), so a step always leads to a later node: one pass backwards sees every way on.
    for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
        for (const Edge& edge : edges_from(i)) {
            if (!edge.closed) viable_[i] |= viable_[edge.target];
        }
    }
}

// Step by step: where a bear-off continues a play that satisfies the duties, no other step does.
void TurnGraph::force_bearoffs() {
    reachable_.assign(nodes_.size(), 0);
    reachable_[0] = viable_[0];
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (reachable_[i] == 0) continue;
        const auto viable = [&](const Edge& edge) { return viable_[edge.target] != 0; };
        const auto begin = edges_.begin() + first_edge_[i];
        const auto end = edges_.begin() + first_edge_[i + 1];
        const bool must = std::any_of(begin, end, [&](const Edge& edge) { return edge.bears_off && viable(edge); });
        for (auto edge = begin; edge != end; ++edge) {
            if (!viable(*edge)) continue;
            if (!must || edge->bears_off) {
                reachable_[edge->target] = 1;
            } else {
                edge->closed = true;  // this way, not the node: another order may lead there
            }
        }
    }
    finals_.erase(std::remove_if(finals_.begin(), finals_.end(), [&](auto i) { return reachable_[i] == 0; }),
                  finals_.end());
    retrace();
}

// Gives every node the steps of a way that is still open.
void TurnGraph::retrace() {
    std::vector<std::uint8_t> traced(nodes_.size(), 0);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        if (reachable_[i] == 0) continue;
        for (const Edge& edge : edges_from(i)) {
            if (!is_open(edge) || traced[edge.target] != 0) continue;
            traced[edge.target] = 1;
            nodes_[edge.target].path = nodes_[i].path | edge.step << (8 * nodes_[i].depth);
        }
    }
}

std::vector<Stage> TurnGraph::stages() const {
    if (nodes_.empty() || reachable_[0] == 0) return {};
    using Group = std::vector<std::uint32_t>;  // the nodes one stage stands for, ascending
    std::vector<Group> groups{{0}};
    std::map<Group, std::uint32_t> known{{groups[0], 0}};
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Stage stage{.is_whole = false, .node = groups[i].front(), .onward = {}};
        std::map<Path, Group, std::greater<>> next;  // from the highest origin down
        for (const auto index : groups[i]) {
            stage.is_whole |= std::binary_search(finals_.begin(), finals_.end(), index);
            for (const Edge& edge : edges_from(index)) {
                if (is_open(edge)) next[edge.step].push_back(edge.target);
            }
        }
        for (auto& [step, targets] : next) {
            // Small code, as in Generator::take_from_graph.
            std::partial_sort(targets.begin(), targets.end(), targets.end());
            targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
            const auto [entry, is_new] = known.try_emplace(targets, static_cast<std::uint32_t>(groups.size()));
            if (is_new) groups.push_back(targets);
            stage.onward.push_back({{path_origin(step, 0), path_die(step, 0)}, entry->second});
        }
        stages.push_back(std::move(stage));
    }
    return stages;
}

std::vector<std::uint32_t> TurnGraph::follow(const std::vector<Step>& done) const {
    std::vector<std::uint32_t> here;
    if (reachable_[0] != 0) here.push_back(0);
    for (const Step& step : done) {
        std::vector<std::uint32_t> there;
        for (const auto i : here) {
            for (const Edge& edge : edges_from(i)) {
                if (edge.step == path_step(step.origin, step.die) && is_open(edge)) there.push_back(edge.target);
            }
        }
        here.swap(there);
    }
    return here;
}

std::vector<Step> TurnGraph::next_steps(const std::vector<Step>& done) const {
    std::vector<Step> steps;
    for (const auto i : follow(done)) {
        for (const Edge& edge : edges_from(i)) {
            if (!is_open(edge)) continue;
            const Step step{path_origin(edge.step, 0), path_die(edge.step, 0)};
            if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
        }
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.origin > b.origin; });
    return steps;
}

std::optional<std::uint32_t> TurnGraph::reach(std::uint32_t index, std::vector<Step>& steps) const {
    if (steps.empty()) {
        const bool is_final = std::binary_search(finals_.begin(), finals_.end(), index);
        return is_final ? std::optional(index) : std::nullopt;
    }
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const auto here = steps.begin() + static_cast<std::ptrdiff_t>(k);
        const Step step = *here;
        if (std::find(steps.begin(), here, step) != here) continue;  // an equal step was tried first
        steps.erase(here);
        for (const Edge& edge : edges_from(index)) {
            if (edge.step != path_step(step.origin, step.die) || !is_open(edge)) continue;
            if (const auto found = reach(edge.target, steps)) return found;
        }
        steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(k), step);
    }
    return std::nullopt;
}

}  // namespace sheshbesh
