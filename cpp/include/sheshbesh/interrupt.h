// Ending long computations from outside. A caller of the core may set a function for the calling thread; the core
// calls it between pieces of work that take a fraction of a second, and what it throws ends the computation.
#pragma once

namespace sheshbesh {

using InterruptCheck = void (*)();

inline thread_local InterruptCheck interrupt_check = nullptr;

inline void check_interrupt() {
    if (interrupt_check != nullptr) interrupt_check();
}

}  // namespace sheshbesh
