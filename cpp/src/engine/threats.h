// What the next throw can do on its way: land on lone checkers, bring the rearmost checker past walls.
//
// All in the numbering of the side that throws, which moves towards 1; 25 is where its bar and hand are.
// Close to the rules, not exact: duties, limits and captures on the way to nowhere are not looked at.
#pragma once

#include "sheshbesh/types.h"

namespace sheshbesh {

constexpr int kAllThrows = 36;

struct Threats {
    int throws = 0;  // of 36, how many land on a lone checker
    int pips = 0;    // the sum over them of the number of the highest point landed on
};

struct Thrower {
    Mask standing = 0;   // where its checkers are
    Mask walls = 0;      // where it may not land
    int must_enter = 0;  // checkers that come before all others
    int double_steps = 4;
};

// `targets`: the lone checkers of the other side.
Threats threats(const Thrower& thrower, Mask targets);

// Throws of 36 with which the checker on `point` can take both numbers, a double's twice.
int ways_on(Mask walls, int point);

}  // namespace sheshbesh
