"""Stirring match files.

    python -m tests.records.fuzz [--files FOLDER] [--runs 2000] [--seed 1]

Every stirred file must be a match, which can be written in every form, or one RecordError.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from sheshbesh.errors import RecordError
from sheshbesh.records import FORMS, format_match, match_statistics, read_match
from tests.records.help import DATA

LONGEST_ERROR = 600
JUNK = (
    *(b"????", b"Wins 3 points", b" Doubles => 2", b"Takes", b"Drops", b"66: 6/off(4)", b"Game 3"),
    *(b"\x00", b"\xff\xfe", b"](;", b"[", b"99999999999999", b"-1", b"A[3]", b"DA[E ver 3]", b"Losses"),
    *(b"; Set Pos=AAAA", b"1e400", b"nan", b"(((((((", b"Illegal play (1;2;3)", b"Beavers => 4", b"25/20"),
    *(b'{"', b"null", "²³".encode(), b"Concedes", b'; [Variation "Tapa"]\n', b"W[double]", b"LU[-inf]"),
)


def stirred(data: bytes, rng: random.Random) -> bytes:
    """The data cut off, and with bytes changed, put in, left out and doubled."""
    out = bytearray(data)
    if rng.random() < 0.2:
        del out[rng.randrange(len(out)) :]
    for _ in range(rng.randrange(8)):
        at, kind = rng.randrange(len(out) + 1), rng.random()
        if kind < 0.3 and out:
            out[at % len(out)] = rng.randrange(256)
        elif kind < 0.6:
            out[at:at] = rng.choice(JUNK)
        elif kind < 0.8:
            del out[at : at + rng.randrange(1, 60)]
        else:
            begin = rng.randrange(len(out) + 1)
            out[at:at] = out[begin : begin + rng.randrange(1, 200)]
    return bytes(out)


def endure(data: bytes) -> bool:
    """Read, write and add up; False for one clear error. Anything else is raised."""
    try:
        match = read_match(data)
    except RecordError as error:
        assert len(str(error)) < LONGEST_ERROR, str(error)
        return False
    for form in FORMS:
        try:
            format_match(match, form)
        except RecordError:
            continue
    try:
        match_statistics(match)
    except RecordError:
        return True
    return True


def main() -> None:
    """Stir the files of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, default=DATA)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    files = [path.read_bytes() for path in sorted(options.files.rglob("*")) if path.is_file()]
    matches, slowest = 0, 0.0
    for run in range(options.runs):
        data = stirred(rng.choice(files), rng)
        begun = time.monotonic()
        try:
            matches += endure(data)
        except Exception:
            Path("stirred.bin").write_bytes(data)
            print(f"run {run} of seed {options.seed}: see stirred.bin")
            raise
        slowest = max(slowest, time.monotonic() - begun)
    print(f"{options.runs} stirred files, {matches} still matches, the slowest took {slowest:.1f} s")


if __name__ == "__main__":
    main()
