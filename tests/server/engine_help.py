"""An engine for tests that does what it is asked: it answers, waits for `stop`, dies, or hangs."""

from __future__ import annotations

SCRIPT = r"""
import json, os, sys
for line in sys.stdin:
    word, _, rest = line.partition(" ")
    if word == "isready\n":
        print("readyok", flush=True)
    if word != "ask":
        continue
    ask = json.loads(rest)
    if ask["ask"] == "die":
        sys.exit(3)
    if ask["ask"] == "hang":
        continue
    if ask["ask"] == "wait":
        open(ask["path"], "w").close()
        while sys.stdin.readline() != "stop\n":
            pass
    if ask["ask"] == "wrong":
        print("error bad_argument ask: this is wrong", flush=True)
        continue
    told = {"pid": os.getpid(), "nice": os.getpriority(os.PRIO_PROCESS, 0), "limit": ask["limit"]}
    print("answer " + json.dumps(told | {"long": "x" * ask.get("long", 0)}), flush=True)
"""

OBEDIENT = ("-c", SCRIPT)
"""The arguments of Python that start it."""
BROKEN = ("-c", "raise SystemExit(1)")
"""Those of an engine that ends at once."""
