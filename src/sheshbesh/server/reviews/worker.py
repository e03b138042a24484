"""The process that reads and judges one match file for the site: `python -m sheshbesh.server.reviews.worker`.

It is called with what to do and a folder: `read FOLDER LANGUAGE`, whose sentences are in that language,
`review FOLDER PLIES` or `index FOLDER`. The folder
holds `match`, the file as it came, or for `index` the JSON of a finished report, and for a review that was
stopped `partial`. It prints lines of JSON: {"progress": …} while a review goes on, at the end {"read": …}, or
{"done": …} with the report in the file `report`, or {"error": …}; `index` prints lines of {"card": …} and of
{"position": …}, then {"done": true}.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import translate

SECONDS: Final = 10
"""Processor time that reading a file may take."""
BYTES: Final = 1 << 30
"""Memory that reading a file may take."""

_EACH = 0.5
"""Seconds between two lines of progress."""
_REPAIRS = 100
"""Repairs that are listed one by one."""
_LONGEST = 160
"""Characters of what a repair quotes."""


def main(arguments: list[str]) -> int:
    """Do what the arguments ask for; everything that is wrong with the file is a line of its own."""
    what, folder, *rest = arguments
    try:
        if what == "read":
            _bound()
            _say(read=_read(Path(folder), rest[0]))
        elif what == "index":
            _index(Path(folder))
        else:
            _review(Path(folder), int(rest[0]))
    except SheshbeshError as error:
        _say(error=" ".join(translate(error.message, rest[0] if what == "read" else "en").split()))
    except MemoryError:
        _say(error=f"this file needs more than {BYTES >> 20} MiB to be read")
    return 0


def _say(**line: object) -> None:
    print(json.dumps(line), flush=True)


def _bound() -> None:
    """Give this process no more than `SECONDS` of processor time and `BYTES` of memory."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def _read(folder: Path, lang: str) -> dict[str, Any]:
    from sheshbesh.records import read_match

    match = read_match((folder / "match").read_bytes())
    repairs = [
        {
            name: translate(value, lang)[:_LONGEST] if isinstance(value, str) else value
            for name, value in each.to_data().items()
        }
        for each in match.repairs
    ]
    return {
        "format": match.format,
        "variant": match.variant,
        "length": match.length,
        "players": [match.players["white"], match.players["black"]],
        "games": len(match.games),
        "repairs": repairs[:_REPAIRS],
        "more_repairs": max(len(repairs) - _REPAIRS, 0),
    }


def _review(folder: Path, plies: int) -> None:
    from sheshbesh.records import read_match
    from sheshbesh.reviews import Progress, start_review
    from sheshbesh.server.reviews.summary import summary_of

    reported = 0.0

    def report_progress(progress: Progress) -> None:
        nonlocal reported
        if time.monotonic() - reported >= _EACH:
            reported = time.monotonic()
            _say(progress={"done": progress.done, "total": progress.total, "plies": progress.plies})

    match = read_match((folder / "match").read_bytes())
    partial = folder / "partial"
    try:
        job = start_review(match, plies=plies, workers=1, progress=report_progress, state=partial)
    except SheshbeshError:
        # What was kept belongs to another net: begin anew.
        partial.unlink(missing_ok=True)
        job = start_review(match, plies=plies, workers=1, progress=report_progress, state=partial)
    report = job.report()
    report.save(folder / "report")
    _say(done={"net": report.net, "summary": summary_of(report)})


def _index(folder: Path) -> None:
    from sheshbesh.practice import cards_of
    from sheshbesh.reviews import report_from_data
    from sheshbesh.reviews.questions import rules_of
    from sheshbesh.reviews.search import outline

    report = report_from_data(json.loads((folder / "match").read_bytes()))
    rules = rules_of(report)
    places = {id(each): n for n, each in enumerate(report.decisions)}
    for side in ("white", "black"):
        for card in cards_of(report, side):
            place = {"side": side, "n": places[id(card.judged)], "id": card.id, "loss": card.loss}
            _say(card={**place, "content": card.kept()})
    for n, each in enumerate(report.decisions):
        dice = each.dice
        found = {
            "n": n,
            "board": each.board,
            "side": each.side.value,
            "dice": 0 if dice is None else 10 * max(dice) + min(dice),
        }
        _say(position=found | asdict(outline(each, rules)))
    _say(done=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
