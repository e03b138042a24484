// Making the one-sided database of bearoff.h. Sums run in a fixed order in double precision: the same file everywhere.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "bearoff_file.h"
#include "bearoff_plays.h"
#include "sheshbesh/engine/bearoff.h"

namespace sheshbesh {

namespace {

using Word = HomeIndex::Word;

constexpr double kTail = 1e-10;         // a chance below which a distribution ends
constexpr double kTie = 1e-9;           // turns that are rounding
constexpr double kLeast = 1e-7;         // a chance of a number of checkers left below which it is none
constexpr std::size_t kLongest = 4096;  // turns after which it ends in any case

// One-sided: chances by the number of the turn, [0] for "needs none".
using Chances = std::vector<double>;

// Chances of 0, 1 ... checkers left, one after the other for each turn from the first on.
struct LeftAfterTurns {
    std::size_t width = 0;
    std::vector<double> chances;

    std::size_t turns() const { return chances.size() / width; }
    std::span<const double> after(std::size_t turn) const {
        return std::span(chances).subspan((turn - 1) * width, width);
    }
};

class OneSidedMaker {
public:
    OneSidedMaker(const Ruleset& rules, bool counts_left)
        : rules_(rules), counts_left_(counts_left), plays_(rules_), throws_(all_throws(rules_)) {}

    std::vector<std::byte> make(std::uint64_t key, const BearoffProgress& progress) {
        const std::vector<Word> words = home_words(rules_.checkers, rules_.checkers);
        const auto positions = static_cast<std::uint32_t>(words.size());
        full_ = HomeIndex::kMultisets[5][rules_.checkers];
        average_.assign(positions, 0.0);
        to_end_.resize(positions);
        to_first_.resize(positions - full_);
        to_end_[0] = {1.0};
        if (rules_.progression_from != 0) chains_.assign(std::size_t{positions} * 6, 0);
        if (rules_.one_two_bonus != OneTwoBonus::off) named_.assign(positions, 0);
        if (counts_left_) left_.resize(positions);
        for (std::uint32_t index = 1; index < positions; ++index) {
            solve(words[index], index);
            report(progress, index + 1, positions);
        }
        return file(key);
    }

private:
    void solve(Word word, std::uint32_t index) {
        best_.clear();
        if (over_cap(word)) {
            average_[index] = OneSided::kNever;
            return;
        }
        double pass = 0.0;
        double sum = 1.0;
        if (!chains_.empty()) find_chains(word, index);
        if (!named_.empty()) find_named(word, index);
        for (const auto& [dice, weight] : throws_) {
            const std::vector<std::uint32_t>& targets = plays_.targets(word, dice);
            if (targets.front() == index) {  // a pass: it is never one play among others
                pass += weight;
                continue;
            }
            const Chosen chosen = best_of(index, dice, targets, weight);
            best_.push_back(chosen);
            sum += weight * (average_[chosen.target] - (chosen.throws_again ? 1.0 : 0.0));
        }
        average_[index] = best_.empty() ? OneSided::kNever : sum / (1.0 - pass);
        if (!(average_[index] < OneSided::kNever)) return;
        spread(to_end_[index], pass, [&](std::uint32_t target) { return target == 0 ? nullptr : &to_end_[target]; });
        if (counts_left_) count_left(word, index, pass);
        if (index < full_) return;
        spread(to_first_[index - full_], pass,
               [&](std::uint32_t target) { return target < full_ ? nullptr : &to_first_[target - full_]; });
    }

    struct Chosen {
        std::uint32_t target;
        double weight;
        bool throws_again = false;  // in the same turn
    };

    // The target of least cost; of equal ones, but for rounding, the one with fewer checkers or steps to go.
    template <class Cost>
    static std::uint32_t cheapest(const std::vector<std::uint32_t>& targets, Cost cost) {
        std::uint32_t best = targets.front();
        double least = cost(best);
        for (const std::uint32_t target : targets) {
            const double here = cost(target);
            if (here < least - kTie || (here <= least + kTie && target < best)) {
                best = target;
                least = here;
            }
        }
        return best;
    }

