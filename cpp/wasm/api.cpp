// The core for WebAssembly: conversion only, no rules, as cpp/bindings is for Python.
//
// Numbers pass as arguments; what is longer is written into the bytes of `ssb_input` before a call, and what a call
// has found lies in those of `ssb_output` until the next one. Both are little-endian and without padding; positions
// are rows as in rows.h. Rule sets, nets and engines are handles that live until `ssb_free_*`. A fault, of the input
// too, ends the instance (see exceptions.cpp): `ssb_error` says what was wrong with it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../bindings/convert.h"
#include "../src/engine/kernels.h"
#include "exchange.h"
#include "sheshbesh/axes.h"
#include "sheshbesh/engine/cube_model.h"
#include "sheshbesh/engine/reasons.h"
#include "sheshbesh/engine/rollout.h"
#include "sheshbesh/engine/search.h"
#include "sheshbesh/engine/weakness.h"
#include "sheshbesh/explain.h"
#include "sheshbesh/movegen.h"
#include "sheshbesh/playout.h"
#include "sheshbesh/position_id.h"
#include "sheshbesh/rows.h"

namespace sheshbesh {
namespace {

Input input;

struct NetHandle {
    std::shared_ptr<const Net> net;
};

struct Engine {
    Engine(std::shared_ptr<const Net> used, const Ruleset& rules, std::vector<int> map, const SearchOptions& options)
        : net(std::move(used)), class_map(std::move(map)), searcher(make(rules), options) {}

    StaticEvaluator make(const Ruleset& rules) const { return StaticEvaluator(Evaluator(net, rules, class_map)); }
    const ClassTable& classes() const { return searcher.evaluator().classes(); }
    std::size_t row() const { return static_cast<std::size_t>(classes().size()); }

