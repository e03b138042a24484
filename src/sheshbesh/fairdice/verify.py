"""The auditor: checks the dice of a record or transcript, straight from docs/guide/fair-dice.md.

Written apart from what makes the dice and sharing no code with it (this module with `audit`,
`recompute`, `verdict` and `statements`), so that a mistake in one is found by the other. Reads
untrusted text: whatever is wrong becomes a `Problem`, never an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sheshbesh.fairdice.audit import Audit
from sheshbesh.fairdice.statements import proved, unproved
from sheshbesh.fairdice.verdict import Problem, ThrowReport, Verdict
from sheshbesh.i18n import Text

if TYPE_CHECKING:
    from sheshbesh.fairdice.envelope import Envelope

__all__ = ["Problem", "ThrowReport", "Verdict", "verify_transcript"]

FORMATS = {
    "sheshbesh-record": 1,
    "sheshbesh-chouette": 1,
    "sheshbesh-dice": 1,
}

_TYPES = ("anchors", "seed", "throw")


def verify_transcript(text: str, *, envelopes: Iterable[Envelope] = ()) -> Verdict:
    """Check the dice of a match record or dice transcript, the text of a file of JSON lines.

    Events of types that have nothing to do with dice are passed over. `envelopes` are opened dice
    envelopes, whose links must be those of the file. A text that does not begin as a record or transcript
    is not read further.
    """
    audit = Audit(tuple(envelopes))
    lines = text.split("\n")
    first = next((n for n, line in enumerate(lines, start=1) if line.strip()), 1)
    if why := _fault_of_header(lines[first - 1]):
        fault = Problem(first, None, None, why)
        return Verdict(
            (), (fault,), cut_off=False, proved=(), unproved=unproved(audit.tally), is_record=False
        )
    cut_off = False
    for position, line in enumerate(lines[first:], start=first + 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            # Only a line that was never ended can be the rest of an interrupted write.
            cut_off = position == len(lines)
            if not cut_off:
                audit.complain(position, None, None, Text("this line is not JSON"))
            continue
        if not isinstance(value, dict):
            audit.complain(position, None, None, Text("this line is not an event"))
            continue
        for event in _dice_events(value):
            audit.take(position, event)
    audit.finish(len(lines))
    meaning = proved(audit.tally, audit.problems), unproved(audit.tally)
    return Verdict(tuple(audit.throws), tuple(audit.problems), cut_off, *meaning)


def _fault_of_header(line: str) -> Text | None:
    """Return why a line does not begin a record or transcript; None where it does."""
    if not line.strip():
        return Text("the file has no header")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        return Text("this line is not JSON")
    if not isinstance(header, dict) or not isinstance(header.get("format"), str):
        return Text("the first line does not say which format this is")
    name, version = header["format"], header.get("version")
    if name in FORMATS and FORMATS[name] == version:
        return None
    return Text("unknown format {format}, version {version}", format=repr(name), version=repr(version))


def _dice_events(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The dice events of a line: the line itself, or those among what followed from an action."""
    if value.get("type") in _TYPES:
        yield value
        return
    then = value.get("then")
    for part in then.values() if isinstance(then, dict) else ():
        for event in part if isinstance(part, list) else [part]:
            if isinstance(event, dict) and event.get("type") in _TYPES:
                yield event
