// The static evaluator and the search, held against a plain search that asks for one position after the other.
#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "../check.h"
#include "../shapes.h"
#include "nets.h"
#include "sheshbesh/engine/search.h"

namespace sheshbesh::test {
namespace {

StaticEvaluator evaluator_of(const Ruleset& rules, std::uint64_t seed = 1,
                             std::vector<std::shared_ptr<const ExactValues>> databases = {}) {
    return StaticEvaluator(Evaluator(Net::parse(random_net({64}, ClassTable(rules).size(), seed).file()), rules),
                           std::move(databases));
}

// The same, without a store, batches or levels.
class PlainSearch {
public:
    PlainSearch(StaticEvaluator& evaluator, const Utility& utility, bool black)
        : evaluator_(evaluator), utility_(utility), black_(black) {}

    std::vector<float> value(const State& state, int plies) {
        const auto row = static_cast<std::size_t>(evaluator_.classes().size());
        std::vector<float> values(row);
        if (result(evaluator_.rules(), state).kind != Kind::none || plies == 0) {
            evaluator_.evaluate({&state, 1}, values.data());
            return values;
        }
        std::vector<State> reached;
        for (const Chance& chance : chances(evaluator_.rules(), state)) {
            for (const State& next : replies(state, chance.dice)) reached.push_back(next);
            if (chance.chosen) continue;
            add(values, answer(state, reached, plies), chance.weight);
            reached.clear();
        }
        if (!reached.empty()) add(values, answer(state, reached, plies), 1.0f);
        return values;
    }

    std::vector<State> replies(const State& state, const Throw& dice) const {
        Generator generator;
        std::vector<State> found;
        for (const Play& play : generator.plays(evaluator_.rules(), state, dice)) {
            found.push_back(position_after(evaluator_.rules(), state, dice, play));
        }
        return found;
    }

private:
    float equity(const State& chooser, const State& state, const std::vector<float>& values) const {
        const float equity = utility_.equity(values.data(), state.black_on_roll == black_);
        return chooser.black_on_roll == black_ ? equity : -equity;
    }

    // The value of the best play, as the chooser sees it.
    std::vector<float> answer(const State& chooser, const std::vector<State>& reached, int plies) {
        std::vector<float> equities;
        equities.reserve(reached.size());
        for (const State& state : reached) equities.push_back(equity(chooser, state, value(state, 0)));
        const auto best = static_cast<std::size_t>(std::ranges::max_element(equities) - equities.begin());
        std::vector<float> values = value(reached[best], plies - 1);
        if (reached[best].black_on_roll == chooser.black_on_roll) return values;
        std::vector<float> flipped(values.size());
        evaluator_.classes().flip(values.data(), flipped.data());
        return flipped;
    }

    static void add(std::vector<float>& sum, const std::vector<float>& values, float weight) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * values[i];
    }

    StaticEvaluator& evaluator_;
    const Utility& utility_;
    bool black_;
};

// A rule set whose wins fit the number of classes a net may have.
Ruleset some_rules(Random& random) {
    Ruleset rules = random_rules(random);
    while (ClassTable(rules).size() > kMaxClasses) rules = random_rules(random);
    return rules;
}

Throw some_throw(const Ruleset& rules, const State& state, Random& random) {
    const int first = number(random, 1, 6);
    const int second = state.pending.choose_double ? first : number(random, 1, 6);
    return element(rules, state, first, second);
}

// A position some random plays into a game, not finished.
State some_position(const Ruleset& rules, Random& random, int longest) {
    Generator generator;
    State state = start(rules, chance(random, 2));
    for (int left = number(random, 0, longest); left > 0; --left) {
        const Throw dice = some_throw(rules, state, random);
        const std::vector<Play>& plays = generator.plays(rules, state, dice);
        const Play& chosen = plays[random.below(static_cast<std::uint32_t>(plays.size()))];
        const State next = position_after(rules, state, dice, chosen);
        if (result(rules, next).kind != Kind::none) break;
        state = next;
    }
    return state;
}

Utility money_of(const Ruleset& rules) {
    const ClassTable classes(rules);
    return Utility(classes, classes.money());
}

// Without money: any equity of any class, the tie's too.
Utility some_utility(const ClassTable& classes, Random& random) {
    std::vector<float> equity = classes.money();
    for (float& value : equity) value += static_cast<float>(random.below(1000)) / 2000 - 0.25f;
    return Utility(classes, equity);
}

bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Candidate& left, const Candidate& right) {
        return left.index == right.index && left.plies == right.plies && left.equity == right.equity &&
               left.probs == right.probs && left.after == right.after && left.play == right.play;
    });
}