    // Where a throw leads to that is played, with what it brings, for the fewest turns.
    Chosen best_of(std::uint32_t index, const Throw& dice, const std::vector<std::uint32_t>& targets,
                   double weight) const {
        if (!chains_.empty() && dice.same()) return {chain(index, dice.high), weight};
        if (!named_.empty() && dice.high == 2 && dice.low == 1) {
            const auto then = [this](std::uint32_t target) { return target == 0 ? 0 : named_[target]; };
            const std::uint32_t found =
                then(cheapest(targets, [&](std::uint32_t target) { return turns_again(then(target)); }));
            return {found, weight, found != 0};
        }
        return {cheapest(targets, [this](std::uint32_t target) { return average_[target]; }), weight};
    }

    // The turns from now on, of a turn that has begun, when it goes on with a throw.
    double turns_again(std::uint32_t index) const { return index == 0 ? 1.0 : average_[index]; }

    std::uint32_t& chain(std::uint32_t index, int die) {
        return chains_[std::size_t{index} * 6 + static_cast<std::size_t>(die) - 1];
    }
    std::uint32_t chain(std::uint32_t index, int die) const {
        return chains_[std::size_t{index} * 6 + static_cast<std::size_t>(die) - 1];
    }

    // Each element of a chain leads to lower positions, whose own chains are known.
    void find_chains(Word word, std::uint32_t index) {
        for (int die = 1; die <= 6; ++die) {
            const auto last = [this, die](std::uint32_t target) {
                return target == 0 || die == 6 ? target : chain(target, die + 1);
            };
            const std::vector<std::uint32_t>& targets = plays_.targets(word, {die, die, kMaxSteps});
            chain(index, die) = last(cheapest(targets, [&](std::uint32_t target) { return average_[last(target)]; }));
        }
    }

    // The best of all doubles, after which the same side throws.
    void find_named(Word word, std::uint32_t index) {
        std::uint32_t best = index;
        for (int die = 1; die <= 6; ++die) {
            for (const std::uint32_t target : plays_.targets(word, {die, die, rules_.double_steps})) {
                if (best == index || turns_again(target) < turns_again(best)) best = target;
            }
        }
        named_[index] = best;
    }

    // The checkers left after each turn, as long as any are likely to be.
    void count_left(Word word, std::uint32_t index, double pass) {
        LeftAfterTurns& made = left_[index];
        made.width = std::size_t{rules_.checkers} - (word & 15) + 1;
        std::vector<double> before(made.width, 0.0);
        before.back() = 1.0;
        const std::size_t last = to_end_[index].size() - 1;
        for (std::size_t turn = 1; turn < last; ++turn) {
            std::vector<double> here(made.width, 0.0);
            for (std::size_t left = 0; left < made.width; ++left) here[left] = pass * before[left];
            for (const Chosen& chosen : best_) {
                const std::size_t gone = chosen.throws_again ? turn : turn - 1;
                add_left(here, chosen, gone);
            }
            made.chances.insert(made.chances.end(), here.begin(), here.end());
            before = std::move(here);
        }
    }

    void add_left(std::vector<double>& sum, const Chosen& chosen, std::size_t turns) const {
        if (turns == 0 || chosen.target == 0) {
            std::size_t left = 0;
            while (home_positions(static_cast<int>(left)) <= chosen.target) ++left;
            sum[left] += chosen.weight;
            return;
        }
        const LeftAfterTurns& known = left_[chosen.target];
        if (turns > known.turns()) {
            sum[0] += chosen.weight;
            return;
        }
        const std::span<const double> row = known.after(turns);
        for (std::size_t left = 0; left < row.size(); ++left) sum[left] += chosen.weight * row[left];
    }

    // Such a position cannot come up, and it would take as long as the others.
    bool over_cap(Word word) const {
        if (rules_.stack_cap == 0) return false;
        for (int point = 1; point <= 6; ++point) {
            if ((word >> (4 * point) & 15) > rules_.stack_cap) return true;
        }
        return false;
    }

