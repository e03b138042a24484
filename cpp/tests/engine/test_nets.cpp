// Net files, and the evaluator on every instruction set against a plain reading of the contract.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "../../src/engine/kernels.h"
#include "../check.h"
#include "../shapes.h"
#include "nets.h"
#include "sheshbesh/engine/evaluator.h"
#include "sheshbesh/engine/net.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh::test {
namespace {

std::shared_ptr<const Net> parsed(const NetParts& parts) { return Net::parse(parts.file()); }

// The text of the refusal; empty if the file is taken.
std::string refusal(const std::vector<std::byte>& file) {
    try {
        Net::parse(file);
    } catch (const NetFormatError& error) {
        return error.what();
    }
    return {};
}

void check_refused(const NetParts& parts, const std::string& reason) {
    const std::string text = refusal(parts.file());
    if (text.find(reason) == std::string::npos) {
        report("expected a refusal with \"" + reason + "\", got \"" + text + "\"", __FILE__, __LINE__);
    }
}

// All positions after each throw of some random games, in the order in which they came up.
std::vector<State> candidates(const Ruleset& rules, std::uint64_t seed, std::size_t wanted) {
    Random random(seed);
    Generator generator;
    std::vector<State> found;
    State state = start(rules, false);
    int length = 0;
    while (found.size() < wanted) {
        const int first = uniform(random, 1, 6);
        const int second = state.pending.choose_double ? first : uniform(random, 1, 6);
        const Throw dice = element(rules, state, first, second);
        const std::vector<Play>& plays = generator.plays(rules, state, dice);
        if (plays.empty() || ++length > 300) {
            state = start(rules, chance(random, 2));
            length = 0;
            continue;
        }
        for (const Play& play : plays) found.push_back(position_after(rules, state, dice, play));
        state = found[found.size() - 1 - random.below(static_cast<std::uint32_t>(plays.size()))];
    }
    found.resize(wanted);
    return found;
}

// The computation that net.h defines, implemented once more, unit by unit and in plain loops; the classes of the net.
std::vector<double> reference(const NetParts& net, const Ruleset& rules, const State& state) {
    Slots slots;
    Extractor(rules).extract(state, slots);
    std::vector<std::int64_t> sums(net.first_bias.begin(), net.first_bias.end());
    for (int slot = 0; slot < kSlots; ++slot) {
        for (const Unit& unit : units(slot, slots[static_cast<std::size_t>(slot)])) {
            for (std::size_t j = 0; j < sums.size(); ++j) {
                sums[j] += unit.times * net.first_weight[static_cast<std::size_t>(unit.index) * sums.size() + j];
            }
        }
    }
    const std::int64_t half = net.shift == 0 ? 0 : std::int64_t{1} << (net.shift - 1);
    for (auto& sum : sums) {
        CHECK(sum >= -32768 && sum <= 32767);
        sum = std::clamp<std::int64_t>((sum + half) >> net.shift, 0, 127);
    }
    int parts = 1;  // of a step, that the activations count in
    for (const NetParts::Layer& layer : net.dense) {
        parts = &layer == &net.dense.back() ? 128 : 1;
        std::vector<std::int64_t> next(layer.bias.begin(), layer.bias.end());
        for (std::size_t i = 0; i < next.size(); ++i) {
            for (std::size_t j = 0; j < sums.size(); ++j) next[i] += layer.weight[i * sums.size() + j] * sums[j];
            const float scaled = static_cast<float>(next[i]) * layer.scale[i] * static_cast<float>(parts);
            const float most = 127.0f * static_cast<float>(parts);
            next[i] = static_cast<std::int64_t>(std::clamp(std::nearbyint(scaled), 0.0f, most));
        }
        sums = next;
    }
    std::vector<double> values(net.classes);
    double most = -1e300;
    for (std::size_t k = 0; k < values.size(); ++k) {
        std::int64_t sum = 0;
        for (std::size_t j = 0; j < sums.size(); ++j) sum += net.output_weight[k * sums.size() + j] * sums[j];
        const float whole = static_cast<float>(sum) / static_cast<float>(parts);
        values[k] = whole * net.output_scale[k] + net.output_bias[k];
        most = std::max(most, values[k]);
    }
    double total = 0;
    for (auto& value : values) total += value = std::exp(value - most);
    for (auto& value : values) value /= total;
    return values;
}

std::vector<float> evaluated(Evaluator& evaluator, std::span<const State> states) {
    std::vector<float> out(states.size() * static_cast<std::size_t>(evaluator.classes().size()));
    evaluator.evaluate(states, out.data());
    return out;
}

// Runs a test on every instruction set, then goes back to the usual one.
template <class Body>
void on_every_isa(Body body) {
    const Isa usual = active_isa();
    for (const Isa isa : available_isas()) {
        force_isa(isa);
        context() = std::string(name(isa));
        body(isa);
    }
    force_isa(usual);
}

const std::vector<std::vector<int>> kShapes = {
    {64}, {128, 16}, {256, 64, 64}, {512, 256, 256}, {192, 48, 80, 16, 32}, {64, 2048, 112},
};

std::vector<Ruleset> several_rules() {
    std::vector<Ruleset> all = {hitting(), pinning(), blocking(), long_blocking()};
    Random random(5);
    for (int i = 0; i < 4; ++i) all.push_back(random_rules(random));
    return all;
}

TEST("an evaluation is what the net's contract says, on every instruction set and bit by bit") {
    std::uint64_t seed = 1;
    for (const auto& widths : kShapes) {
        for (const Ruleset& rules : several_rules()) {
            const NetParts parts = random_net(widths, ClassTable(rules).size(), ++seed);
            const auto net = parsed(parts);
            const std::vector<State> states = candidates(rules, seed, 90);
            std::vector<float> first;
            on_every_isa([&](Isa isa) {
                Evaluator evaluator(net, rules);
                const std::vector<float> values = evaluated(evaluator, states);
                if (isa == Isa::baseline) first = values;
                CHECK(values == first);
            });
            CHECK(!first.empty());
            const std::size_t width = parts.classes;
            for (std::size_t i = 0; i < states.size(); i += 9) {
                const std::vector<double> wanted = reference(parts, rules, states[i]);
                for (std::size_t k = 0; k < width; ++k) CHECK(std::abs(first[i * width + k] - wanted[k]) < 1e-6);
            }
        }
    }
}

TEST("probabilities sum to one and are not all alike") {
    const Ruleset rules = hitting();
    Evaluator evaluator(parsed(random_net({256, 64}, 6, 3)), rules);
    const std::vector<float> values = evaluated(evaluator, candidates(rules, 4, 2000));
    float least = 1;
    float most = 0;
    for (std::size_t i = 0; i < values.size(); i += 6) {
        double total = 0;
        for (std::size_t k = 0; k < 6; ++k) {
            CHECK(values[i + k] >= 0);
            total += values[i + k];
        }
        CHECK(std::abs(total - 1) < 1e-6);
        least = std::min(least, values[i]);
        most = std::max(most, values[i]);
    }
    CHECK(most - least > 0.01f);
}

TEST("far apart classes: probabilities may be zero and still sum to one") {
    const Ruleset rules = hitting();
    NetParts parts = random_net({64}, 6, 3);
    parts.output_bias = {-500.0f, 0.0f, 700.0f, 699.0f, -1e20f, 650.0f};
    Evaluator evaluator(parsed(parts), rules);
    const State state = start(rules, false);
    std::array<float, 6> values{};
    evaluator.evaluate({&state, 1}, values.data());
    CHECK(values[0] == 0.0f && values[4] == 0.0f);
    CHECK(values[2] > 0.5f && values[3] > 0.2f && values[5] > 0.0f && values[5] < 1e-20f);
    CHECK(std::abs(values[2] + values[3] - 1) < 1e-6f);
}

TEST("an evaluation does not depend on batch, order or what was evaluated before") {
    const Ruleset rules = hitting();
    const auto net = parsed(random_net({512, 64, 48}, 6, 8));
    const std::vector<State> states = candidates(rules, 9, 700);
    on_every_isa([&](Isa) {
        Evaluator evaluator(net, rules);
        const std::vector<float> whole = evaluated(evaluator, states);
        CHECK(evaluated(evaluator, states) == whole);
        std::size_t at = 0;
        for (std::size_t size = 1; at + size <= states.size(); at += size++) {
            const std::vector<float> part = evaluated(evaluator, std::span(states).subspan(at, size));
            CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(6 * at)));
        }
        Evaluator backwards(net, rules);
        const std::vector<State> reversed(states.rbegin(), states.rend());
        const std::vector<float> other = evaluated(backwards, reversed);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const auto begin = other.begin() + static_cast<std::ptrdiff_t>(6 * i);
            CHECK(std::equal(begin, begin + 6, whole.end() - static_cast<std::ptrdiff_t>(6 * (i + 1))));
        }
    });
}

