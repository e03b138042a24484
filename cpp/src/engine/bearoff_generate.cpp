// Making the two-sided database of bearoff.h, and the way to both. Sums run in a fixed order in double precision: the
// same file everywhere.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bearoff_file.h"
#include "bearoff_plays.h"
#include "sheshbesh/engine/bearoff.h"

namespace sheshbesh {

namespace {

using Word = HomeIndex::Word;

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
        : pairs_(rules),
          size_(static_cast<std::uint32_t>(pairs_.sides().size())),
          classes_(pairs_.results().size()),
          home_plays_(home) {
        // One checker about to go off, in nobody's way.
        race_.theirs = static_cast<Counts>(rules.checkers - 1) + one(1);
        for (std::uint32_t index = 0; index < size_; ++index) {
            pass_.push_back(0.0);
            first_.push_back(static_cast<std::uint32_t>(choices_.size()));
            if (index == 0) continue;
            for (const auto& [dice, weight] : all_throws(home)) {
                const auto begin = static_cast<std::uint32_t>(targets_.size());
                add_targets(rules, pairs_.sides()[index], dice);
                if (targets_[begin] == index) {
                    targets_.pop_back();
                    pass_.back() += weight;
                    passes_ = true;
                    continue;
                }
                choices_.push_back({begin, static_cast<std::uint32_t>(targets_.size()), weight});
            }
        }
        first_.push_back(static_cast<std::uint32_t>(choices_.size()));
    }

    std::vector<std::byte> make(std::uint64_t key, const BearoffProgress& progress) {
        values_.resize(pairs_.size());
        undoubled_.resize(values_.size());
        chances_.resize(values_.size() * 2 * classes_);
        lose_at_the_end();
        for (std::uint32_t a = 1; a < size_; ++a) {
            for (std::uint32_t b = 1; b <= a && b < pairs_.met_by(a); ++b) solve(a, b);
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

    std::size_t at(std::uint32_t on_roll, std::uint32_t other) const { return pairs_.at(on_roll, other); }

    // Without repetition; the position itself, alone, where nothing can be played.
    void add_targets(const Ruleset& rules, Counts side, const Throw& dice) {
        if (!pairs_.races()) {
            const std::vector<std::uint32_t>& found = home_plays_.targets(HomeIndex::word(side), dice);
            targets_.insert(targets_.end(), found.begin(), found.end());
            return;
        }
        race_.mine = side;
        for (const Play& play : generator_.plays(rules, race_, dice)) {
            if (const auto number = pairs_.number(play.mine)) targets_.push_back(*number);
        }
    }

    // The other side is off: what the side on roll, which comes too late, has lost.
    void lose_at_the_end() {
        for (std::uint32_t index = 1; index < size_; ++index) {
            const std::uint8_t slot = pairs_.slot(index);
            const double lost = -pairs_.results()[slot].points;
            values_[at(index, 0)] = {lost, lost, lost, lost};
            chances_[at(index, 0) * 2 * classes_ + classes_ + slot] = 1.0;
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
        const std::size_t width = two_sided_width(static_cast<int>(classes_));
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

    Pairs pairs_;
    std::uint32_t size_;
    std::size_t classes_;
    HomePlays home_plays_;
    Generator generator_;
    State race_;
    std::vector<double> pass_;  // the chance that a position can play nothing
    bool passes_ = false;
    std::vector<std::uint32_t> first_;  // choices of position i: first_[i] .. first_[i + 1]
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> targets_;
    std::vector<Equities> values_;     // after the cube decision
    std::vector<Equities> undoubled_;  // before
    std::vector<double> chances_;      // [pair][won, lost][slot]
};

}  // namespace

std::vector<std::byte> generate_bearoff(const Ruleset& rules, Sides sides, const BearoffProgress& progress) {
    if (const std::string_view obstacle = bearoff_obstacle(rules, sides); !obstacle.empty()) {
        throw std::invalid_argument(std::string(obstacle));
    }
    const Ruleset home = bearoff_rules(rules);
    const std::uint64_t key = bearoff_key(rules, sides);
    if (sides == Sides::one) return make_one_sided(home, pays_what_is_left(rules), key, progress);
    return TwoSidedMaker(rules, home).make(key, progress);
}

}  // namespace sheshbesh
