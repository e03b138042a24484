#include "sheshbesh/engine/inputs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "sheshbesh/axes.h"
#include "threats.h"

namespace sheshbesh {

namespace {

// How a slot's value is spread over its units.
enum class Spread : std::uint8_t {
    point,     // at least 1, 2, 3, and how many beyond 3
    waiting,   // at least 1, at least 2, and how many beyond 2
    ladder,    // one unit for each "at least v"
    one_of,    // one unit for each value
    distance,  // the value itself, and one unit for each fourth "at least"
    amount,    // at least 1, and the value itself
};

struct SlotKind {
    int values;
    Spread spread;
};

constexpr int kSixteen = 16;  // a count of up to fifteen
constexpr int kPipStep = 4;
constexpr int kPipValues = 64;
constexpr int kLeadStep = 4;
constexpr int kLeadValues = 40;
constexpr int kShotValues = 4;
constexpr int kPrimeValues = 8;
constexpr int kThrowValues = kAllThrows + 1;
constexpr int kLossStep = 24;  // two thirds of a pip a throw
constexpr int kLossValues = 37;

// Offsets within derived_slot.
constexpr int kPips = 0;
constexpr int kAhead = 1;
constexpr int kLead = 2;
constexpr int kShots = 3;
constexpr int kPrime = kShots + kShotDistances;
constexpr int kBehind = kPrime + 1;
constexpr int kHit = kBehind + 1;
constexpr int kLoss = kHit + 1;
constexpr int kWays = kLoss + 1;
static_assert(kWays + 1 == kDerivedPerSide);

struct HistorySlot {
    const char* name;
    int values;
};
constexpr std::array<HistorySlot, kHistorySlots> kHistory = {{
    {"turns, mine", 9},
    {"turns, theirs", 9},
    {"I started", 2},
    {"they started", 2},
    {"my mother is lost", 2},
    {"their mother is lost", 2},
    {"owed die", 7},
    {"owed second die", 7},
    {"owed steps", 5},
    {"owed: the rest follows", 2},
    {"owed: a throw follows", 2},
    {"a double is to be named", 2},
}};

// The axes that enter the net, in the order of its slots.
constexpr std::array<const Axis*, kRuleSlots> kRules = [] {
    std::array<const Axis*, kRuleSlots> rules{};
    std::size_t next = 0;
    for (const Axis& axis : kAxes) {
        if (axis.net_values > 0) rules[next++] = &axis;
    }
    return rules;
}();

SlotKind side_kind(int index) {
    if (index == kOff) return {kSixteen, Spread::ladder};
    if (index == kHand || index == kBar) return {kSixteen, Spread::waiting};
    return {kSixteen, Spread::point};
}

SlotKind derived_kind(int which) {
    switch (which) {
        case kPips:
            return {kPipValues, Spread::distance};
        case kAhead:
        case kBehind:
            return {kSixteen, Spread::amount};
        case kLead:
            return {kLeadValues, Spread::distance};
        case kPrime:
            return {kPrimeValues, Spread::ladder};
        case kHit:
        case kWays:
            return {kThrowValues, Spread::distance};
        case kLoss:
            return {kLossValues, Spread::distance};
        default:
            return {kShotValues, Spread::ladder};
    }
}

SlotKind slot_kind(int slot) {
    if (slot < 2 * kSideSlots) return side_kind(slot % kSideSlots);
    if (slot < kHistorySlot) return {2, Spread::ladder};
    if (slot < kDerivedSlot) return {kHistory[static_cast<std::size_t>(slot - kHistorySlot)].values, Spread::one_of};
    if (slot < kPositionSlots) return derived_kind((slot - kDerivedSlot) % kDerivedPerSide);
    return {kRules[static_cast<std::size_t>(slot - kPositionSlots)]->net_values, Spread::one_of};
}

int unit_count_of(const SlotKind& kind) {
    switch (kind.spread) {
        case Spread::point:
            return 4;
        case Spread::waiting:
            return 3;
        case Spread::amount:
            return 2;
        case Spread::distance:
            return 1 + (kind.values - 1) / 4;
        default:
            return kind.values - 1;
    }
}

// The units of one value, numbered from `first`.
std::vector<Unit> spread(const SlotKind& kind, int first, int value) {
    std::vector<Unit> found;
    const auto add = [&found, first](int unit, int times) {
        if (times > 0) found.push_back({first + unit, times});
    };
    const auto steps = [&add, value](int count) {
        for (int i = 0; i < count && i < value; ++i) add(i, 1);
    };
    switch (kind.spread) {
        case Spread::point:
            steps(3);
            add(3, value - 3);
            break;
        case Spread::waiting:
            steps(2);
            add(2, value - 2);
            break;
        case Spread::amount:
            steps(1);
            add(1, value);
            break;
        case Spread::ladder:
            steps(value);
            break;
        case Spread::one_of:
            if (value > 0) add(value - 1, 1);
            break;
        case Spread::distance:
            add(0, value);
            for (int i = 1; 4 * i <= value; ++i) add(i, 1);
            break;
    }
    return found;
}

// All units of all values of all slots, and where each begins.
struct UnitTable {
    std::vector<Unit> all;
    std::vector<int> scale;
    std::array<std::vector<std::size_t>, kSlots> first;  // of value v: first[v] .. first[v + 1]

