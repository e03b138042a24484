"""Make the reduced, nameless set of match files in tests/data/review from a folder of real ones.

    python tools/anonymise_samples.py SAMPLES tests/data/review

SAMPLES is laid out as tests/data/review/README.md tells. Names of players, events, places and transcribers
are replaced; rolls, plays, scores and analysis stay as they are.
"""

from __future__ import annotations

import re
import sys
import zlib
from pathlib import Path

from sheshbesh.records import read_match
from sheshbesh.records.xg_container import RECORD, members

PLAYERS = ("anna", "boris")
KEPT_SITES = ("BackgammonGalaxy", "Backgammon Studio", "Backgammon Heroes")
TEXTS = {
    "galaxy/match1281172.txt": "galaxy.txt",
    "galaxy/match1322784.txt": "galaxy_xg_style.txt",
    "studio/Llabba - Lucky Lux 13pt Backgammon Studio 2023_01_23 20_22_56.txt": "studio.txt",
    "mat/lazybg_match1.txt": "xg.txt",
    "triple/gbf_test.mat": "four_ways.mat",
    "triple/gbf_test.txt": "four_ways.txt",
    "gnubg_stats/galaxy_match1278964.ply0.sgf": "analysed.sgf",
    "gnubg_stats/galaxy_lasse_match1755174.ply2.sgf": "analysed_2ply.sgf",
}
PRINTED = {
    "gnubg_stats/galaxy_match1278964.ply0.out": "analysed.out",
    "gnubg_stats/galaxy_lasse_match1755174.ply2.out": "analysed_2ply.out",
}
PLAIN = {
    "positions_txt/bgfparser/01_checkerPosition_DE.txt": "bgblitz_play.txt",
    "positions_txt/bgfparser/03_DT_FR.txt": "bgblitz_cube.txt",
}
BINARY = {"triple/gbf_test.xg": "four_ways.xg"}
_TAG = re.compile(r'^(; \[(?:Site|Event|Round|Transcriber|Player \d|Match ID) ")(.*)("\])', re.MULTILINE)
_SGF = re.compile(r"\b(EV|RO|PC|AN|GC)\[[^\]]*\]")


def nameless(text: str, names: tuple[str, str]) -> str:
    """The text with its players called anna and boris, and its places without names."""

    def tag(match: re.Match[str]) -> str:
        value = match[2]
        if value in names:
            value = PLAYERS[names.index(value)]
        elif value not in KEPT_SITES:
            value = "x"
        return match[1] + value + match[3]

    text = _SGF.sub(r"\1[x]", _TAG.sub(tag, text))
    for name, other in sorted(zip(names, PLAYERS, strict=True), key=lambda pair: -len(pair[0])):
        text = text.replace(name, other.ljust(min(len(name), 40)) if ";FF[4]" not in text else other)
    return text


def nameless_xg(data: bytes) -> bytes:
    """The records of a binary file without names, in a container of their own."""
    main = max((each for each in members(data) if len(each) % RECORD == 0), key=len)
    head = bytearray(main[:RECORD])
    for start, size in ((9, 41), (50, 41), (136, 129), (283, 129), (417, 129)):
        head[start : start + size] = bytes(size)
    for start in (622, 880, 1138, 1396, 1654, 1960):
        head[start : start + 258] = bytes(258)
    for start, name in ((880, PLAYERS[0]), (1138, PLAYERS[1])):
        wide = name.encode("utf-16-le")
        head[start : start + len(wide)] = wide
    size = 8232
    header = b"RGMH" + (1).to_bytes(4, "little") + size.to_bytes(4, "little")
    return header.ljust(size, b"\0") + zlib.compress(bytes(head) + main[RECORD:], 9)


def main(source: Path, target: Path) -> None:
    """Write the reduced set."""
    target.mkdir(parents=True, exist_ok=True)
    for name, new in (TEXTS | PRINTED).items():
        path = source / name
        played = path.with_suffix(".sgf") if name in PRINTED else path
        players = read_match(played).players
        text = path.read_bytes().decode("utf-8-sig")
        bom = "\ufeff" if path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
        text = nameless(text, (players["white"], players["black"]))
        (target / new).write_bytes((bom + text).encode())
    for name, new in PLAIN.items():
        (target / new).write_bytes((source / name).read_bytes())
    for name, new in BINARY.items():
        (target / new).write_bytes(nameless_xg((source / name).read_bytes()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
