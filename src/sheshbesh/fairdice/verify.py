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
    envelopes, whose links must be those of the file.
    """
    audit = Audit(tuple(envelopes))
    lines = text.split("\n")
    has_header = cut_off = False
    for position, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            # Only a line that was never ended can be the rest of an interrupted write.
            cut_off = has_header and position == len(lines)
            if not cut_off:
                audit.complain(position, None, None, Text("this line is not JSON"))
            continue
        if not has_header:
            has_header = True
            _check_header(audit, position, value)
        elif not isinstance(value, dict):
            audit.complain(position, None, None, Text("this line is not an event"))
        else:
            for event in _dice_events(value):
                audit.take(position, event)
    if not has_header:
        audit.complain(1, None, None, Text("the file has no header"))
    audit.finish(len(lines))
    meaning = proved(audit.tally, audit.problems), unproved(audit.tally)
    return Verdict(tuple(audit.throws), tuple(audit.problems), cut_off, *meaning)


def _check_header(audit: Audit, line: int, header: object) -> None:
    if not isinstance(header, dict) or not isinstance(header.get("format"), str):
        audit.complain(line, None, None, Text("the first line does not say which format this is"))
    elif header["format"] not in FORMATS or FORMATS[header["format"]] != header.get("version"):
        audit.complain(
            line,
            None,
            None,
            Text(
                "unknown format {format}, version {version}",
                format=repr(header["format"]),
                version=repr(header.get("version")),
            ),
        )


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