    UnitTable() {
        int next = 0;
        for (int slot = 0; slot < kSlots; ++slot) {
            const SlotKind kind = slot_kind(slot);
            auto& begins = first[static_cast<std::size_t>(slot)];
            for (int value = 0; value < kind.values; ++value) {
                begins.push_back(all.size());
                std::ranges::copy(spread(kind, next, value), std::back_inserter(all));
            }
            begins.push_back(all.size());
            next += unit_count_of(kind);
        }
        scale.assign(static_cast<std::size_t>(next), 1);
        for (const Unit& unit : all) {
            int& largest = scale[static_cast<std::size_t>(unit.index)];
            largest = std::max(largest, unit.times);
        }
    }
};

const UnitTable& unit_table() {
    static const UnitTable table;
    return table;
}

std::array<std::string, kSlots> name_slots() {
    std::array<std::string, kSlots> names;
    for (int slot = 0; slot < kSlots; ++slot) {
        std::string& name = names[static_cast<std::size_t>(slot)];
        if (slot < 2 * kSideSlots) {
            const int index = slot % kSideSlots;
            name = slot < kSideSlots ? "mine, " : "theirs, ";
            name += index == kOff    ? "off"
                    : index == kHand ? "hand"
                    : index == kBar  ? "bar"
                                     : "point " + std::to_string(index);
        } else if (slot < kHistorySlot) {
            const int place = slot - 2 * kSideSlots;
            name = place < kPinSlots ? "mine" : "theirs";
            name += " pinned on " + std::to_string(place % kPinSlots + 1);
        } else if (slot < kDerivedSlot) {
            name = kHistory[static_cast<std::size_t>(slot - kHistorySlot)].name;
        } else if (slot < kPositionSlots) {
            const int which = (slot - kDerivedSlot) % kDerivedPerSide;
            name = slot - kDerivedSlot < kDerivedPerSide ? "mine, " : "theirs, ";
            name += which == kPips     ? "pips / 4"
                    : which == kAhead  ? "enemies ahead of the rearmost"
                    : which == kLead   ? "pips ahead / 4"
                    : which == kPrime  ? "longest prime"
                    : which == kBehind ? "enemies behind it"
                    : which == kHit    ? "throws that hit"
                    : which == kLoss   ? "pips hit by all throws / 24"
                    : which == kWays   ? "throws that bring on the rearmost enemy"
                                       : "blots in reach of " + std::to_string(which - kShots + 1);
        } else {
            name = "rule " + std::string(kRules[static_cast<std::size_t>(slot - kPositionSlots)]->name);
        }
    }
    return names;
}

// Eight nibbles as eight bytes.
std::uint64_t spread_nibbles(std::uint64_t nibbles) {
    nibbles &= 0xFFFFFFFFull;
    nibbles = (nibbles | (nibbles << 16)) & 0x0000FFFF0000FFFFull;
    nibbles = (nibbles | (nibbles << 8)) & 0x00FF00FF00FF00FFull;
    return (nibbles | (nibbles << 4)) & 0x0F0F0F0F0F0F0F0Full;
}

// One byte for each of the 32 nibbles of a side.
void unpack(Counts counts, std::uint8_t* bytes) {
    static_assert(std::endian::native == std::endian::little);
    const std::uint64_t halves[2] = {detail::low_half(counts), detail::high_half(counts)};
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t word = spread_nibbles(halves[i / 2] >> (32 * (i % 2)));
        std::memcpy(bytes + 8 * i, &word, sizeof(word));
    }
}

int sum_nibbles(std::uint64_t nibbles) {
    const std::uint64_t bytes = (nibbles & 0x0F0F0F0F0F0F0F0Full) + ((nibbles >> 4) & 0x0F0F0F0F0F0F0F0Full);
    return static_cast<int>((bytes * 0x0101010101010101ull) >> 56);
}

// Checkers above an index (of points, hand and bar). At most fifteen in all, so no byte overflows.
int above(Counts counts, int index) {
    const Counts rest = counts >> (4 * (index + 1));
    return sum_nibbles(detail::low_half(rest)) + sum_nibbles(detail::high_half(rest));
}

// Checkers on points `low` to `high`; none if `high` is less.
int between(Counts counts, int low, int high) { return high < low ? 0 : above(counts, low - 1) - above(counts, high); }

// Pips of a side from the bytes of its slots, of which there are five more than it has.
int pips_of(const std::uint8_t* bytes) {
    constexpr std::array<std::int16_t, 32> kDistance = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                                        14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 25};
    int total = 0;
    for (std::size_t i = 0; i < kDistance.size(); ++i) total += bytes[i] * kDistance[i];
    return total;
}

