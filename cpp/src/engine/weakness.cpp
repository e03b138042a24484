#include "sheshbesh/engine/weakness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sheshbesh/axes.h"
#include "sheshbesh/engine/cube_model.h"
#include "sheshbesh/engine/hash.h"
#include "sheshbesh/engine/written_evaluation.h"
#include "sheshbesh/random.h"
#include "sheshbesh/rows.h"
#include "sheshbesh/turn.h"

namespace sheshbesh {

namespace {

constexpr double kLeastDeviation = 1e-3;
constexpr std::size_t kMood = 0xFFFFFFFF;  // in the place of a play's index

// The natural logarithm of a number between 0 and 1 without a library, whose last bit is its own on each machine.
double natural_log(double x) {
    constexpr double kLn2 = 0.69314718055994530942;
    constexpr double kRoot = 1.41421356237309504880;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = static_cast<int>(bits >> 52) - 1023;
    double fraction = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
    if (fraction > kRoot) {
        fraction /= 2;
        ++exponent;
    }
    // 2 artanh(s) with |s| < 0.172, whose twelfth term is below 1e-18.
    const double s = (fraction - 1) / (fraction + 1);
    double sum = 0;
    for (int n = 23; n > 0; n -= 2) sum = sum * s * s + 1.0 / n;
    return 2 * s * sum + exponent * kLn2;
}

class Chance {
public:
    explicit Chance(std::uint64_t seed) : random_(seed) {}

    // From 0 to 1, 1 left out.
    double share() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
    // From Gumbel's distribution: the largest of several falls on each as a softmax would.
    double gumbel() {
        constexpr double kLeast = 1e-12;
        return -natural_log(-natural_log(std::max(share(), kLeast)));
    }
    // From the normal distribution, by Marsaglia's polar method.
    double normal() {
        for (;;) {
            const double u = 2 * share() - 1;
            const double v = 2 * share() - 1;
            const double square = u * u + v * v;
            if (square > 0 && square < 1) return u * std::sqrt(-2 * natural_log(square) / square);
        }
    }

private:
    Random random_;
};

enum class About : std::uint8_t { play, turn, answer };

// What a question is drawn from: another seed, level, game, position or kind of question, another draw.
class Question {
public:
    Question(std::uint64_t seed, About about, const Ruleset& rules, const State& state, const Weakness& weakness) {
        add(seed, 8);
        for (const double part :
             {weakness.sight, weakness.gammons, weakness.mood, weakness.noise, weakness.reluctance}) {
            add(std::bit_cast<std::uint64_t>(part), 8);
        }
        for (const Axis& axis : kAxes) add(static_cast<std::uint64_t>(axis.read(rules)), 1);
        for (int point = 1; point <= 24; ++point) add(static_cast<std::uint64_t>(count(rules.setup, point)), 1);
        std::array<std::uint8_t, row::kWidth> row{};
        write_row(state, row.data());
        for (const std::uint8_t one : row) add(one, 1);
        add(static_cast<std::uint64_t>(about), 1);
    }

    Chance chance() const { return Chance(hash_); }
    // Of a play by itself, so that the order of plays does not matter.
    Chance chance(const Throw& dice, std::size_t index) const {
        Question play = *this;
        play.add(static_cast<std::uint64_t>(8 * dice.high + dice.low), 1);
        play.add(index, 4);
        return play.chance();
    }

private:
    void add(std::uint64_t number, int size) {
        for (int i = 0; i < size; ++i) hash_ = (hash_ ^ ((number >> (8 * i)) & 0xFF)) * kFnvPrime;
    }

    std::uint64_t hash_ = kFnvBasis;
};

// What probabilities are worth at the values of their classes.
struct Worth {
    double equity = 0;
    double beyond = 0;     // the part of it from results beyond a plain one, on both sides
    double deviation = 0;  // the standard deviation of what the game brings

    Worth(const Ruleset& rules, std::span<const float> probabilities, std::span<const double> values) {
        if (probabilities.size() != values.size() || values.size() < 2) {
            throw std::invalid_argument("a value for each class of the game is needed");
        }
        const std::size_t half = values.size() / 2;
        const bool counted = rules.score_left != ScoreLeft::off;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto share = static_cast<double>(probabilities[i]);
            equity += share * values[i];
            if (!counted && i < 2 * half) beyond += share * (values[i] - values[i < half ? 0 : half]);
        }
        double squares = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double off = values[i] - equity;
            squares += static_cast<double>(probabilities[i]) * off * off;
        }
        deviation = std::sqrt(squares);
    }
};

// One checker's way through a play, as its notation joins the steps.
struct Way {
    int from;
    int to;
    bool plain;  // it enters, hits, imprisons and bears off nothing
    bool took;   // with its last step
};

