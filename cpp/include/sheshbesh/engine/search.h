// Choosing plays: 0 to 3 plies, as gnubg counts them (0: the static value after the play).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sheshbesh/engine/judge.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh {

// Which candidates are looked at one ply deeper: the best `width` within `margin` (in points of equity of
// the utility) of the best. filters[d] is applied before the search at depth d + 1.
struct Filter {
    int width = 8;
    float margin = 0.16f;
};

struct SearchOptions {
    int plies = 0;
    std::vector<Filter> filters = {{8, 0.16f}, {3, 0.06f}, {2, 0.02f}};  // at the root
    // Inside the tree: the best `inner_width` plays by static value are looked at.
    int inner_width = 2;
    std::size_t cache_entries = 1 << 18;  // 0: none
};

struct Candidate {
    Play play;
    State after;
    int plies = 0;             // how deep this one was looked at
    float equity = 0;          // worth to the player who made the play
    std::vector<float> probs;  // classes seen by that player, i.e. as if he were on roll
};

class Searcher {
public:
    Searcher(Judge judge, SearchOptions options);

    Judge& judge() { return judge_; }
    const SearchOptions& options() const { return options_; }
    void set_plies(int plies) { options_.plies = plies; }

    // All legal plays of `dice`, best first: those that were looked at deepest come first, among them by
    // equity, equal ones in the order of the generator. `utility` is that of the side on roll.
    std::vector<Candidate> rank(const State& state, const Throw& dice, const Utility& utility);

    // Only the best play; the same one as rank(...)[0], cheaper.
    Candidate best(const State& state, const Throw& dice, const Utility& utility);

    // The classes seen by the side on roll before it throws, looking `plies` ahead: every throw, the best
    // play of each as the filters find it.
    std::vector<float> value(const State& state, const Utility& utility, int plies);

    void clear_cache();
    std::uint64_t nodes() const { return nodes_; }  // positions valued, cache hits included

private:
    Judge judge_;
    SearchOptions options_;
    Generator generator_;
    std::uint64_t nodes_ = 0;
};

}  // namespace sheshbesh