// Eight bytes at once; each holds a small number.
constexpr std::uint64_t kEachByte = 0x0101010101010101ull;

// Bit i of eight as byte i, 0 or 1.
std::uint64_t bits_as_bytes(Mask bits) {
    const std::uint64_t apart = ((bits & 0xFF) * kEachByte) & 0x8040201008040201ull;
    return ((apart + 0x7F * kEachByte) >> 7) & kEachByte;
}

// The lesser of each byte, at most 127, and 3.
std::uint64_t at_most_three(std::uint64_t bytes) {
    const std::uint64_t over = (((bytes + 0x7C * kEachByte) >> 7) & kEachByte) * 0xFF;
    return (bytes & ~over) | (over & (3 * kEachByte));
}

std::uint8_t clipped(int value, int values) { return static_cast<std::uint8_t>(std::clamp(value, 0, values - 1)); }

// Where a side stands, bar and hand as point 25.
Mask reach(Mask standing) { return (standing & kPoints) | ((standing & (bit(kHand) | bit(kBar))) != 0 ? bit(25) : 0); }

}  // namespace

bool has_contact(const Slots& slots) {
    return slots[static_cast<std::size_t>(derived_slot(0, kAhead))] != 0 ||
           slots[static_cast<std::size_t>(derived_slot(1, kAhead))] != 0;
}

Blockade blockade(const Slots& slots, int side) {
    return {slots[static_cast<std::size_t>(derived_slot(side, kPrime))],
            slots[static_cast<std::size_t>(derived_slot(side, kBehind))]};
}

int unit_count() { return static_cast<int>(unit_table().scale.size()); }

int slot_values(int slot) { return slot_kind(slot).values; }

std::span<const Unit> units(int slot, int value) {
    const UnitTable& table = unit_table();
    const auto& first = table.first[static_cast<std::size_t>(slot)];
    const std::size_t begin = first[static_cast<std::size_t>(value)];
    return std::span(table.all).subspan(begin, first[static_cast<std::size_t>(value) + 1] - begin);
}

std::string_view slot_name(int slot) {
    static const std::array<std::string, kSlots> names = name_slots();
    return names[static_cast<std::size_t>(slot)];
}

std::span<const int> unit_scale() { return unit_table().scale; }

Extractor::Extractor(const Ruleset& rules)
    : rules_(rules),
      pins_(rules.contact == Contact::pin),
      shots_(rules.contact != Contact::block),
      wall_(rules.contact == Contact::block ? 1 : 2) {
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        const Axis& axis = *kRules[i];
        const int answer = axis.read(rules);
        const int value = answer < axis.net_values ? answer : axis.net_stand_in;
        if (value < 0 || value >= axis.net_values) {
            throw std::invalid_argument("nets know " + std::string(axis.name) + " only up to value " +
                                        std::to_string(axis.net_values - 1) + ", not " + std::to_string(answer));
        }
        rule_values_[i] = static_cast<std::uint8_t>(value);
    }
}

void Extractor::rules_only(Slots& slots) const {
    slots.fill(0);
    std::ranges::copy(rule_values_, slots.begin() + kPositionSlots);
}

