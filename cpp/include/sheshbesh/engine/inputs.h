// What a net sees of a position: one table of inputs for every game.
//
// A position is described by slots, each with a small whole number as its value: how many checkers
// stand on a point, whether a checker is imprisoned, how long the longest prime is. Every slot spreads
// its value over a few units (a thermometer: at least one, at least two ...); the units are the inputs
// of the first layer. Inference never sees units: for each (slot, value) the rows of its units are
// summed once, when a net is loaded. Value 0 has no active unit in any slot.
//
// All places are in the own numbering of their side, so the same table serves both colours, all
// movements and all games. The last slots hold the rules themselves and are constant within a game.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "sheshbesh/axes.h"
#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

// Raised whenever a slot, a unit or their order changes; nets name the set they were made for.
constexpr int kInputSet = 2;

constexpr int kSideSlots = 27;  // one for each nibble of Counts, in its order: off, points 1-24, hand, bar
constexpr int kPinSlots = 24;
constexpr int kShotDistances = 11;

// Slot numbers. `side` is 0 for the side on roll, 1 for the other.
constexpr int count_slot(int side, int index) { return side * kSideSlots + index; }
constexpr int pin_slot(int side, int point) { return 2 * kSideSlots + side * kPinSlots + point - 1; }

constexpr int kHistorySlot = 2 * kSideSlots + 2 * kPinSlots;
constexpr int kHistorySlots = 12;  // turns ×2, started ×2, mother lost ×2, the six fields of Pending
constexpr int kDerivedSlot = kHistorySlot + kHistorySlots;
constexpr int kDerivedPerSide = 3 + kShotDistances + 5;
// Of each side: pips in steps, whether any contact is left, pips ahead in steps; shots at the distances
// 1 to 11; the longest prime in front of the rearmost enemy and how many enemies are behind it; throws of 36
// that hit, what they cost in pips, and throws with which the rearmost enemy can take both numbers.
constexpr int derived_slot(int side, int which) { return kDerivedSlot + side * kDerivedPerSide + which; }
constexpr int kPositionSlots = kDerivedSlot + 2 * kDerivedPerSide;
constexpr int kRuleSlots = net_axes();  // the axes that matter to play, in the order of axes.h
constexpr int kSlots = kPositionSlots + kRuleSlots;

using Slots = std::array<std::uint8_t, kSlots>;

// One unit of a slot's value: the row of the first layer it adds, and how often.
struct Unit {
    int index;
    int times;
};

// The number of units of all slots: the height of the first layer.
int unit_count();
// Whether a side still has a checker of the other one ahead, read from the slots of a position.
bool has_contact(const Slots& slots);

// The longest prime that a side has in front of the rearmost checker of the other one.
struct Blockade {
    int length = 0;
    int behind = 0;  // checkers of the other side that have yet to pass it
};
// Read from the slots of a position; `side`: 0 that on roll, 1 the other.
Blockade blockade(const Slots& slots, int side);
// How many values a slot takes: 0 .. slot_values(slot) - 1.
int slot_values(int slot);
// The units of a value; empty for value 0.
std::span<const Unit> units(int slot, int value);
// What a slot holds, for documents and error texts.
std::string_view slot_name(int slot);
// What the units' multiples are divided by in training, so that no input is much larger than 1: the
// largest `times` of the unit.
std::span<const int> unit_scale();

// Reads the slots of positions of one game. Pure, thread-safe.
class Extractor {
public:
    // Throws std::invalid_argument for an answer to an axis that is no input of any net; see axes.h.
    explicit Extractor(const Ruleset& rules);

    // All slots of a position; never fails, finished positions included.
    void extract(const State& state, Slots& slots) const;
    // The slots of the rules only; the others are zero.
    void rules_only(Slots& slots) const;

private:
    void derive(const State& state, Slots& slots) const;

    Ruleset rules_;
    std::array<std::uint8_t, kRuleSlots> rule_values_{};
    bool pins_ = false;
    bool shots_ = false;
    int wall_ = 2;  // checkers that close a point
};

}  // namespace sheshbesh
