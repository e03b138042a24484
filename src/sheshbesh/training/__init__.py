"""From nothing to a net: self-play, fitting, gates and export. Needs the extra `train`.

Nothing in the package imports this one but the command `sheshbesh train`. Read `run` first: it is the
whole method in one loop. `recipe` says what is to be done, `coverage` for which rule sets, `play` makes
games, `replay` keeps their positions, `model` learns, `export` turns it into whole numbers, `gate`
decides whether it is better, `checkpoint` and `log` remember.
"""
