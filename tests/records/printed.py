"""What gnubg prints for `show statistics match`, read and compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

COUNTS = {
    "Total moves": ("moves", "total"),
    "Unforced moves": ("moves", "unforced"),
    "Moves marked doubtful": ("moves", "doubtful"),
    "Moves marked bad": ("moves", "bad"),
    "Moves marked very bad": ("moves", "very_bad"),
    "Rolls marked very lucky": ("luck", "very_lucky"),
    "Rolls marked lucky": ("luck", "lucky"),
    "Rolls marked unlucky": ("luck", "unlucky"),
    "Rolls marked very unlucky": ("luck", "very_unlucky"),
    "Total cube decisions": ("cube", "total"),
    "Close or actual cube decisions": ("cube", "close"),
    "Doubles": ("cube", "doubles"),
    "Takes": ("cube", "takes"),
    "Passes": ("cube", "passes"),
}
CLASSES = {
    "Missed doubles below CP (EMG (MWC))": "missed_below_cash",
    "Missed doubles above CP (EMG (MWC))": "missed_above_cash",
    "Wrong doubles below DP (EMG (MWC))": "wrong_below_double",
    "Wrong doubles above TG (EMG (MWC))": "wrong_above_too_good",
    "Wrong takes (EMG (MWC))": "wrong_takes",
    "Wrong passes (EMG (MWC))": "wrong_passes",
}
_RATES = (
    ("Snowie error rate", "snowie", -1, 0.006),
    ("Actual result", "actual_mwc", 100, 0.01),
    ("Luck adjusted result", "luck_adjusted_mwc", 100, 0.01),
    ("Error based abs. FIBS rating", "fibs", 1, 0.1),
    ("Overall: Error rate mEMG (MWC)", "rate_memg", -1, 0.006),
)
_ROW = re.compile(r"([A-Z]\S*(?: \S+)*)\s{2,}(\S.*)")
_NUMBER = re.compile(r"[-+]?\d+\.?\d*")


def printed(path: Path) -> dict[str, list[list[float]]]:
    """The numbers of both players by row; rows that every section has are named with theirs."""
    text = path.read_text(encoding="utf-8")
    section, rows = "", {}
    for line in text[text.index("Chequerplay statistics") :].splitlines():
        if line.endswith("statistics"):
            section = line.split()[0]
        elif match := _ROW.match(line):
            columns = re.split(r"\s{3,}(?=[-+\d])", match[2].strip())
            name = match[1]
            if name.startswith(("Error total", "Error rate", "Luck total")):
                name = f"{section}: {name}"
                # A number of three digits pushes the columns together: pairs, whatever stands between.
                numbers = [float(each) for each in _NUMBER.findall(match[2])]
                rows[name] = [numbers[:2], numbers[2:]]
            else:
                rows[name] = [[float(each) for each in _NUMBER.findall(column)] for column in columns]
    return rows


def differences(players: Sequence[Mapping[str, Any]], path: Path) -> list[str]:
    """Where the statistics of two players are not what gnubg printed, beyond the rounding of its digits."""
    rows, found = printed(path), []

    def hold(name: str, wanted: float, value: float, within: float) -> None:
        if abs(wanted - value) > within:
            found.append(f"{name}: {value}, gnubg printed {wanted}")

    for side, player in enumerate(players):
        for name, (part, key) in COUNTS.items():
            hold(name, rows[name][side][0], player[part][key], 0)
        for name, key in CLASSES.items():
            hold(name, rows[name][side][0], player["cube"][key]["count"], 0)
        for name, part in (("Chequerplay", "moves"), ("Cube", "cube")):
            emg, mwc = rows[f"{name}: Error total EMG (MWC)"][side]
            hold(f"{name} EMG", -emg, player[part]["error_emg"], 1e-4)
            hold(f"{name} MWC", -mwc, 100 * player[part]["error_mwc"], 1e-3)
        emg, mwc = rows["Luck: Luck total EMG (MWC)"][side]
        # Each roll was stored with five digits.
        hold("luck EMG", emg, player["luck"]["emg"], 2e-4)
        hold("luck MWC", mwc, 100 * player["luck"]["mwc"], 5e-3)
        for name, key, factor, within in _RATES:
            hold(name, rows[name][side][0], factor * player[key], within)
    return found