TEST("classes of another scoring count for the classes they are mapped to") {
    Ruleset plain = hitting();
    plain.score_gammon = 0;
    plain.score_backgammon = 0;
    const auto net = parsed(random_net({128, 32}, 6, 2));
    CHECK_EQUAL(ClassTable(plain).size(), 2);
    Evaluator six(net, hitting());
    Evaluator two(net, plain, {0, 0, 0, 1, 1, 1});
    const State state = start(plain, false);
    std::array<float, 6> values{};
    std::array<float, 2> sums{};
    two.evaluate({&state, 1}, sums.data());
    CHECK(std::abs(sums[0] + sums[1] - 1) < 1e-6f);

    const auto refused = [&](std::vector<int> mapping) {
        try {
            Evaluator wrong(net, plain, std::move(mapping));
        } catch (const NetFormatError&) {
            return true;
        }
        return false;
    };
    CHECK(refused({0, 0, 0, 1, 1}));
    CHECK(refused({0, 0, 0, 1, 1, 2}));
    CHECK(refused({0, 0, 0, 1, 1, -1}));
    bool straight_refused = false;
    try {
        Evaluator wrong(net, plain);
    } catch (const NetFormatError&) {
        straight_refused = true;
    }
    CHECK(straight_refused);

    // A mapping that only exchanges classes: each value is found where it was sent.
    Evaluator turned(net, hitting(), {3, 4, 5, 0, 1, 2});
    std::array<float, 6> exchanged{};
    six.evaluate({&state, 1}, values.data());
    turned.evaluate({&state, 1}, exchanged.data());
    for (std::size_t k = 0; k < 6; ++k) CHECK(exchanged[(k + 3) % 6] == values[k]);
}

