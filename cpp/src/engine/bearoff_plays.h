// The plays of home positions, as the makers of the databases of bearoff.h ask for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sheshbesh/engine/bearoff.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh {

constexpr std::uint32_t kReports = 200;

struct WeightedThrow {
    Throw dice;
    double weight;
};

inline std::vector<WeightedThrow> all_throws(const Ruleset& rules) {
    std::vector<WeightedThrow> throws;
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low) {
            throws.push_back({{high, low, high == low ? rules.double_steps : 2}, (high == low ? 1.0 : 2.0) / 36.0});
        }
    }
    return throws;
}

// Every home position by its number.
inline std::vector<HomeIndex::Word> home_words(int checkers, int most) {
    std::vector<HomeIndex::Word> words(home_positions(most));
    const auto fill = [&](const auto& self, HomeIndex::Word word, int point, int left) -> void {
        if (point == 0) {
            words[HomeIndex::of(word)] = word | static_cast<HomeIndex::Word>(checkers - most + left);
            return;
        }
        for (int here = 0; here <= left; ++here) {
            self(self, word | static_cast<HomeIndex::Word>(here) << (4 * point), point - 1, left - here);
        }
    };
    fill(fill, 0, 6, most);
    return words;
}

// The plays of home positions. To a throw of k steps, k and more checkers on a point are the same:
// it empties the point with its last step or not at all. So the generator is asked once for each
// board with the rest taken off, and the plays are kept as what they add to a position's word.
class HomePlays {
public:
    using Word = HomeIndex::Word;

    explicit HomePlays(const Ruleset& rules) : rules_(rules) {
        // Rules that count what a point holds, or static evaluator the last step by what is still held, see it all.
        exact_ = rules.stack_cap != 0 || rules.opponent_quarter < 6;
        state_.theirs = static_cast<Counts>(rules.checkers - 1) + one(1);
    }

    // The positions that `dice` leads to, without repetition; the position itself where nothing can be played.
    const std::vector<std::uint32_t>& targets(Word word, const Throw& dice) {
        const Word shape = reduced(word, dice.steps);
        targets_.clear();
        for (const Word change : changes(shape, dice)) targets_.push_back(HomeIndex::of(word + change));
        return targets_;
    }

private:
    Word reduced(Word word, int steps) const {
        if (exact_) return word;
        Word shape = 0;
        Word left = 0;
        for (int point = 1; point <= 6; ++point) {
            const Word here = std::min(word >> (4 * point) & 15, static_cast<HomeIndex::Word>(steps));
            shape |= here << (4 * point);
            left += here;
        }
        return shape | (rules_.checkers - left);
    }

    const std::vector<Word>& changes(Word shape, const Throw& dice) {
        const std::uint64_t name = std::uint64_t{shape} << 8 | static_cast<unsigned>(dice.high << 4 | dice.low);
        const auto [found, is_new] = known_.try_emplace(name);
        if (is_new) {
            state_.mine = Counts{shape};
            for (const Play& play : generator_.plays(rules_, state_, dice)) {
                found->second.push_back(HomeIndex::word(play.mine) - shape);
            }
        }
        return found->second;
    }

    const Ruleset& rules_;
    bool exact_ = false;
    State state_;
    Generator generator_;
    std::unordered_map<std::uint64_t, std::vector<Word>> known_;
    std::vector<std::uint32_t> targets_;
};

inline void report(const BearoffProgress& progress, std::uint32_t done, std::uint32_t all) {
    if (progress && (done == all || done % (all / kReports + 1) == 0)) progress(static_cast<double>(done) / all);
}

// The file of the one-sided database of the rules that `bearoff_rules` gives; `counts_left` where wins are paid by the
// checkers left.
std::vector<std::byte> make_one_sided(const Ruleset& home, bool counts_left, std::uint64_t key,
                                      const BearoffProgress& progress);

}  // namespace sheshbesh
