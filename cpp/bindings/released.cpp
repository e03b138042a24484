#include "released.h"

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

constexpr std::chrono::milliseconds kBetweenSignals{50};

thread_local std::vector<std::shared_ptr<Stop>> entered;
thread_local std::chrono::steady_clock::time_point next_look;

bool any_set(const std::vector<std::shared_ptr<Stop>>& stops) {
    return std::any_of(stops.begin(), stops.end(), [](const auto& stop) { return stop->is_set(); });
}

}  // namespace

Stop::Stop() : others_(entered) {}

bool Stop::is_set() const { return set_.load(std::memory_order_relaxed) || any_set(others_); }

void check_python() {
    if (any_set(entered)) throw Interrupted();
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look) return;
    next_look = now + kBetweenSignals;
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_stop(nb::module_& m) {
    const nb::exception<Interrupted> interrupted(m, "Interrupted");
    nb::class_<Stop>(m, "Stop",
                     "Ends computations: a thread enters it with `with`, and once it is set, from any thread, what the "
                     "core computes there, then or later, raises Interrupted. One that is made in a thread that has "
                     "entered others is set with them.",
                     nb::is_weak_referenceable())
        .def(nb::init<>())
        .def("set", &Stop::set)
        .def("is_set", &Stop::is_set)
        .def("__enter__",
             [](const std::shared_ptr<Stop>& self) {
                 entered.push_back(self);
                 return self;
             })
        .def(
            "__exit__", [](const Stop&, const nb::args&) { entered.pop_back(); }, "_"_a,
            nb::sig("def __exit__(self, *_: object) -> None"));
}

}  // namespace sheshbesh