SearchOptions with_plies(int plies, std::size_t cache_entries = 0) {
    SearchOptions options;
    options.plies = plies;
    options.cache_entries = cache_entries;
    return options;
}

TEST("the throws of a position: all, the one that is owed, or a double of one's choice") {
    const Ruleset rules = hitting();
    State state = start(rules, false);
    const std::vector<Chance> all = chances(rules, state);
    CHECK_EQUAL(all.size(), 21u);
    float sum = 0;
    for (const Chance& chance : all) {
        CHECK(!chance.chosen);
        CHECK_EQUAL(chance.weight, (chance.dice.same() ? 1.0f : 2.0f) / 36.0f);
        sum += chance.weight;
    }
    CHECK(sum > 0.999999f && sum < 1.000001f);

    state.pending = {.die = 4, .steps = 3};
    const std::vector<Chance> owed = chances(rules, state);
    CHECK_EQUAL(owed.size(), 1u);
    CHECK_EQUAL(owed[0].weight, 1.0f);
    CHECK_EQUAL(owed[0].dice.high, 4);
    CHECK_EQUAL(owed[0].dice.steps, 3);

    state.pending = {.choose_double = true};
    const std::vector<Chance> doubles = chances(rules, state);
    CHECK_EQUAL(doubles.size(), 6u);
    for (const Chance& chance : doubles) CHECK(chance.chosen && chance.dice.same());
}

// Knows one position.
class OnePosition : public ExactValues {
public:
    OnePosition(const State& state, std::vector<float> value) : state_(state), value_(std::move(value)) {}
    bool lookup(const State& state, float* out) const override {
        if (!(state == state_)) return false;
        std::copy(value_.begin(), value_.end(), out);
        return true;
    }

private:
    State state_;
    std::vector<float> value_;
};

TEST("a finished game is its result, then databases are asked, then the net") {
    const Ruleset rules = hitting();
    const State lost = position(board({{24, 15}}), board({{kOff, 15}}));  // a backgammon
    const State known = position(board({{6, 15}}), board({{6, 15}}));
    const State open = start(rules, false);
    const std::vector<float> wanted = {0.5f, 0.25f, 0, 0.25f, 0, 0};
    StaticEvaluator evaluator = evaluator_of(rules, 1, {std::make_shared<OnePosition>(known, wanted)});
    StaticEvaluator bare = evaluator_of(rules);

    const std::vector<State> states = {open, lost, known, open};
    std::vector<float> values(4 * 6);
    evaluator.evaluate(states, values.data());
    std::vector<float> alone(6);
    bare.evaluate({&open, 1}, alone.data());
    CHECK(std::equal(alone.begin(), alone.end(), values.begin()));
    CHECK(std::equal(alone.begin(), alone.end(), values.begin() + 18));
    CHECK((std::vector<float>(values.begin() + 6, values.begin() + 12) == std::vector<float>{0, 0, 0, 0, 0, 1}));
    CHECK((std::vector<float>(values.begin() + 12, values.begin() + 18) == wanted));
    CHECK_EQUAL(evaluator.evaluations(), 2u);
    CHECK(evaluator.exact(lost, alone.data()) && evaluator.exact(known, alone.data()) &&
          !evaluator.exact(open, alone.data()));
}