    // `chances_of` gives those of a target, none for one with which it is done.
    template <class ChancesOf>
    void spread(Chances& chances, double pass, ChancesOf chances_of) const {
        chances.assign(1, 0.0);
        double left = 1.0;
        for (std::size_t turn = 1; left > kTail && turn < kLongest; ++turn) {
            double here = pass * chances[turn - 1];
            for (const auto& [target, weight, again] : best_) {
                const Chances* const next = chances_of(target);
                const std::size_t then = again ? turn : turn - 1;
                if (next == nullptr) {
                    here += turn == 1 ? weight : 0.0;
                } else if (then < next->size()) {
                    here += weight * (*next)[then];
                }
            }
            chances.push_back(here);
            left -= here;
        }
        chances.back() += std::max(left, 0.0);
    }

    std::vector<std::byte> file(std::uint64_t key) const {
        FileWriter writer(Sides::one, key);
        std::vector<float> floats;
        const auto put = [&](const std::vector<Chances>& all, std::vector<std::uint32_t>& begin,
                             std::vector<std::uint16_t>& sure) {
            for (const Chances& chances : all) {
                begin.push_back(static_cast<std::uint32_t>(floats.size()));
                std::uint16_t before = 0;
                double beyond = 0.0;  // summed from the far end, so that small chances keep their digits
                std::vector<float> rows;
                for (std::size_t turn = chances.size(); turn-- > 1;) {
                    beyond += chances[turn];
                    rows.push_back(static_cast<float>(beyond));  // of not being done before `turn`
                }
                std::ranges::reverse(rows);
                while (before < rows.size() && rows[before] >= 1.0f) ++before;
                sure.push_back(before);
                floats.insert(floats.end(), rows.begin() + before, rows.end());
            }
            begin.push_back(static_cast<std::uint32_t>(floats.size()));
        };
        std::array<std::vector<std::uint32_t>, 2> begin;
        std::array<std::vector<std::uint16_t>, 2> sure;
        put(to_end_, begin[0], sure[0]);
        put(to_first_, begin[1], sure[1]);
        writer.put(static_cast<std::uint32_t>(floats.size()));
        writer.put(std::vector<float>(average_.begin(), average_.end()));
        for (std::size_t i = 0; i < 2; ++i) {
            writer.put(begin[i]);
            writer.put(sure[i]);
        }
        writer.put(floats);
        writer.put(chains_);
        writer.put(named_);
        if (counts_left_) put_left(writer);
        return writer.finish();
    }

    void put_left(FileWriter& writer) const {
        std::vector<std::uint32_t> first_row;
        std::vector<std::uint32_t> first_float;
        std::vector<std::uint8_t> fewest;
        std::vector<float> floats;
        for (const LeftAfterTurns& made : left_) {
            first_row.push_back(static_cast<std::uint32_t>(fewest.size()));
            for (std::size_t turn = 1; made.width != 0 && turn <= made.turns(); ++turn) {
                const std::span<const double> row = made.after(turn).subspan(1);
                const auto matters = [](double chance) { return chance > kLeast; };
                const auto from = std::ranges::find_if(row, matters);
                const auto to = std::find_if(row.rbegin(), row.rend(), matters).base();
                first_float.push_back(static_cast<std::uint32_t>(floats.size()));
                fewest.push_back(static_cast<std::uint8_t>(from - row.begin() + 1));
                if (from != row.end()) floats.insert(floats.end(), from, to);
            }
        }
        first_row.push_back(static_cast<std::uint32_t>(fewest.size()));
        first_float.push_back(static_cast<std::uint32_t>(floats.size()));
        writer.put(static_cast<std::uint32_t>(fewest.size()));
        writer.put(static_cast<std::uint32_t>(floats.size()));
        writer.put(first_row);
        writer.put(first_float);
        writer.put(fewest);
        writer.put(floats);
    }

    Ruleset rules_;
    bool counts_left_;
    HomePlays plays_;
    std::vector<WeightedThrow> throws_;
    std::uint32_t full_ = 0;
    std::vector<double> average_;
    std::vector<Chances> to_end_;
    std::vector<Chances> to_first_;
    std::vector<std::uint32_t> chains_;
    std::vector<std::uint32_t> named_;
    std::vector<LeftAfterTurns> left_;
    std::vector<Chosen> best_;
};

}  // namespace

std::vector<std::byte> make_one_sided(const Ruleset& home, bool counts_left, std::uint64_t key,
                                      const BearoffProgress& progress) {
    return OneSidedMaker(home, counts_left).make(key, progress);
}

}  // namespace sheshbesh
