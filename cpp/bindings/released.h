// The interpreter lock while the core computes: other threads of Python go on meanwhile, and Ctrl-C and stops are seen.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

#include "sheshbesh/interrupt.h"

namespace sheshbesh {

// A computation was ended by the `Stop` of its thread.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "the computation was stopped"; }
};

// Ends what is computed in the threads that have entered it, once it is set from any thread. One that is made in a
// thread that has entered others is set with them.
class Stop {
public:
    Stop();
    void set() { set_.store(true, std::memory_order_relaxed); }
    bool is_set() const;

private:
    std::atomic<bool> set_ = false;
    std::vector<std::shared_ptr<Stop>> others_;
};

// Throws Interrupted where a stop of this thread is set, and what a signal handler raises, such as KeyboardInterrupt,
// which it looks for some twenty times a second.
void check_python();

// Without the interpreter lock, and with `check_python`, as long as it lives.
class Released {
public:
    Released() : before_(interrupt_check) { interrupt_check = &check_python; }
    ~Released() { interrupt_check = before_; }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    Released(Released&&) = delete;
    Released& operator=(Released&&) = delete;

private:
    nanobind::gil_scoped_release released_;
    InterruptCheck before_;
};

}  // namespace sheshbesh