TEST("the hash and the store tell positions apart by everything they consist of") {
    const State plain = start(hitting(), false);
    std::vector<State> all(17, plain);
    all[1].mine += one(3) - one(6);
    all[2].theirs += one(3) - one(6);
    all[3].pinned_mine = bit(6);
    all[4].pinned_theirs = bit(6);
    all[5].turns_mine = 1;
    all[6].turns_theirs = 1;
    all[7].black_on_roll = true;
    all[8].i_started = true;
    all[9].they_started = true;
    all[10].my_mother_lost = true;
    all[11].their_mother_lost = true;
    all[12].pending.die = 1;
    all[13].pending.second = 1;
    all[14].pending.steps = 1;
    all[15].pending.rest = true;
    all[16].pending.then_throw = true;
    all.push_back(plain);
    all.back().pending.choose_double = true;
    std::set<std::uint64_t> hashes;
    for (const State& state : all) hashes.insert(hash(state));
    CHECK_EQUAL(hashes.size(), all.size());

    // With one place all share it, and only the last is found.
    ValueCache cache(1, 2);
    const float value[2] = {0.25f, 0.75f};
    for (const State& state : all) {
        CHECK(cache.find(hash(state), state) == nullptr);
        cache.store(hash(state), state, value);
        const float* found = cache.find(hash(state), state);
        CHECK(found != nullptr && found[1] == 0.75f);
    }
    CHECK(cache.find(0, plain) == nullptr);
}

TEST("search by levels finds what a plain search finds, in any game, whatever is remembered") {
    Random random(11);
    for (int round = 0; round < rounds(60); ++round) {
        context() = "round " + std::to_string(round);
        const Ruleset rules = some_rules(random);
        const ClassTable classes(rules);
        const Utility utility = some_utility(classes, random);
        const auto seed = static_cast<std::uint64_t>(round);
        StaticEvaluator plain_evaluator = evaluator_of(rules, seed);
        Searcher forgetful(evaluator_of(rules, seed), with_plies(0));
        Searcher narrow(evaluator_of(rules, seed), with_plies(0, 16));
        Searcher wide(evaluator_of(rules, seed), with_plies(0, 1 << 14));
        const State state = some_position(rules, random, 40);
        const Throw dice = some_throw(rules, state, random);
        for (int plies = 0; plies <= (round % 10 == 0 ? 2 : 1); ++plies) {
            SearchOptions options = with_plies(plies);
            options.filters = {{3, 0.2f}, {2, 0.1f}};
            std::vector<std::vector<Candidate>> found;
            for (Searcher* searcher : {&forgetful, &narrow, &wide}) {
                searcher->options() = options;
                found.push_back(searcher->rank(state, dice, utility));
            }
            CHECK(same(found[0], found[1]) && same(found[0], found[2]));
            // Again, with everything remembered.
            CHECK(same(found[0], wide.rank(state, dice, utility)));

            PlainSearch plain(plain_evaluator, utility, state.black_on_roll);
            CHECK(plain.value(state, plies) == forgetful.value(state, utility, plies));
            const std::vector<State> reached = plain.replies(state, dice);
            CHECK_EQUAL(found[0].size(), reached.size());
            int deepest = 0;
            for (const Candidate& one : found[0]) {
                deepest = std::max(deepest, one.plies);
                CHECK(one.after == reached[one.index]);
                std::vector<float> values = plain.value(one.after, one.plies);
                CHECK_EQUAL(one.equity, utility.equity(values.data(), one.after.black_on_roll == state.black_on_roll));
                std::vector<float> mine(values.size());
                if (one.after.black_on_roll == state.black_on_roll) {
                    mine = values;
                } else {
                    classes.flip(values.data(), mine.data());
                }
                CHECK(one.probs == mine);
                const float sum = std::accumulate(mine.begin(), mine.end(), 0.0f);
                CHECK(sum > 0.99999f && sum < 1.00001f);
            }
            CHECK_EQUAL(deepest, plies);
        }
    }
    context().clear();
}