    std::shared_ptr<const Net> net;
    std::vector<int> class_map;
    Searcher searcher;
};

Generator& generator() {
    static Generator instance;
    return instance;
}

State read_state(const Ruleset& rules) {
    return read_row(rules, reinterpret_cast<const std::uint8_t*>(input.take(row::kWidth).data()));
}

std::vector<ShownStep> read_steps(int count) {
    std::vector<ShownStep> steps;
    for (int i = 0; i < count; ++i) {
        const int origin = input.number<std::uint8_t>();
        const int target = input.number<std::uint8_t>();
        steps.push_back(to_shown(origin, target, input.number<std::uint8_t>()));
    }
    return steps;
}

OneSide read_side() {
    OneSide side;
    for (int& count : side.counts) count = input.number<std::uint8_t>();
    for (int point = 1; point <= 24; ++point) {
        if (input.number<std::uint8_t>() != 0) side.pinned |= bit(point);
    }
    return side;
}

// Leaves a position, or what is wrong with it; returns the number of problems.
int add_position(const Ruleset& rules, const Description& description, const std::vector<Problem>& problems) {
    output.clear();
    if (problems.empty()) output.add(state_of(rules, description));
    for (const Problem& one : problems) {
        const int side = one.side ? 1 + static_cast<int>(*one.side) : 0;
        for (const int number : {side, one.n, one.most, one.point}) output.add(static_cast<std::int32_t>(number));
        output.add(fault_name(one.fault));
        output.add(one.field);
    }
    return static_cast<int>(problems.size());
}

void add_step(int origin, int die, bool takes) {
    output.add(static_cast<std::uint8_t>(origin));
    output.add(static_cast<std::uint8_t>(landing(origin, die)));
    output.add(static_cast<std::uint8_t>(die));
    output.add(static_cast<std::uint8_t>(takes));
}

Utility read_utility(const Engine& engine) { return {engine.classes(), input.numbers<float>(engine.row())}; }

bool read_flag() { return input.number<std::uint8_t>() != 0; }

HeightValues read_height(const Engine& engine) {
    HeightValues height;
    height.value = input.numbers<float>(engine.row());
    for (float* value : {&height.cash, &height.drop}) *value = input.number<float>();
    for (bool* flag : {&height.mine, &height.theirs, &height.mine_free, &height.theirs_free}) *flag = read_flag();
    return height;
}

CubeOwner checked_owner(int owner) {
    if (owner < 0 || owner > 2) throw std::invalid_argument("the owner of a cube is 0, 1 or 2");
    return static_cast<CubeOwner>(owner);
}

int checked_plies(int plies) {
    if (plies < 0 || plies > kDeepest) throw std::invalid_argument("plies must be 0 to " + std::to_string(kDeepest));
    return plies;
}

Weakness read_weakness() {
    const std::vector<double> numbers = input.numbers<double>(5);
    return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

// The points of a mask as bits, that of point 1 the lowest.
std::uint32_t as_bits(Mask points) { return points >> 1; }

std::optional<CubeModel> cube;

const CubeModel& the_cube() {
    if (!cube) throw std::invalid_argument("there is no cube model yet");
    return *cube;
}

}  // namespace
}  // namespace sheshbesh

// NOLINTBEGIN(misc-use-internal-linkage): the module's exports.
extern "C" {

using namespace sheshbesh;

// Where `size` bytes for the next call are to be written.
std::byte* SSB_EXPORT(ssb_input)(std::size_t size) { return input.resize(size); }
const std::byte* SSB_EXPORT(ssb_output)() { return output.data(); }
// The last fault, ended by a zero; empty if there was none.
const char* SSB_EXPORT(ssb_error)() { return fault_text().c_str(); }

// The instruction set that engines made from now on run on, ended by a zero.
const char* SSB_EXPORT(ssb_isa)() { return name(active_isa()).data(); }
// Whether every kernel of this build agrees with the baseline in all sizes; at the start only a few are tried.
int SSB_EXPORT(ssb_prove)() {
    for (const Kernel& kernel : machine_kernels()) {
        if (!agrees(kernel, Proof::whole)) return 0;
    }
    return 1;
}

// --- rules

// Output: the names of the axes in the order in which `ssb_rules` reads them, each ended by a zero. Returns their
// number.
int SSB_EXPORT(ssb_axes)() {
    output.clear();
    for (const Axis& axis : kAxes) {
        output.add(axis.name);
    }
    return static_cast<int>(kAxes.size());
}

// Input: a byte for each axis, then the checkers at the start on the points 1 to 24.
Ruleset* SSB_EXPORT(ssb_rules)() {
    auto rules = std::make_unique<Ruleset>();
    for (const Axis& axis : kAxes) {
        const int value = input.number<std::uint8_t>();
        if (value >= axis.values) throw std::invalid_argument("out of range: " + std::string(axis.name));
        axis.store(*rules, value);
    }
    Board setup{};
    for (std::size_t point = 1; point <= 24; ++point) setup[point] = input.number<std::uint8_t>();
    rules->setup = to_counts(setup);
    return rules.release();
}
void SSB_EXPORT(ssb_free_rules)(const Ruleset* rules) { delete rules; }

// Output: a row.
void SSB_EXPORT(ssb_start)(const Ruleset* rules, int black_starts) {
    output.clear();
    output.add(start(*rules, black_starts != 0));
}

// Input: an id in UTF-8. Output, as of all that makes a position: a row; if there are problems then in its place for
// each its side (0 nobody, 1 White, 2 Black), n, most and point, 32 bits each, its name and the part of a text that it
// is about, each ended by a zero; see description.h. Returns the number of problems.
int SSB_EXPORT(ssb_read_id)(const Ruleset* rules) {
    const std::span<const std::byte> text = input.take(input.left());
    const ReadId found = read_id(*rules, {reinterpret_cast<const char*>(text.data()), text.size()});
    return add_position(*rules, found.description, found.problems);
}
// Input: for White, then for Black, 27 counts as in a row, in that side's numbers, and 24 flags of the points where it
// is pinned. Output and result as above; the history is what the checkers let suppose.
int SSB_EXPORT(ssb_put_up)(const Ruleset* rules, int black_on_roll) {
    Description description;
    for (OneSide& side : description.sides) side = read_side();
    description.turn = black_on_roll != 0 ? Colour::black : Colour::white;
    suppose_turns(*rules, description);
    const std::vector<Problem> problems = checker_problems(*rules, description);
    return add_position(*rules, description, problems);
}
// Input: a row. Output: its id, ended by a zero.
void SSB_EXPORT(ssb_write_id)(const Ruleset* rules) {
    const State state = read_state(*rules);
    output.clear();
    output.add(std::string_view(write_id(*rules, state)));
}

// Input: a row. Output: kind, winner and points, 32 bits each; see state.h.
void SSB_EXPORT(ssb_result)(const Ruleset* rules) {
    const GameResult found = result(*rules, read_state(*rules));
    output.clear();
    output.add(static_cast<std::int32_t>(found.kind));
    output.add(static_cast<std::int32_t>(found.winner));
    output.add(static_cast<std::int32_t>(found.points));
}

// Input: a row. Output: for each play the row after it, the number of its steps, and four steps of four bytes
// (origin, landing, die, takes), those beyond its number zero. Returns the number of plays.
int SSB_EXPORT(ssb_plays)(const Ruleset* rules, int first, int second) {
    const State state = read_state(*rules);
    const Throw dice = to_throw(*rules, state, first, second);
    const Turn turn(*rules, state, dice);
    const std::vector<Play>& plays = generator().plays(*rules, state, dice);
    output.clear();
    for (const Play& play : plays) {
        output.add(position_after(*rules, state, dice, play));
        output.add(play.depth);
        Node node = turn.root();
        for (int i = 0; i < kMaxSteps; ++i) {
            if (i >= play.depth) {
                output.add(std::uint32_t{0});
                continue;
            }
            const int origin = path_origin(play.path, i);
            const int die = path_die(play.path, i);
            add_step(origin, die, turn.takes(node, landing(origin, die)));
            node = turn.step<false>(node, origin, die);
        }
    }
    return static_cast<int>(plays.size());
}

// Input: a row. Output: for each stage whether it is a whole play and how many steps may follow, 32 bits each, then
// for each of these its four bytes as in `ssb_plays` and, in 32 bits, the stage it leads to. Returns the number of
// stages.
int SSB_EXPORT(ssb_stages)(const Ruleset* rules, int first, int second) {
    const State state = read_state(*rules);
    const Throw dice = to_throw(*rules, state, first, second);
    const TurnGraph& graph = generator().explore(*rules, state, dice);
    const Turn turn(*rules, state, dice);
    const std::vector<Stage> stages = graph.stages();
    output.clear();
    for (const Stage& stage : stages) {
        output.add(static_cast<std::uint32_t>(stage.is_whole));
        output.add(static_cast<std::uint32_t>(stage.onward.size()));
        for (const Onward& onward : stage.onward) {
            const auto& [origin, die] = onward.step;
            add_step(origin, die, turn.takes(graph.node(stage.node), landing(origin, die)));
            output.add(onward.stage);
        }
    }
    return static_cast<int>(stages.size());
}

// Input: a row, then three bytes for each step: origin, landing, and the die, 0 for whichever of the dice leads there.
// Returns the verdict on them as a whole play or as the beginning of one; output: the rule they break in 32 bits. Both
// as numbered in explain.h and ruleset.h.
int SSB_EXPORT(ssb_judge)(const Ruleset* rules, int first, int second, int steps, int whole) {
    const State state = read_state(*rules);
    const Throw dice = to_throw(*rules, state, first, second);
    const Refusal refusal =
        judge(generator(), *rules, state, dice, read_steps(steps), whole != 0 ? Asked::whole_play : Asked::beginning);
    output.clear();
    output.add(static_cast<std::int32_t>(refusal.rule));
    return static_cast<int>(refusal.verdict);
}

// Input: a row. Returns the pips of the side on roll where the two sides can no longer meet, else -1.
int SSB_EXPORT(ssb_race)(const Ruleset* rules) {
    const State state = read_state(*rules);
    return has_contact(*rules, state) ? -1 : pips(state.mine);
}

// Input: a row. Returns the number of positions `depth` plays away.
double SSB_EXPORT(ssb_perft)(const Ruleset* rules, int depth) {
    return static_cast<double>(perft(*rules, read_state(*rules), depth));
}

// --- engine

// Input: the file of a net.
NetHandle* SSB_EXPORT(ssb_net)() { return new NetHandle{Net::parse(input.take(input.left()))}; }
void SSB_EXPORT(ssb_free_net)(const NetHandle* net) { delete net; }

// Input: for each class of the net the class of the rules that it counts for, 32 bits each. The net and the rules may
// be freed before the engine.
Engine* SSB_EXPORT(ssb_engine)(const Ruleset* rules, const NetHandle* net, int cache_entries) {
    SearchOptions options;
    options.cache_entries = static_cast<std::size_t>(cache_entries);
    const auto classes = static_cast<std::size_t>(net->net->classes());
    return new Engine(net->net, *rules, input.numbers<std::int32_t>(classes), options);
}
void SSB_EXPORT(ssb_free_engine)(const Engine* engine) { delete engine; }

// The number of classes of a value; see classes.h for their order. Output: kind and points of each way to win, 32 bits
// each, then the equity of each class in a money game as floats.
int SSB_EXPORT(ssb_classes)(const Engine* engine) {
    output.clear();
    for (const ResultClass& one : engine->classes().win_classes()) {
        output.add(static_cast<std::int32_t>(one.kind));
        output.add(static_cast<std::int32_t>(one.points));
    }
    output.add(std::span<const float>(engine->classes().money()));
    return engine->classes().size();
}

// Input: rows. Output: the static value of each for the side on roll, a float for each class.
void SSB_EXPORT(ssb_evaluate)(Engine* engine, int count) {
    std::vector<State> states;
    states.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) states.push_back(read_state(engine->searcher.rules()));
    output.clear();
    std::vector<float> values(states.size() * engine->row());
    engine->searcher.evaluate(states, values.data());
    output.add(std::span<const float>(values));
}

// Begins a ranking: `ssb_deepen` goes on with it, `ssb_ranked` says what is known. Input: a row, the equity of each
// class to the side on roll as floats, then for each filter its width (32 bits) and margin (float). Returns the number
// of plays.
int SSB_EXPORT(ssb_rank)(Engine* engine, int first, int second, int plies, int filters) {
    Searcher& searcher = engine->searcher;
    const State state = read_state(searcher.rules());
    const Throw dice = to_throw(searcher.rules(), state, first, second);
    Utility utility = read_utility(*engine);
    searcher.options().plies = checked_plies(plies);
    searcher.options().filters.clear();
    for (int i = 0; i < filters; ++i) {
        const int width = input.number<std::int32_t>();
        searcher.options().filters.push_back({width, input.number<float>()});
    }
    searcher.begin(state, dice, std::move(utility));
    return static_cast<int>(searcher.ranked().size());
}
// Looks at one candidate one ply deeper; 0 once nothing is left to look at.
int SSB_EXPORT(ssb_deepen)(Engine* engine) { return engine->searcher.deepen() ? 1 : 0; }
// Output: the best `most` plays, each with its index in the order of `ssb_plays` and its plies in 32 bits, its equity
// and the probability of each class as floats, for the player on roll. Returns their number.
int SSB_EXPORT(ssb_ranked)(const Engine* engine, int most) {
    const std::vector<Candidate> ranked = engine->searcher.ranked();
    const std::size_t shown = std::min(ranked.size(), static_cast<std::size_t>(most));
    output.clear();
    for (const Candidate& one : std::span(ranked).first(shown)) {
        output.add(static_cast<std::int32_t>(one.index));
        output.add(static_cast<std::int32_t>(one.plies));
        output.add(one.equity);
        output.add(std::span<const float>(one.probs));
    }
    return static_cast<int>(shown);
}

// Input: a row and the equity of each class to the side on roll. Output: the probability of each class for that side
// before it throws, looking `plies` ahead.
void SSB_EXPORT(ssb_value)(Engine* engine, int plies) {
    const State state = read_state(engine->searcher.rules());
    const Utility utility = read_utility(*engine);
    const std::vector<float> value = engine->searcher.value(state, utility, checked_plies(plies));
    output.clear();
    output.add(std::span<const float>(value));
}

// --- rollouts

// Plays trials of a rollout with an engine's net, plays chosen at 0 plies; see rollout.h. `luck`: 0 not measured, 1
// by all plays, 2 by those of a filter. Input: the equity of each class to the side on roll as floats; with
// `preferred` what each class adds to that where plays are compared; then for each of `heights` of the cube, without
// any if it is 0, the value of each class, of their drop and of mine as floats, and mine, theirs, mine_free and
// theirs_free as bytes. The engine may be freed before the roller.
Roller* SSB_EXPORT(ssb_roller)(const Engine* engine, double seed, int truncate, int luck, int first_double,
                               int preferred, int heights, float efficiency) {
    if (luck < 0 || luck > 2) throw std::invalid_argument("luck is measured in the ways 0, 1 and 2");
    RolloutOptions options;
    options.seed = static_cast<std::uint64_t>(seed);
    options.truncate = truncate;
    options.luck = static_cast<Luck>(luck);
    options.first_double = first_double != 0;
    SearchOptions search;
    search.cache_entries = 0;
    Utility utility = read_utility(*engine);
    std::optional<Utility> preference;
    if (preferred != 0) preference = read_utility(*engine);
    std::optional<CubefulUtility> cubeful;
    if (heights > 0) {
        std::vector<HeightValues> all;
        for (int i = 0; i < heights; ++i) all.push_back(read_height(*engine));
        cubeful.emplace(engine->classes(), std::move(all), efficiency);
    }
    return new Roller(Searcher(engine->make(engine->searcher.rules()), search), std::move(utility), options,
                      std::move(cubeful), std::move(preference));
}
void SSB_EXPORT(ssb_free_roller)(const Roller* roller) { delete roller; }

// Input: a row. Output: for each of `count` trials from number `first` on the probability of each class and, with a
// cube, the equity, as doubles, for the side on roll; `owner` of the cube, as that side sees it: 0 nobody, 1 mine,
// 2 theirs. Returns how many numbers a trial has.
int SSB_EXPORT(ssb_roll)(Roller* roller, const Ruleset* rules, int height, int owner, double first, int count) {
    if (count < 1) throw std::invalid_argument("at least one trial is to be played");
    const State start = read_state(*rules);
    const std::vector<double> found =
        roller->run(start, {height, checked_owner(owner)}, static_cast<std::uint64_t>(first), count);
    output.clear();
    output.add(std::span<const double>(found));
    return static_cast<int>(roller->row());
}

// --- levels

// Input: a row; five doubles of a weakness in the order of weakness.h; a seed of 64 bits; the value of each class as a
// double; then for each candidate, best first, its dice and its index in the order of `ssb_plays`, 32 bits each, and
// the probability of each class as a float. Returns the place of the one that a player of this weakness makes.
int SSB_EXPORT(ssb_pick)(const Ruleset* rules, int classes, int candidates) {
    const State state = read_state(*rules);
    const Weakness weakness = read_weakness();
    const auto seed = input.number<std::uint64_t>();
    const std::vector<double> values = input.numbers<double>(static_cast<std::size_t>(classes));
    std::vector<Considered> considered;
    std::vector<std::vector<float>> probabilities(static_cast<std::size_t>(candidates));
    for (std::vector<float>& one : probabilities) {
        const int first = input.number<std::int32_t>();
        const Throw dice = to_throw(*rules, state, first, input.number<std::int32_t>());
        const auto index = static_cast<std::size_t>(input.number<std::int32_t>());
        one = input.numbers<float>(values.size());
        considered.push_back({dice, index, one});
    }
    return static_cast<int>(pick(generator(), *rules, state, considered, values, weakness, seed));
}
// Input: a row, a weakness and a seed as above, the value and then the probability of each class (doubles, floats) to
// the side on roll. Returns whether it turns the cube where that gains so much.
int SSB_EXPORT(ssb_doubles)(const Ruleset* rules, int classes, double gain) {
    const State state = read_state(*rules);
    const Weakness weakness = read_weakness();
    const auto seed = input.number<std::uint64_t>();
    const std::vector<double> values = input.numbers<double>(static_cast<std::size_t>(classes));
    const std::vector<float> probabilities = input.numbers<float>(values.size());
    return doubles(*rules, state, gain, probabilities, values, weakness, seed) ? 1 : 0;
}
// The same input, for the player who answers. Returns 0 for a drop, 1 for a take, 2 for a beaver.
int SSB_EXPORT(ssb_answer)(const Ruleset* rules, int classes, double double_take, double double_pass, int beaver) {
    const State state = read_state(*rules);
    const Weakness weakness = read_weakness();
    const auto seed = input.number<std::uint64_t>();
    const std::vector<double> values = input.numbers<double>(static_cast<std::size_t>(classes));
    const std::vector<float> probabilities = input.numbers<float>(values.size());
    return static_cast<int>(
        answer(*rules, state, double_take, double_pass, beaver != 0, probabilities, values, weakness, seed));
}

// --- reasons

// Output: the names of the reasons in the order of their ids, each ended by a zero. Returns their number; those of the
// features come first.
int SSB_EXPORT(ssb_reason_names)() {
    output.clear();
    for (int id = 0; id < kReasons; ++id) {
        output.add(reason_name(id));
    }
    return kReasons;
}
// Input: two rows, the positions after two plays of one throw; the value of each class to the player as a double; a
// weight for each feature as a double; the probability of each class after the first play, then after the other, as
// floats. Output: for each difference, the heaviest first, the numbers of both plays and the weight as doubles, then
// the id and, as bits from point 1 on, the points that only the first holds and those that only the other does, 32 bits
// each, and 32 bits of nothing. Returns their number.
int SSB_EXPORT(ssb_reasons)(Engine* engine, int black_plays) {
    const Ruleset& rules = engine->searcher.rules();
    const State mine = read_state(rules);
    const State other = read_state(rules);
    const std::vector<double> values = input.numbers<double>(engine->row());
    const std::vector<double> weights = input.numbers<double>(kBoardFeatures);
    const std::vector<float> my_probabilities = input.numbers<float>(engine->row());
    const std::vector<float> other_probabilities = input.numbers<float>(engine->row());
    const std::vector<Reason> found = reasons(engine->searcher, black_plays != 0, {mine, my_probabilities},
                                              {other, other_probabilities}, values, weights);
    output.clear();
    for (const Reason& one : found) {
        output.add(one.mine);
        output.add(one.other);
        output.add(one.weight);
        output.add(static_cast<std::uint32_t>(one.id));
        output.add(as_bits(one.gained));
        output.add(as_bits(one.lost));
        output.add(std::uint32_t{0});
    }
    return static_cast<int>(found.size());
}

// --- cube

// Makes the cube model that the functions below ask. Input: for each height win, lose, cash and drop as doubles, then
// mine, theirs, mine_free and theirs_free as bytes; see cube_model.h. Output: the take point, then the cash point of
// each height as doubles.
void SSB_EXPORT(ssb_cube)(int heights, double efficiency) {
    std::vector<CubeHeight> all;
    for (int i = 0; i < heights; ++i) {
        CubeHeight& height = all.emplace_back();
        for (double* value : {&height.win, &height.lose, &height.cash, &height.drop}) *value = input.number<double>();
        for (bool* flag : {&height.mine, &height.theirs, &height.mine_free, &height.theirs_free}) {
            *flag = read_flag();
        }
    }
    cube.emplace(all, efficiency);
    output.clear();
    for (std::size_t i = 0; i < cube->size(); ++i) output.add(cube->take_point(i));
    for (std::size_t i = 0; i < cube->size(); ++i) output.add(cube->cash_point(i));
}

// Output: the dead value, the live one and that of the model, as doubles. `owner`: 0 nobody, 1 mine, 2 theirs.
void SSB_EXPORT(ssb_cube_value)(double chance, int owner, int height) {
    const CubeModel& model = the_cube();
    if (height < 0 || static_cast<std::size_t>(height) >= model.size()) {
        throw std::invalid_argument("a cube of " + std::to_string(model.size()) + " heights has no height " +
                                    std::to_string(height));
    }
    const CubePlace place{height, checked_owner(owner)};
    output.clear();
    output.add(model.dead(chance, height));
    output.add(model.live(chance, place));
    output.add(model.value(chance, place));
}
}
// NOLINTEND(misc-use-internal-linkage)
