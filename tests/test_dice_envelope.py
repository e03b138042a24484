"""The sealed envelope, and the command that checks dice."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from sheshbesh.cli.commands.verify_dice import command
from sheshbesh.fairdice import (
    RESERVE,
    Chain,
    Envelope,
    dump_transcript,
    make_password,
    open_envelope,
    seal,
    verify_transcript,
)
from sheshbesh.rules import Refused
from tests.dice_help import Game, chains_of, changed, other_hex, plain, refused

PASSWORD = make_password(b"sixteen bytes...")
GAME = Game().play(20, missing=(7,))
TEXT = dump_transcript(GAME.events)
SEALED = seal(GAME.chains["server"], game="m1/1", password=PASSWORD)


def opened(data: bytes = SEALED, password: str = PASSWORD) -> Envelope:
    return open_envelope(data, password)


def test_a_password_can_be_read_aloud_and_is_never_weak() -> None:
    assert re.fullmatch(r"([a-z2-7]{4}-){6}[a-z2-7]{2}", PASSWORD)
    assert make_password(bytes(16)) != make_password(bytes(15) + b"\x01")
    with pytest.raises(ValueError, match="16 bytes"):
        make_password(bytes(15))
    with pytest.raises(ValueError, match="20 characters"):
        seal(GAME.chains["server"], game="m1/1", password="shesh-besh")


def test_the_password_opens_the_envelope_and_shows_the_servers_links() -> None:
    envelope, chain = opened(), GAME.chains["server"]
    assert (envelope.game, envelope.first, envelope.anchor) == ("m1/1", 1, chain.anchor)
    assert list(envelope.links) == [chain.link(index) for index in range(1, chain.length + 1)]


def test_without_the_password_nothing_can_be_read() -> None:
    with refused("envelope.password_wrong"):
        open_envelope(SEALED, PASSWORD + "x")
    chain = GAME.chains["server"]
    for link in (chain.link(1), chain.tip):
        assert link not in SEALED
        assert link.hex().encode() not in SEALED
    with zipfile.ZipFile(io.BytesIO(SEALED)) as archive:
        (member,) = archive.infolist()
        assert member.flag_bits & 1
        assert member.compress_type == 99  # AES, by the published extension of the format
        assert member.CRC == 0
        assert chain.anchor.hex() in archive.comment.decode()


def test_two_envelopes_of_one_chain_have_nothing_in_common_but_the_label() -> None:
    again = seal(GAME.chains["server"], game="m1/1", password=PASSWORD)
    assert again != SEALED
    assert opened(again) == opened()


def letter(text: bytes) -> bytes:
    """An envelope around any letter, made as ours are."""
    import pyzipper

    buffer = io.BytesIO()
    with pyzipper.AESZipFile(buffer, "w", encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(PASSWORD.encode())
        archive.writestr("sheshbesh-dice-envelope.txt", text)
    return buffer.getvalue()


BODY = "game m1/1\nfirst 1\nlength 1\nanchor {0}\nlink 1 {0}\n".format("ab" * 32)


def test_a_letter_is_read_with_either_kind_of_line_end() -> None:
    for text in (f"Hello.\n\n{BODY}", f"Hello.\n\n{BODY}".replace("\n", "\r\n"), BODY):
        assert opened(letter(text.encode())).links == (b"\xab" * 32,)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff",
        b"Hello.",
        BODY.replace("length 1", "length 2").encode(),
        BODY.replace("length 1", "length 0").encode(),
        BODY.replace("length 1", "length 99999999").encode(),
        BODY.replace("game m1/1", "game a|b").encode(),
        BODY.replace("first 1", "first x").encode(),
        BODY.replace("ab", "zz").encode(),
        BODY.replace("link 1 ab", "link 1 ").encode(),
    ],
)
def test_a_letter_that_is_no_envelope_is_refused(text: bytes) -> None:
    with refused("envelope.damaged"):
        open_envelope(letter(text), PASSWORD)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_damaged_envelope_never_breaks_and_never_tells_other_links(data: Any) -> None:
    small = seal(Chain(bytes(32), length=RESERVE + 1), game="m1/1", password=PASSWORD)
    place = data.draw(st.integers(0, len(small) - 1))
    value = data.draw(st.integers(1, 255))
    damaged = small[:place] + bytes([small[place] ^ value]) + small[place + 1 :]
    for attempt in (damaged, small[:place], data.draw(st.binary(max_size=200))):
        try:
            answer = open_envelope(attempt, PASSWORD)
        except Refused:
            continue
        assert answer == opened(small)


# Against a record.


def test_the_links_of_the_record_are_those_of_the_envelope() -> None:
    verdict = verify_transcript(TEXT, envelopes=[opened()])
    assert verdict.ok
    assert any("20 throws used the server's link that was sealed" in text for text in verdict.proved)


def test_an_envelope_of_another_chain_is_found_out() -> None:
    other = chains_of("other")["server"]
    for sealed in (
        seal(other, game="m1/1", password=PASSWORD),
        seal(GAME.chains["server"], game="m1/2", password=PASSWORD),
        seal(GAME.chains["server"], game="m1/1", first=2, password=PASSWORD),
    ):
        problem = verify_transcript(TEXT, envelopes=[opened(sealed)]).first_problem
        assert problem is not None
        assert "anchor is not in this file" in problem.text


def test_an_envelope_with_one_other_link_is_found_out_at_its_throw() -> None:
    envelope = opened()
    links = (*envelope.links[:12], bytes(32), *envelope.links[13:])
    forged = Envelope(envelope.game, envelope.first, envelope.anchor, links)
    problem = verify_transcript(TEXT, envelopes=[forged]).first_problem
    assert problem is not None
    assert problem.number == 13
    short = Envelope(envelope.game, envelope.first, envelope.anchor, envelope.links[:5])
    problem = verify_transcript(TEXT, envelopes=[short]).first_problem
    assert problem is not None
    assert problem.number == 6


def test_each_renewal_has_an_envelope_of_its_own() -> None:
    game = Game(length=RESERVE + 4).play(4)
    first = game.chains["server"]
    game.do(game.table.renew())
    game.anchor(2)
    game.throw()
    envelopes = [
        opened(seal(first, game="m1/1", password=PASSWORD)),
        opened(seal(game.chains["server"], game="m1/1", first=5, password=PASSWORD)),
    ]
    verdict = verify_transcript(dump_transcript(game.events), envelopes=envelopes)
    assert verdict.ok
    assert any("5 throws used the server's link" in text for text in verdict.proved)


# The command.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.jsonl").write_text(TEXT, "utf-8")
    events = plain(GAME.events)
    dice = [die % 6 + 1 for die in events[9]["dice"]]
    (tmp_path / "bad.jsonl").write_text(dump_transcript(changed(events, 9, dice=dice)), "utf-8")
    (tmp_path / "dice.zip").write_bytes(SEALED)
    return tmp_path


def run(*words: str | Path, typed: str | None = None) -> Result:
    result = CliRunner().invoke(command, [str(word) for word in words], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_command_says_what_is_proved_and_what_is_not(folder: Path) -> None:
    result = run(folder / "good.jsonl")
    assert result.exit_code == 0
    words = " ".join(result.output.split())
    assert "Nothing is wrong with the dice of this file (20 throws)." in words
    assert "What is proved:" in words
    assert "What is not proved:" in words
    assert "Throw 7 of m1/1: White's link is missing" in words
    assert max(map(len, result.output.splitlines())) < 80


def test_the_command_names_the_bad_throw_and_leaves_with_1(folder: Path) -> None:
    result = run(folder / "bad.jsonl", "--rolls")
    assert result.exit_code == 1
    words = " ".join(result.output.split())
    assert "throw 9 of m1/1 (line 11): the dice do not follow from the links" in words
    assert len(re.findall("WRONG", words)) == 1
    assert "What is proved:" not in words
    assert "So nothing is proved." in words


def test_the_command_lists_every_throw(folder: Path) -> None:
    lines = run(folder / "good.jsonl", "--rolls").output.splitlines()
    assert len([line for line in lines if line.startswith("m1/1 ")]) == 20
    assert lines[0].split()[2] == "both"
    assert "White's link is missing" in lines[6]


def test_the_command_opens_the_envelope(folder: Path) -> None:
    sealed = ("--envelope", folder / "dice.zip")
    for result in (
        run(folder / "good.jsonl", *sealed, "--password", PASSWORD),
        run(folder / "good.jsonl", *sealed, typed=PASSWORD + "\n"),
    ):
        assert result.exit_code == 0
        assert "20 throws used the server's link" in " ".join(result.output.split())
    assert run(folder / "good.jsonl", *sealed, "--password", "wrong").exit_code == 2
    assert "password does not open" in run(folder / "good.jsonl", *sealed, "--password", "wrong").output


def test_the_command_leaves_with_2_when_it_cannot_read(folder: Path) -> None:
    (folder / "latin.jsonl").write_bytes(b'{"format":"\xe9"}\n')
    assert run(folder / "absent.jsonl").exit_code == 2
    assert run(folder).exit_code == 2
    assert run(folder / "latin.jsonl").exit_code == 2
    assert run(folder / "good.jsonl", "--password", PASSWORD).exit_code == 2
    assert (
        run(folder / "good.jsonl", "--envelope", folder / "good.jsonl", "--password", PASSWORD).exit_code == 2
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: the file has no header"),
        ("\n \n", "line 1: the file has no header"),
        ("\nhello\nworld\n", "line 2: this line is not JSON"),
        ("[]\n", "line 1: the first line does not say which format this is"),
        ('{"format":"sheshbesh-tournament","version":1}\n', "line 1: unknown format 'sheshbesh-tournament'"),
    ],
)
def test_the_command_says_that_a_text_is_no_record_and_where(folder: Path, text: str, why: str) -> None:
    (folder / "text.jsonl").write_text(text, "utf-8")
    result = run(folder / "text.jsonl")
    words = " ".join(result.output.split())
    assert result.exit_code == 2
    assert f"is neither a match record nor a record of dice: {why}" in words
    assert "dice of this file" not in words


def test_the_command_says_when_a_file_was_cut_off_or_is_thoroughly_wrong(folder: Path) -> None:
    (folder / "cut.jsonl").write_text(TEXT[:-40], "utf-8")
    result = run(folder / "cut.jsonl")
    assert result.exit_code == 0
    assert "only a part of an event" in result.output
    anchors, *throws = plain(GAME.events)
    wrong = [anchors | {"white": other_hex(anchors["white"])}, *throws]
    (folder / "wrong.jsonl").write_text(dump_transcript(wrong), "utf-8")
    assert "and 9 more" in run(folder / "wrong.jsonl").output
    assert json.loads(TEXT.splitlines()[0]) == {"format": "sheshbesh-dice", "version": 1}
