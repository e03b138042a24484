// Making the tables of bearoff.h. Sums run in a fixed order in double precision: the same file everywhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "bearoff_file.h"
#include "sheshbesh/engine/bearoff.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh {

namespace {

using Word = HomeIndex::Word;

constexpr double kTail = 1e-10;         // a chance below which a distribution ends
constexpr std::size_t kLongest = 4096;  // turns after which it ends in any case
constexpr std::uint32_t kReports = 200;

struct WeightedThrow {
    Throw dice;
    double weight;
};

std::vector<WeightedThrow> all_throws(const Ruleset& rules) {
    std::vector<WeightedThrow> throws;
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low) {
            throws.push_back({{high, low, high == low ? rules.double_steps : 2}, (high == low ? 1.0 : 2.0) / 36.0});
        }
    }
    return throws;
}

// Every home position by its number.
std::vector<Word> home_words(int checkers, int most) {
    std::vector<Word> words(home_positions(most));
    const auto fill = [&](const auto& self, Word word, int point, int left) -> void {
        if (point == 0) {
            words[HomeIndex::of(word)] = word | static_cast<Word>(checkers - most + left);
            return;
        }
        for (int here = 0; here <= left; ++here) {
            self(self, word | static_cast<Word>(here) << (4 * point), point - 1, left - here);
        }
    };
    fill(fill, 0, 6, most);
    return words;
}

// The plays of home positions. A throw of k steps cannot tell whether k or more checkers stand on a point:
// it empties the point with its last step or not at all. So the generator is asked once for each
// board with the rest taken off, and the plays are kept as what they add to a position's word.
class HomePlays {
public:
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
            const Word here = std::min(word >> (4 * point) & 15, static_cast<Word>(steps));
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

void report(const BearoffProgress& progress, std::uint32_t done, std::uint32_t all) {
    if (progress && (done == all || done % (all / kReports + 1) == 0)) progress(static_cast<double>(done) / all);
}

// One-sided: chances by the number of the turn, [0] for "needs none".
using Chances = std::vector<double>;

class OneSidedMaker {
public:
    explicit OneSidedMaker(const Ruleset& rules) : rules_(rules), plays_(rules_), throws_(all_throws(rules_)) {}

    std::vector<std::byte> make(std::uint64_t key, const BearoffProgress& progress) {
        const std::vector<Word> words = home_words(rules_.checkers, rules_.checkers);
        const auto positions = static_cast<std::uint32_t>(words.size());
        full_ = HomeIndex::kMultisets[5][rules_.checkers];
        average_.assign(positions, 0.0);
        to_end_.resize(positions);
        to_first_.resize(positions - full_);
        to_end_[0] = {1.0};
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
        for (const auto& [dice, weight] : throws_) {
            const std::vector<std::uint32_t>& targets = plays_.targets(word, dice);
            if (targets.front() == index) {  // a pass: it is never one play among others
                pass += weight;
                continue;
            }
            const auto fewest = std::ranges::min_element(targets, {}, [&](auto target) { return average_[target]; });
            best_.push_back({*fewest, weight});
            sum += weight * average_[*fewest];
        }
        average_[index] = best_.empty() ? OneSided::kNever : sum / (1.0 - pass);
        if (!(average_[index] < OneSided::kNever)) return;
        spread(to_end_[index], 1, pass, [&](std::uint32_t target, std::size_t turn) {
            return turn < to_end_[target].size() ? to_end_[target][turn] : 0.0;
        });
        if (index < full_) return;
        spread(to_first_[index - full_], 1, pass, [&](std::uint32_t target, std::size_t turn) {
            if (target < full_) return turn == 0 ? 1.0 : 0.0;
            const Chances& chances = to_first_[target - full_];
            return turn < chances.size() ? chances[turn] : 0.0;
        });
    }

    // Such a position cannot come up, and it would take as long as the others.
    bool over_cap(Word word) const {
        if (rules_.stack_cap == 0) return false;
        for (int point = 1; point <= 6; ++point) {
            if ((word >> (4 * point) & 15) > rules_.stack_cap) return true;
        }
        return false;
    }

