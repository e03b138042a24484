"""The tests. A package, so that `python -m tests.reference.soak` finds this one and no other."""