TEST("candidates are ordered by depth, then equity, then as they were generated; filters choose the depth") {
    const Ruleset rules = hitting();
    const Utility money = money_of(rules);
    Searcher searcher(evaluator_of(rules), with_plies(2, 1 << 14));
    searcher.options().filters = {{4, 100}, {2, 100}};
    const std::vector<Candidate> found = searcher.rank(start(rules, false), {3, 1, 2}, money);
    CHECK(found.size() > 10);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK_EQUAL(found[i].plies, i < 2 ? 2 : i < 4 ? 1 : 0);
    for (std::size_t i = 1; i < found.size(); ++i) {
        const Candidate &before = found[i - 1], &after = found[i];
        if (before.plies != after.plies) continue;
        CHECK(before.equity > after.equity || (before.equity == after.equity && before.index < after.index));
    }
    searcher.options().filters = {{8, 0.0f}};
    CHECK_EQUAL(searcher.rank(start(rules, false), {3, 1, 2}, money)[1].plies, 0);
    searcher.options().filters.clear();
    searcher.set_plies(1);
    for (const Candidate& one : searcher.rank(start(rules, false), {3, 1, 2}, money)) CHECK_EQUAL(one.plies, 1);
}

TEST("the best play is the first of the ranking") {
    Random random(12);
    for (int round = 0; round < rounds(40); ++round) {
        context() = "round " + std::to_string(round);
        const Ruleset rules = some_rules(random);
        const Utility utility = some_utility(ClassTable(rules), random);
        Searcher searcher(evaluator_of(rules, 3), with_plies(round % 2, 1 << 12));
        const State state = some_position(rules, random, 30);
        const Throw dice = some_throw(rules, state, random);
        const std::vector<Candidate> ranked = searcher.rank(state, dice, utility);
        const Candidate best = searcher.best(state, dice, utility);
        CHECK_EQUAL(best.index, ranked[0].index);
        CHECK(best.after == ranked[0].after);
        if (best.plies == ranked[0].plies) CHECK_EQUAL(best.equity, ranked[0].equity);
    }
    context().clear();
    const Ruleset rules = hitting();
    Searcher searcher(evaluator_of(rules), with_plies(1));
    const State over = position(board({{24, 15}}), board({{kOff, 15}}));
    const Utility money = money_of(rules);
    CHECK(searcher.rank(over, {3, 1, 2}, money).empty());
    bool refused = false;
    try {
        searcher.best(over, {3, 1, 2}, money);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST("the colour of the players does not matter") {
    Random random(13);
    for (int round = 0; round < 20; ++round) {
        const Ruleset rules = some_rules(random);
        const Utility utility = some_utility(ClassTable(rules), random);
        Searcher searcher(evaluator_of(rules, 4), with_plies(1, 1 << 10));
        State state = some_position(rules, random, 30);
        const std::vector<float> value = searcher.value(state, utility, 1);
        state.black_on_roll = !state.black_on_roll;
        CHECK(searcher.value(state, utility, 1) == value);
    }
}

TEST("a side that may choose a double takes the best") {
    Ruleset rules = hitting();
    rules.one_two_bonus = OneTwoBonus::always;
    const Utility money = money_of(rules);
    Searcher searcher(evaluator_of(rules), with_plies(0));
    State state = start(rules, false);
    state.pending.choose_double = true;
    float best = -100;
    for (int die = 1; die <= 6; ++die) {
        best = std::max(best, searcher.best(state, element(rules, state, die, die), money).equity);
    }
    const std::vector<float> value = searcher.value(state, money, 1);
    CHECK_EQUAL(money.equity(value.data(), true), best);
}

TEST("of several throws the best play is found by values of equal depth") {
    Ruleset rules = hitting();
    rules.one_two_bonus = OneTwoBonus::always;
    const Utility money = money_of(rules);
    Random random(14);
    int told_apart = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Searcher searcher(evaluator_of(rules, seed), with_plies(1, 1 << 12));
        searcher.options().filters = {{8, 0.0f}};  // one play of each throw is looked at, the others are not
        State state = some_position(rules, random, 20);
        if (result(rules, state).kind != Kind::none) continue;
        state.pending = {};
        state.pending.choose_double = true;
        std::vector<Throw> doubles;
        for (int die = 1; die <= 6; ++die) doubles.push_back(element(rules, state, die, die));
        std::size_t deep = 0;
        std::size_t shallow = 0;
        std::vector<Candidate> ranked;
        std::vector<float> raw;
        for (const Throw& dice : doubles) {
            ranked.push_back(searcher.rank(state, dice, money)[0]);
            raw.push_back(searcher.best(state, dice, money).equity);
            if (ranked.back().equity > ranked[deep].equity) deep = ranked.size() - 1;
            if (raw.back() > raw[shallow]) shallow = raw.size() - 1;
        }
        const Searcher::Chosen chosen = searcher.best_of_throws(state, doubles, money);
        CHECK_EQUAL(chosen.which, deep);
        CHECK_EQUAL(chosen.candidate.index, ranked[deep].index);
        CHECK_EQUAL(chosen.candidate.plies, 1);
        if (deep != shallow) ++told_apart;
    }
    CHECK(told_apart > 0);
}

TEST("a stopped search returns the plies that are complete") {
    const Ruleset rules = hitting();
    const Utility money = money_of(rules);
    std::atomic<bool> stop = true;
    SearchOptions options = with_plies(2);
    options.stop = &stop;
    Searcher searcher(evaluator_of(rules), options);
    const State state = start(rules, false);
    for (const Candidate& one : searcher.rank(state, {3, 1, 2}, money)) CHECK_EQUAL(one.plies, 0);
    bool stopped = false;
    try {
        searcher.value(state, money, 1);
    } catch (const SearchStopped&) {
        stopped = true;
    }
    CHECK(stopped);
    stop = false;
    CHECK_EQUAL(searcher.rank(state, {3, 1, 2}, money)[0].plies, 2);
}

TEST("a ranking in pieces looks at one candidate a time and ends as the whole one") {
    Random random(14);
    for (int round = 0; round < rounds(30); ++round) {
        context() = "round " + std::to_string(round);
        const Ruleset rules = some_rules(random);
        const Utility utility = some_utility(ClassTable(rules), random);
        Searcher searcher(evaluator_of(rules, 4), with_plies(round % 10 == 0 ? 2 : 1, 1 << 12));
        searcher.options().filters = {{4, 0.3f}, {2, 0.1f}};
        const State state = some_position(rules, random, 30);
        const Throw dice = some_throw(rules, state, random);
        const std::vector<Candidate> whole = searcher.rank(state, dice, utility);
        searcher.begin(state, dice, utility);
        std::vector<Candidate> before = searcher.ranked();
        for (const Candidate& one : before) CHECK_EQUAL(one.plies, 0);
        while (searcher.deepen()) {
            const std::vector<Candidate> now = searcher.ranked();
            CHECK_EQUAL(now.size(), before.size());
            int plies_before = 0;
            int plies_now = 0;
            for (std::size_t i = 0; i < now.size(); ++i) {
                plies_before += before[i].plies;
                plies_now += now[i].plies;
                CHECK(i == 0 || now[i - 1].plies > now[i].plies ||
                      (now[i - 1].plies == now[i].plies && now[i - 1].equity >= now[i].equity));
            }
            CHECK_EQUAL(plies_now, plies_before + 1);
            before = now;
        }
        CHECK(!searcher.deepen());
        CHECK(same(searcher.ranked(), whole));
    }
    context().clear();
    Searcher idle(evaluator_of(hitting()), with_plies(1));
    bool refused = false;
    try {
        idle.deepen();
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST("a utility has one equity for each class") {
    bool refused = false;
    try {
        const Utility wrong(ClassTable(hitting()), {1, -1});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

}  // namespace
}  // namespace sheshbesh::test
