"""All match files of a folder: read, written, read back, and added up as gnubg printed it.

    python -m tests.records.soak [--files FOLDER]

The folder may have any layout. Beside an analysed NAME.sgf, NAME.out is what gnubg printed for `show
statistics match`. Where the program gnubg is installed, our .mat files
are imported into it and must give no warning and the same games, and our .sgf files with analysis must show
the statistics that NAME.out has.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from sheshbesh.errors import RecordError
from sheshbesh.records import Match, format_match, match_statistics, read_match
from tests.records.help import DATA, games
from tests.records.printed import differences
from tests.records.printed import printed as rows_of

_FROM_LUCK, _RATE, _SUM = 0.05, 0.011, 0.0011
_WARNINGS = ("warning", "unrecog", "error", "illegal", "cannot", "invalid", "unknown")


def said(match: Match, form: str) -> list[dict[str, Any]]:
    """The games; a .mat file has no place for comments."""
    told = games(match)
    if form == "mat":
        for game in told:
            game["events"] = [event for event in game["events"] if event["type"] != "comment"]
    return told


def round_trips(match: Match) -> list[str]:
    """The forms from which a match does not come back as it was."""
    wrong = []
    for form, dialect in (("mat", "xg"), ("mat", "gnubg"), ("sgf", "xg"), ("record", "xg"), ("json", "xg")):
        try:
            back = read_match(format_match(match, form, dialect=dialect))
        except RecordError as error:
            wrong.append(f"{form} ({dialect}): {error}")
            continue
        if said(back, form) != said(match, form):
            wrong.append(f"{form} ({dialect}): other games")
        if form == "sgf" and match.format == "sgf" and back.analysis != match.analysis:
            wrong.append("sgf: other analysis")
    return wrong


def gnubg_reads(match: Match, program: str) -> list[str]:
    """What gnubg has against our .mat files of this match."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for dialect in ("xg", "gnubg"):
            path, saved = Path(folder, f"{dialect}.mat"), Path(folder, f"{dialect}.sgf")
            path.write_bytes(format_match(match, "mat", dialect=dialect))
            told = _gnubg(program, folder, f'import mat "{path}"', f'save match "{saved}"')
            lines = told.lower().splitlines()
            bad = [
                line for line in lines if any(word in line for word in _WARNINGS) and "warranty" not in line
            ]
            wrong += [f"gnubg on our .mat ({dialect}): {line}" for line in bad[:3]]
            if not saved.exists() or said(read_match(saved), "mat") != said(match, "mat"):
                wrong.append(f"gnubg on our .mat ({dialect}): other games")
    return wrong


def gnubg_shows(match: Match, printed: Path, program: str) -> list[str]:
    """Where gnubg, having loaded our .sgf of an analysed match, prints other statistics than before."""
    with tempfile.TemporaryDirectory() as folder:
        path, shown = Path(folder, "ours.sgf"), Path(folder, "ours.out")
        path.write_bytes(format_match(match, "sgf"))
        told = _gnubg(program, folder, "set output digits 4", f'load match "{path}"', "show statistics match")
        shown.write_text(told, encoding="utf-8")
        here, there = rows_of(shown), rows_of(printed)
    return [
        f"gnubg on our .sgf: {name}: {here.get(name)}, before {there.get(name)}"
        for name in sorted(set(here) | set(there))
        if not _near(name, here.get(name, []), there.get(name, []))
    ]


def _near(name: str, one: list[list[float]], other: list[list[float]]) -> bool:
    """Whether rows are the same, but for the last digits that gnubg prints."""
    of_rate = any(word in name for word in ("rate", "rating"))
    within = _FROM_LUCK if "luck" in name.lower() else _RATE if of_rate else _SUM
    numbers = [[number for column in row for number in column] for row in (one, other)]
    pairs = zip(*numbers, strict=False)
    return len(numbers[0]) == len(numbers[1]) and all(abs(a - b) < within for a, b in pairs)


def _gnubg(program: str, home: str, *commands: str) -> str:
    """What gnubg says to these commands."""
    told = subprocess.run(
        [program, "-t", "-q"],
        input="\n".join([*commands, "quit", ""]),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"HOME": home, "LANG": "C.UTF-8"},
    )
    return told.stdout + told.stderr


def main() -> None:
    """Go through a folder; exit code 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, default=DATA)
    files = sorted(path for path in parser.parse_args().files.rglob("*") if path.is_file())
    program = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
    read, wrong = 0, []
    for path in files:
        if path.suffix.lower() not in (".mat", ".txt", ".sgf", ".xg", ".xgp"):
            continue
        try:
            match = read_match(path)
        except RecordError as error:
            print(f"not read: {error}")
            continue
        read += 1
        found = round_trips(match) if match.format != "position" else []
        if (printed := path.with_suffix(".out")).exists():
            found += differences(match_statistics(match).players, printed)
            found += gnubg_shows(match, printed, program) if program else []
        plain = all(getattr(event, "legal", True) for game in match.games for event in game.events)
        if program and plain and match.format != "position":
            found += gnubg_reads(match, program)
        wrong += [f"{path.name}: {each}" for each in found]
    print(f"{read} match files" + ("" if program else "; gnubg is not installed"))
    for each in wrong:
        print(each)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