TEST("damaged and foreign net files are refused") {
    const NetParts good = random_net({64, 16}, 6, 1);
    const std::vector<std::byte> file = good.file();
    CHECK_EQUAL(refusal(file), std::string{});
    Random random(6);
    for (int round = 0; round < 60; ++round) {
        std::vector<std::byte> damaged = file;
        damaged[random.below(static_cast<std::uint32_t>(file.size()))] ^= static_cast<std::byte>(1 << random.below(8));
        CHECK(!refusal(damaged).empty());
        const auto length = static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(file.size())));
        CHECK(!refusal({file.begin(), file.begin() + length}).empty());
    }
    for (std::ptrdiff_t length = 0; length < 60; ++length) {
        CHECK(!refusal({file.begin(), file.begin() + length}).empty());
    }
    std::vector<std::byte> longer = file;
    longer.push_back(std::byte{0});
    CHECK(refusal(longer).find("checksum") != std::string::npos);
}

TEST("a net file with a wrong number in it is refused, and the refusal says which") {
    const NetParts good = random_net({64, 16}, 6, 1);
    const auto with = [&good](auto change) {
        NetParts parts = good;
        change(parts);
        return parts;
    };
    check_refused(with([](NetParts& n) { n.input_set = kInputSet + 1; }), "input set");
    check_refused(with([](NetParts& n) { n.units += 1; }), "units");
    check_refused(with([](NetParts& n) { n.classes = 0; }), "the number of classes is 0");
    check_refused(with([](NetParts& n) { n.classes = 65; }), "the number of classes is 65");
    check_refused(with([](NetParts& n) { n.widths.clear(); }), "the number of hidden layers is 0");
    check_refused(with([](NetParts& n) { n.widths.resize(7, 16); }), "the number of hidden layers is 7");
    check_refused(with([](NetParts& n) { n.widths[0] = 96; }), "hidden layer 1 is 96");
    check_refused(with([](NetParts& n) { n.widths[1] = 24; }), "hidden layer 2 is 24");
    check_refused(with([](NetParts& n) { n.widths[1] = 4096; }), "4096");
    check_refused(with([](NetParts& n) { n.widths[1] = 0xFFFFFFF0u; }), "4294967280");
    check_refused(with([](NetParts& n) { n.widths[1] = 32; }), "ends at byte");
    check_refused(with([](NetParts& n) { n.shift = 9; }), "the shift is 9");
    check_refused(with([](NetParts& n) { n.output_scale.push_back(1); }), "4 bytes follow");
    check_refused(with([](NetParts& n) { n.dense[0].weight[77] = -128; }), "-128");
    check_refused(with([](NetParts& n) { n.dense[0].scale[3] = std::numeric_limits<float>::quiet_NaN(); }),
                  "scale of hidden layer 2, output 3 is not finite");
    check_refused(with([](NetParts& n) { n.output_bias[5] = std::numeric_limits<float>::infinity(); }),
                  "bias of the output, class 5 is not finite");
    check_refused(with([](NetParts& n) { n.output_scale[0] = -std::numeric_limits<float>::infinity(); }),
                  "scale of the output, class 0 is not finite");
    check_refused(with([](NetParts& n) { n.output_scale[0] = 1e30f; }), "class 0");
    check_refused(with([](NetParts& n) { n.dense[0].bias[9] = std::numeric_limits<std::int32_t>::min(); }),
                  "output 9 of hidden layer 2");
    NetParts wide = random_net({1024}, 6, 1);
    std::fill(wide.output_weight.begin() + 1024, wide.output_weight.begin() + 2048, std::int16_t{-32768});
    check_refused(wide, "class 1 of the output can reach");
}

