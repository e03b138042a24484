#include "sheshbesh/rows.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sheshbesh {

namespace {

void write_counts(Counts counts, std::uint8_t* out) {
    for (int i = 0; i <= kBar; ++i) out[i] = static_cast<std::uint8_t>(count(counts, i));
}

void write_mask(Mask mask, std::uint8_t* out) {
    for (int point = 1; point <= 24; ++point) out[point - 1] = (mask & bit(point)) != 0;
}

[[noreturn]] void refuse(std::size_t place, int value, const char* wanted) {
    throw std::invalid_argument("place " + std::to_string(place) + " of a row holds " + std::to_string(value) + ": " +
                                wanted);
}

Counts read_counts(const Ruleset& rules, const std::uint8_t* in, std::size_t first) {
    Counts counts = 0;
    int checkers = 0;
    for (std::size_t i = 0; i <= kBar; ++i) {
        const int here = in[first + i];
        if (here > kMaxCheckers) refuse(first + i, here, "a count is 0 to 15");
        counts |= static_cast<Counts>(here) << (4 * i);
        checkers += here;
    }
    if (checkers != rules.checkers) {
        throw std::invalid_argument("places " + std::to_string(first) + " to " + std::to_string(first + kBar) +
                                    " of a row hold " + std::to_string(checkers) + " checkers, and the game has " +
                                    std::to_string(rules.checkers));
    }
    return counts;
}

bool read_flag(const std::uint8_t* in, std::size_t place) {
    if (in[place] > 1) refuse(place, in[place], "a flag is 0 or 1");
    return in[place] == 1;
}

Mask read_mask(const std::uint8_t* in, std::size_t first) {
    Mask mask = 0;
    for (std::size_t point = 1; point <= 24; ++point) {
        if (read_flag(in, first + point - 1)) mask |= bit(static_cast<int>(point));
    }
    return mask;
}

std::uint8_t read_number(const std::uint8_t* in, std::size_t place, int most, const char* wanted) {
    if (in[place] > most) refuse(place, in[place], wanted);
    return in[place];
}

}  // namespace

void write_row(const State& state, std::uint8_t* out) {
    write_counts(state.mine, out + row::kMine);
    write_counts(state.theirs, out + row::kTheirs);
    if ((state.pinned_mine | state.pinned_theirs) == 0) {
        std::fill_n(out + row::kPinnedMine, row::kBlackOnRoll - row::kPinnedMine, std::uint8_t{0});
    } else {
        write_mask(state.pinned_mine, out + row::kPinnedMine);
        write_mask(state.pinned_theirs, out + row::kPinnedTheirs);
    }
    out[row::kBlackOnRoll] = state.black_on_roll;
    out[row::kTurnsMine] = state.turns_mine;
    out[row::kTurnsTheirs] = state.turns_theirs;
    out[row::kStartedMine] = state.i_started;
    out[row::kStartedTheirs] = state.they_started;
    out[row::kMotherLostMine] = state.my_mother_lost;
    out[row::kMotherLostTheirs] = state.their_mother_lost;
    std::uint8_t* const owed = out + row::kPending;
    owed[0] = state.pending.die;
    owed[1] = state.pending.second;
    owed[2] = state.pending.steps;
    owed[3] = state.pending.rest;
    owed[4] = state.pending.then_throw;
    owed[5] = state.pending.choose_double;
    owed[6] = state.pending.head;
}

State read_row(const Ruleset& rules, const std::uint8_t* in) {
    State state;
    state.mine = read_counts(rules, in, row::kMine);
    state.theirs = read_counts(rules, in, row::kTheirs);
    state.pinned_mine = read_mask(in, row::kPinnedMine);
    state.pinned_theirs = read_mask(in, row::kPinnedTheirs);
    state.black_on_roll = read_flag(in, row::kBlackOnRoll);
    state.turns_mine = in[row::kTurnsMine];
    state.turns_theirs = in[row::kTurnsTheirs];
    state.i_started = read_flag(in, row::kStartedMine);
    state.they_started = read_flag(in, row::kStartedTheirs);
    state.my_mother_lost = read_flag(in, row::kMotherLostMine);
    state.their_mother_lost = read_flag(in, row::kMotherLostTheirs);
    state.pending.die = read_number(in, row::kPending, 6, "a die shows at most 6");
    state.pending.second = read_number(in, row::kPending + 1, 6, "a die shows at most 6");
    state.pending.steps = read_number(in, row::kPending + 2, kMaxSteps, "at most 4 steps are owed");
    state.pending.rest = read_flag(in, row::kPending + 3);
    state.pending.then_throw = read_flag(in, row::kPending + 4);
    state.pending.choose_double = read_flag(in, row::kPending + 5);
    state.pending.head = read_number(in, row::kPending + 6, kMaxCheckers, "at most 15 checkers leave the head");
    return state;
}

}  // namespace sheshbesh