    template <class ChanceOf>
    void spread(Chances& chances, std::size_t turn, double pass, ChanceOf chance_of) const {
        chances.assign(turn, 0.0);
        double left = 1.0;
        for (; left > kTail && turn < kLongest; ++turn) {
            double here = pass * chances[turn - 1];
            for (const auto& [target, weight] : best_) here += weight * chance_of(target, turn - 1);
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
        return writer.finish();
    }

    struct Chosen {
        std::uint32_t target;
        double weight;
    };

    Ruleset rules_;
    HomePlays plays_;
    std::vector<WeightedThrow> throws_;
    std::uint32_t full_ = 0;
    std::vector<double> average_;
    std::vector<Chances> to_end_;
    std::vector<Chances> to_first_;
    std::vector<Chosen> best_;
};

// Equities of the side on roll, before it may double.
struct Equities {
    double cubeless = 0;
    double centred = 0;
    double owned = 0;
    double theirs = 0;
};

// With the cube in the middle or its own, the side on roll doubles where that gains.
double with_double(double not_doubled, double theirs) { return std::max(not_doubled, std::min(2.0 * theirs, 1.0)); }

class TwoSidedMaker {
public:
    TwoSidedMaker(const Ruleset& rules, const Ruleset& home)
        : most_(std::min<int>(rules.checkers, kTwoSidedCheckers)),
          wins_(rules, most_),
          size_(home_positions(most_)),
          classes_(static_cast<std::size_t>(wins_.slots)) {
        const std::vector<WeightedThrow> throws = all_throws(home);
        HomePlays plays(home);
        for (const Word word : home_words(home.checkers, most_)) {
            const std::uint32_t index = HomeIndex::of(word);
            pass_.push_back(0.0);
            first_.push_back(static_cast<std::uint32_t>(choices_.size()));
            if (index == 0) continue;
            for (const auto& [dice, weight] : throws) {
                const std::vector<std::uint32_t>& targets = plays.targets(word, dice);
                if (targets.front() == index) {
                    pass_.back() += weight;
                    passes_ = true;
                    continue;
                }
                const auto begin = static_cast<std::uint32_t>(targets_.size());
                targets_.insert(targets_.end(), targets.begin(), targets.end());
                choices_.push_back({begin, static_cast<std::uint32_t>(targets_.size()), weight});
            }
        }
        first_.push_back(static_cast<std::uint32_t>(choices_.size()));
    }

    std::vector<std::byte> make(std::uint64_t key, const BearoffProgress& progress) {
        values_.resize(std::size_t{size_} * size_);
        undoubled_.resize(values_.size());
        chances_.resize(values_.size() * 2 * classes_);
        lose_at_the_end();
        for (std::uint32_t a = 1; a < size_; ++a) {
            for (std::uint32_t b = 1; b <= a; ++b) solve(a, b);
            report(progress, a + 1, size_);
        }
        return file(key);
    }

private:
    struct Choice {
        std::uint32_t begin;  // of its targets
        std::uint32_t end;
        double weight;
    };

    std::size_t at(std::uint32_t on_roll, std::uint32_t other) const { return std::size_t{on_roll} * size_ + other; }

    // The other side is off: what the side on roll, which comes too late, has lost.
    void lose_at_the_end() {
        for (std::uint32_t index = 1; index < size_; ++index) {
            std::size_t left = 1;
            while (home_positions(static_cast<int>(left)) <= index) ++left;
            const double lost = -wins_.result[left].points;
            values_[at(index, 0)] = {lost, lost, lost, lost};
            chances_[at(index, 0) * 2 * classes_ + classes_ + wins_.slot[left]] = 1.0;
        }
    }

    void solve(std::uint32_t a, std::uint32_t b) {
        const Equities fixed_a = roll(a, b);
        const Equities fixed_b = a == b ? fixed_a : roll(b, a);
        const double pass_a = pass_[a];
        const double pass_b = pass_[b];
        settle(a, b, fixed_a);
        if (a != b) settle(b, a, fixed_b);
        if (pass_a == 0.0 && pass_b == 0.0) return;
        if (pass_a * pass_b >= 1.0) {
            values_[at(a, b)].cubeless = values_[at(b, a)].cubeless = std::nan("");
            return;
        }
        wait(a, b, fixed_a, fixed_b);
    }

    // The value of the throws that can be played, and in `chances_` their share of each result.
    Equities roll(std::uint32_t mine, std::uint32_t theirs) {
        Equities sum;
        double* won = &chances_[at(mine, theirs) * 2 * classes_];
        const Equities* replies = &values_[at(theirs, 0)];
        const double* results = &chances_[at(theirs, 0) * 2 * classes_];
        for (std::uint32_t i = first_[mine]; i < first_[mine + 1]; ++i) {
            const Choice& choice = choices_[i];
            std::uint32_t best = targets_[choice.begin];
            Equities least = replies[best];
            for (std::uint32_t k = choice.begin + 1; k < choice.end; ++k) {
                const Equities& reply = replies[targets_[k]];
                if (reply.cubeless < least.cubeless) {
                    least.cubeless = reply.cubeless;
                    best = targets_[k];
                }
                least.centred = std::min(least.centred, reply.centred);
                least.owned = std::min(least.owned, reply.owned);
                least.theirs = std::min(least.theirs, reply.theirs);
            }
            // The cube that is the other side's to turn after the play is its own then.
            sum.cubeless -= choice.weight * least.cubeless;
            sum.centred -= choice.weight * least.centred;
            sum.owned -= choice.weight * least.theirs;
            sum.theirs -= choice.weight * least.owned;
            add_flipped(won, results + std::size_t{best} * 2 * classes_, choice.weight);
        }
        return sum;
    }