void Extractor::extract(const State& state, Slots& slots) const {
    // Each side writes 32 bytes, five more than it has slots; what follows is written afterwards.
    static_assert(2 * kSideSlots + 5 <= kHistorySlot);
    unpack(state.mine, slots.data());
    unpack(state.theirs, slots.data() + kSideSlots);
    std::memset(slots.data() + 2 * kSideSlots, 0, 2 * kPinSlots);
    if (pins_) {
        for (Mask m = state.pinned_mine; m != 0; m &= m - 1)
            slots[static_cast<std::size_t>(pin_slot(0, lowest(m)))] = 1;
        for (Mask m = state.pinned_theirs; m != 0; m &= m - 1) {
            slots[static_cast<std::size_t>(pin_slot(1, lowest(m)))] = 1;
        }
    }
    const std::array<int, kHistorySlots> history = {
        state.turns_mine,     state.turns_theirs,      state.i_started,          state.they_started,
        state.my_mother_lost, state.their_mother_lost, state.pending.die,        state.pending.second,
        state.pending.steps,  state.pending.rest,      state.pending.then_throw, state.pending.choose_double,
    };
    for (std::size_t i = 0; i < history.size(); ++i) {
        slots[kHistorySlot + i] = clipped(history[i], kHistory[i].values);
    }
    derive(state, slots);
    std::ranges::copy(rule_values_, slots.begin() + kPositionSlots);
}

void Extractor::derive(const State& state, Slots& slots) const {
    struct Seen {
        Counts counts;
        Mask standing;
        Mask reach;
        Mask pinned;
    };
    const std::array<Seen, 2> sides = {{
        {state.mine, occupied(state.mine), 0, state.pinned_mine},
        {state.theirs, occupied(state.theirs), 0, state.pinned_theirs},
    }};
    const std::array<int, 2> race = {pips_of(slots.data()), pips_of(slots.data() + kSideSlots)};
    for (int side = 0; side < 2; ++side) {
        const Seen& own = sides[static_cast<std::size_t>(side)];
        const Seen& enemy = sides[static_cast<std::size_t>(1 - side)];
        const auto set = [&slots, side](int which, int value, int values) {
            slots[static_cast<std::size_t>(derived_slot(side, which))] = clipped(value, values);
        };
        const int lead = race[static_cast<std::size_t>(1 - side)] - race[static_cast<std::size_t>(side)];
        set(kPips, race[static_cast<std::size_t>(side)] / kPipStep, kPipValues);
        set(kLead, lead / kLeadStep, kLeadValues);

        // From here on in the enemy's numbering: where it stands, and what stands before it.
        const Mask enemies = reach(enemy.standing);
        const Mask standing = rules_.mirrored(own.standing & kPoints);
        const Mask singles = rules_.mirrored(holding(own.counts, 1) & kPoints & ~own.pinned);
        const Mask covering = enemy.pinned;
        const Mask walls = wall_ == 1 ? standing : (standing & ~singles) | (standing & covering);
        const int rearmost = enemies == 0 ? 0 : top(enemies);
        const Mask before = enemies == 0 ? 0 : bit(rearmost) - 1;

        // Seen from the other side this is `enemies ahead`: own checkers that the enemy has yet to pass.
        int ahead = 0;
        if (rearmost != 0 && rules_.movement == Movement::contrary) {
            ahead = between(own.counts, 26 - rearmost, 24);
        } else if (rearmost != 0) {
            ahead = between(own.counts, 13, std::min(24, rearmost + 11)) + between(own.counts, 1, rearmost - 13);
        }
        slots[static_cast<std::size_t>(derived_slot(1 - side, kAhead))] = clipped(ahead, kSixteen);

        // Each blot counts once for each distance at which an enemy stands behind it.
        std::uint64_t near = 0;
        std::uint64_t far = 0;
        for (Mask blots = shots_ ? singles & ~covering : 0; blots != 0; blots &= blots - 1) {
            const Mask behind = enemies >> (lowest(blots) + 1);
            near += bits_as_bytes(behind);
            far += bits_as_bytes(behind >> 8);
        }
        near = at_most_three(near);
        far = at_most_three(far);
        static_assert(kShotValues == 4 && kShotDistances == 8 + 3);
        std::uint8_t* shots = slots.data() + derived_slot(side, kShots);
        std::memcpy(shots, &near, 8);
        std::memcpy(shots + 8, &far, 3);

        const int waiting = rules_.contact == Contact::hit ? count(enemy.counts, kBar) : 0;
        const Threats danger =
            threats({enemies, walls, waiting, rules_.double_steps}, shots_ ? singles & ~covering : 0);
        set(kHit, danger.throws, kThrowValues);
        set(kLoss, danger.pips / kLossStep, kLossValues);
        set(kWays, rearmost == 0 ? 0 : ways_on(walls, rearmost), kThrowValues);

        Mask runs = walls & before;
        int length = 0;
        Mask longest = 0;
        while (runs != 0) {
            longest = runs;
            ++length;
            runs &= runs >> 1;
        }
        set(kPrime, length, kPrimeValues);
        set(kBehind, length == 0 ? 0 : above(enemy.counts, lowest(longest) + length - 1), kSixteen);
    }
}

}  // namespace sheshbesh