// How many groups of checkers a play moves beyond the first, apart from the conspicuous ones: to enter, to hit or
// imprison, and to bear off.
int further_groups(const Ruleset& rules, const State& state, const Throw& dice, const Play& play) {
    const Turn turn(rules, state, dice);
    Node node = turn.root();
    std::vector<Way> ways;
    std::array<int, kBar + 1> arrived{};
    for (int i = 0; i < play.depth; ++i) {
        const int origin = path_origin(play.path, i);
        const int target = landing(origin, path_die(play.path, i));
        const bool takes = turn.takes(node, target);
        const bool plain = origin <= 24 && target != kOff && !takes;
        // Which of two checkers moved on from where one has hit cannot be seen.
        const auto way = std::ranges::find_if(ways, [origin](const Way& each) { return each.to == origin; });
        if (way == ways.end() || (way->took && arrived[static_cast<std::size_t>(origin)] > 1)) {
            ways.push_back({origin, target, plain, takes});
        } else {
            *way = {way->from, target, way->plain && plain, takes};
        }
        --arrived[static_cast<std::size_t>(origin)];
        ++arrived[static_cast<std::size_t>(target)];
        node = turn.step<false>(node, origin, path_die(play.path, i));
    }
    std::vector<std::pair<int, int>> groups;
    for (const Way& way : ways) {
        const std::pair group(way.from, way.to);
        if (way.plain && std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
    }
    return std::max(static_cast<int>(groups.size()) - 1, 0);
}

double power(double base, int exponent) {
    double product = 1;
    for (; exponent > 0; --exponent) product *= base;
    return product;
}

// A candidate as a weak player sees it.
struct Idea {
    int groups = 0;
    Worth worth;
    double danger = 0;
};

std::vector<Idea> ideas_of(Generator& generator, const Ruleset& rules, const State& state,
                           std::span<const Considered> candidates, std::span<const double> values) {
    std::vector<Idea> ideas;
    ideas.reserve(candidates.size());
    for (const Considered& one : candidates) {
        const std::vector<Play>& plays = generator.plays(rules, state, one.dice);
        if (one.index >= plays.size()) throw std::invalid_argument("a candidate is no play of its throw");
        const Play& play = plays[one.index];
        const State after = position_after(rules, state, one.dice, play);
        ideas.push_back({further_groups(rules, state, one.dice, play), Worth(rules, one.probabilities, values),
                         danger(rules, after, after.black_on_roll == state.black_on_roll)});
    }
    return ideas;
}

}  // namespace

double danger(const Ruleset& rules, const State& after, bool own) {
    if (rules.contact == Contact::block) return 0;
    const Counts mine = own ? after.mine : after.theirs;
    const Counts theirs = own ? after.theirs : after.mine;
    const Mask pinned = own ? after.pinned_mine : after.pinned_theirs;
    const Mask pinning = rules.mirrored(own ? after.pinned_theirs : after.pinned_mine);
    double total = 0;
    for (Mask lone = holding(mine, 1) & kPoints & ~pinned & ~pinning; lone != 0; lone &= lone - 1) {
        const int point = lowest(lone);
        const int there = rules.mirrored(point);
        double safe = 1;
        for (int from = there + 1; from <= kBar; ++from) {
            if (count(theirs, from) == 0) continue;
            safe *= 1 - static_cast<double>(kReached[static_cast<std::size_t>(std::min(from, kHand) - there)]);
        }
        total += (1 - safe) * (rules.contact == Contact::hit ? 25 - point : point) / 24;
    }
    return total;
}

std::size_t pick(Generator& generator, const Ruleset& rules, const State& state, std::span<const Considered> candidates,
                 std::span<const double> values, const Weakness& weakness, std::uint64_t seed) {
    if (candidates.empty()) throw std::invalid_argument("there is no play to pick");
    if (weakness == Weakness{} || candidates.size() == 1) return 0;
    const std::vector<Idea> ideas = ideas_of(generator, rules, state, candidates, values);
    const Question question(seed, About::play, rules, state, weakness);
    const double stake = std::max(ideas[0].worth.deviation, kLeastDeviation);
    // One mood for all plays of a throw; where a double is to be named, for those of all doubles.
    const bool same = std::ranges::all_of(candidates, [&candidates](const Considered& each) {
        return each.dice.high == candidates[0].dice.high && each.dice.low == candidates[0].dice.low;
    });
    Chance mood = same ? question.chance(candidates[0].dice, kMood) : question.chance();
    const double boldness = (2 * mood.share() - 1) * weakness.mood * stake;
    const double roughness = weakness.noise * stake;
    // What looks best of the plays that come to mind; if none does, the first of the simplest.
    std::size_t best = 0;
    std::size_t simplest = 0;
    double looks_best = -std::numeric_limits<double>::infinity();
    for (std::size_t place = 0; place < ideas.size(); ++place) {
        const Idea& idea = ideas[place];
        if (idea.groups < ideas[simplest].groups) simplest = place;
        Chance chance = question.chance(candidates[place].dice, candidates[place].index);
        if (chance.share() >= power(weakness.sight, idea.groups)) continue;
        const double looks = idea.worth.equity - (1 - weakness.gammons) * idea.worth.beyond + boldness * idea.danger +
                             roughness * chance.gumbel();
        if (looks > looks_best) {
            looks_best = looks;
            best = place;
        }
    }
    return std::isinf(looks_best) ? simplest : best;
}

bool doubles(const Ruleset& rules, const State& state, double gain, std::span<const float> probabilities,
             std::span<const double> values, const Weakness& weakness, std::uint64_t seed) {
    // A turn that costs nothing needs neither courage nor a comparison.
    if (std::abs(gain) <= kEven) return true;
    const double deviation = Worth(rules, probabilities, values).deviation;
    Chance chance = Question(seed, About::turn, rules, state, weakness).chance();
    return gain + chance.normal() * weakness.noise * deviation > weakness.reluctance * deviation;
}

Answer answer(const Ruleset& rules, const State& state, double double_take, double double_pass, bool beaver,
              std::span<const float> probabilities, std::span<const double> values, const Weakness& weakness,
              std::uint64_t seed) {
    Chance chance = Question(seed, About::answer, rules, state, weakness).chance();
    // A double turns the error of the position into twice as much.
    const double error = 2 * chance.normal() * weakness.noise * Worth(rules, probabilities, values).deviation;
    const double taken = double_take + error;
    if (beaver && taken < 0) return Answer::beaver;
    return taken <= double_pass ? Answer::take : Answer::drop;
}

}  // namespace sheshbesh