    void add_flipped(double* won, const double* reply, double weight) const {
        for (std::size_t k = 0; k < classes_; ++k) {
            won[k] += weight * reply[classes_ + k];
            won[classes_ + k] += weight * reply[k];
        }
    }

    void settle(std::uint32_t mine, std::uint32_t theirs, const Equities& undoubled) {
        const std::size_t place = at(mine, theirs);
        undoubled_[place] = undoubled;
        values_[place] = {undoubled.cubeless, with_double(undoubled.centred, undoubled.theirs),
                          with_double(undoubled.owned, undoubled.theirs), undoubled.theirs};
    }

    // Where a throw can pass, each side's value asks for the other's: mine = fixed + pass * flipped(theirs),
    // and theirs likewise. With a cube there is no such solution: stakes that double faster than the
    // game ends have no value.
    void wait(std::uint32_t a, std::uint32_t b, const Equities& fixed_a, const Equities& fixed_b) {
        const std::size_t here = at(a, b);
        const std::size_t there = at(b, a);
        const double scale = 1.0 / (1.0 - pass_[a] * pass_[b]);
        values_[here].cubeless = scale * (fixed_a.cubeless - pass_[a] * fixed_b.cubeless);
        values_[there].cubeless = scale * (fixed_b.cubeless - pass_[b] * fixed_a.cubeless);
        double* mine = &chances_[here * 2 * classes_];
        double* theirs = &chances_[there * 2 * classes_];
        const std::vector<double> first(mine, mine + 2 * classes_);
        const std::vector<double> second(theirs, theirs + 2 * classes_);
        for (std::size_t k = 0; k < 2 * classes_; ++k) {
            const std::size_t flipped = k < classes_ ? k + classes_ : k - classes_;
            mine[k] = scale * (first[k] + pass_[a] * second[flipped]);
            theirs[k] = scale * (second[k] + pass_[b] * first[flipped]);
        }
    }

    std::vector<std::byte> file(std::uint64_t key) const {
        const std::size_t width = two_sided_width(wins_.slots);
        std::vector<float> rows;
        rows.reserve(values_.size() * width);
        for (std::size_t place = 0; place < values_.size(); ++place) {
            const Equities& found = undoubled_[place];
            const bool endless = std::isnan(values_[place].cubeless);
            const double* chances = &chances_[place * 2 * classes_];
            for (std::size_t k = 0; k < width - 3; ++k) {
                rows.push_back(endless ? std::nanf("") : static_cast<float>(chances[k]));
            }
            for (const double equity : {found.centred, found.owned, found.theirs}) {
                rows.push_back(passes_ ? std::nanf("") : static_cast<float>(equity));
            }
        }
        FileWriter writer(Sides::two, key);
        writer.put(rows);
        return writer.finish();
    }

    int most_;
    BearoffWins wins_;
    std::uint32_t size_;
    std::size_t classes_;
    std::vector<double> pass_;  // the chance that a position can play nothing
    bool passes_ = false;
    std::vector<std::uint32_t> first_;  // choices of position i: first_[i] .. first_[i + 1]
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> targets_;
    std::vector<Equities> values_;     // after the cube was thought of
    std::vector<Equities> undoubled_;  // before
    std::vector<double> chances_;      // [on roll][other][won, lost][slot]
};

}  // namespace

std::vector<std::byte> generate_bearoff(const Ruleset& rules, Sides sides, const BearoffProgress& progress) {
    if (const std::string_view obstacle = bearoff_obstacle(rules, sides); !obstacle.empty()) {
        throw std::invalid_argument(std::string(obstacle));
    }
    const Ruleset home = bearoff_rules(rules);
    const std::uint64_t key = bearoff_key(rules, sides);
    if (sides == Sides::one) return OneSidedMaker(home).make(key, progress);
    return TwoSidedMaker(rules, home).make(key, progress);
}

}  // namespace sheshbesh