// A net of zeros; `set` gives weights to the units.
NetParts zero_net() {
    NetParts net = random_net({64}, 6, 1);
    std::ranges::fill(net.first_weight, std::int16_t{0});
    std::ranges::fill(net.first_bias, std::int16_t{0});
    return net;
}

std::int16_t& weight_of(NetParts& net, int unit, int output) {
    return net.first_weight[static_cast<std::size_t>(unit) * 64 + static_cast<std::size_t>(output)];
}

TEST("sixteen bits: as many checkers as there are may add up, not more") {
    // The unit for any checker on a point: fifteen points at most, each with one.
    NetParts net = zero_net();
    for (int point = 1; point <= 24; ++point) {
        weight_of(net, units(count_slot(0, point), 1)[0].index, 7) = 2184;
    }
    CHECK_EQUAL(refusal(net.file()), std::string{});  // 15 * 2184 = 32760
    net.first_bias[7] = 7;
    CHECK_EQUAL(refusal(net.file()), std::string{});
    net.first_bias[7] = 8;
    check_refused(net, "output 7 of the first layer can reach 32768");

    // The other end, with a second unit that pays for the fourth checker and beyond.
    net = zero_net();
    const auto four = units(count_slot(1, 6), 4);
    weight_of(net, four.back().index, 63) = -2730;
    net.first_bias[63] = -8;
    CHECK_EQUAL(refusal(net.file()), std::string{});  // 12 checkers beyond the third: -32760 - 8
    net.first_bias[63] = -9;
    check_refused(net, "output 63 of the first layer can reach -32769");

    // Both sides and a slot that is free of the checkers.
    net = zero_net();
    for (int point = 1; point <= 24; ++point) {
        weight_of(net, units(count_slot(0, point), 1)[0].index, 0) = 1000;
        weight_of(net, units(count_slot(1, point), 1)[0].index, 0) = 1000;
    }
    weight_of(net, units(pin_slot(1, 3), 1)[0].index, 0) = 2767;
    CHECK_EQUAL(refusal(net.file()), std::string{});
    weight_of(net, units(pin_slot(0, 9), 1)[0].index, 0) = 1;
    check_refused(net, "can reach 32768");
    weight_of(net, units(pin_slot(0, 9), 1)[0].index, 0) = -1;
    CHECK_EQUAL(refusal(net.file()), std::string{});
}

TEST("sums at both ends of sixteen bits are exact on every instruction set") {
    const Ruleset rules = pinning();  // fifteen checkers on 24
    NetParts net = zero_net();
    net.shift = 8;
    weight_of(net, units(count_slot(0, 24), 1)[0].index, 0) = 32767;
    weight_of(net, units(count_slot(0, 24), 1)[0].index, 1) = -32768;
    // A row of its own beyond sixteen bits, brought back by the others.
    net.first_bias[2] = -30000;
    weight_of(net, units(count_slot(1, 24), 4).back().index, 2) = 4000;
    const State state = start(rules, false);
    const int sum = 12 * 4000 - 30000;
    CHECK_EQUAL(units(count_slot(1, 24), 15).back().times, 12);
    net.output_weight.assign(net.output_weight.size(), 0);
    net.output_weight[0] = 100;
    net.output_weight[64 + 1] = 100;
    net.output_weight[128 + 2] = 100;
    net.output_scale.assign(6, 1e-4f);
    net.output_bias.assign(6, 0.0f);
    Ruleset six = rules;
    six.score_backgammon = 3;
    const auto made = parsed(net);
    on_every_isa([&](Isa) {
        Evaluator evaluator(made, six);
        std::array<float, 6> values{};
        evaluator.evaluate({&state, 1}, values.data());
        CHECK(std::abs(std::log(values[0] / values[5]) - 127 * 0.01) < 1e-5);
        CHECK(values[1] == values[5]);
        CHECK(std::abs(std::log(values[2] / values[5]) - ((sum + 128) >> 8) * 0.01) < 1e-5);
    });
}

// A kernel that disagrees with the baseline is left out where the program runs; here that is an error.
TEST("every path that this machine could run computes what the baseline computes") {
    const std::vector<Isa> isas = available_isas();
    for (const Kernel& kernel : machine_kernels()) {
        context() = std::string(name(kernel.isa));
        CHECK(std::find(isas.begin(), isas.end(), kernel.isa) != isas.end());
    }
    context().clear();
}

TEST("paths: the baseline is first, the fastest is taken, one that is not there is refused") {
    const std::vector<Isa> isas = available_isas();
    CHECK(!isas.empty() && isas.front() == Isa::baseline);
    CHECK(std::is_sorted(isas.begin(), isas.end()));
    for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx_vnni, Isa::avx512, Isa::avx512_vnni, Isa::amx}) {
        if (std::find(isas.begin(), isas.end(), isa) != isas.end()) continue;
        bool refused = false;
        try {
            force_isa(isa);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

}  // namespace
}  // namespace sheshbesh::test
