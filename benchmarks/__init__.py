"""How fast the rules and the engine are: `python -m benchmarks`.

Every benchmark first checks that the work is what it should be (counts and checksums in
`work.json`) and only then measures it: a core that does less is not a faster one. Times are the
processor's time of this one process, the best of several runs, so that other programs on the
machine disturb little. What the engine does is decided by its net, so its work is not in `work.json`:
there every run and every instruction set must do the same.
"""
