"""The line protocol as a state machine: no process, no thread."""

from __future__ import annotations

import random
import string
from itertools import pairwise
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.errors import StoppedError
from sheshbesh.formats import format_position_id
from sheshbesh.ubgi.dialogue import Dialogue
from sheshbesh.ubgi.effects import Quit, Stop, StopSignal, Work
from tests.cli import transcript
from tests.cli.dialogue_client import DialogueClient
from tests.cli.serve import make

START = "4HPwATDgc/ABMA"


@pytest.fixture
def talk(nets: Path) -> DialogueClient:
    return DialogueClient(Dialogue(make(str(nets))))


def numbers(line: str) -> dict[str, float]:
    words = line.split()
    return {key: float(value) for key, value in pairwise(words) if "." in value and key.isalpha()}


def test_the_handshake_ends_with_ubgiok(talk: DialogueClient) -> None:
    said = talk("ubgi")
    assert said[0].startswith("id name Sheshbesh")
    assert said[-1] == "ubgiok"
    options = [line.split()[2] for line in said if line.startswith("option name ")]
    assert {"Variant", "Plies", "Level", "Threads", "Seed", "MatchLength", "Jacoby", "Cube"} <= set(options)
    assert talk("isready") == ["readyok"]


def test_every_default_is_a_value_of_its_option(talk: DialogueClient) -> None:
    for line in talk("ubgi"):
        words = line.split()
        if words[0] == "option":
            assert talk(f"setoption name {words[2]} value {words[6]}") == []


def test_a_move_is_written_step_by_step_and_legal(talk: DialogueClient) -> None:
    assert talk.all("newgame", "dice 3 3") == []
    said = talk("go role chequer")
    assert [line.split()[3:5] for line in said[:-2]] == [["depth", "0"], ["depth", "1"], ["depth", "2"]]
    assert said[-2].startswith("bestmove ")
    text = said[-2].removeprefix("bestmove ")
    assert "*" not in text and "(" not in text and len(text.split()) == 4
    play = sb.variant("backgammon").start().parse_play(text, (3, 3))
    assert said[-1] == f"bestmoveid {format_position_id(play.result)}"


@pytest.mark.parametrize("game", ["backgammon", "gul_bara"])
def test_a_game_can_be_played_to_its_end(game: str, talk: DialogueClient) -> None:
    assert talk.all("setoption name Plies value 0", f"variant {game}", "newgame") == []
    chance = random.Random(5)
    for _ in range(400):
        position = talk.dialogue.position
        assert position is not None
        if position.result is not None:
            break
        if position.pending is None:
            assert talk(f"dice {chance.randint(1, 6)} {chance.randint(1, 6)}") == []
        move = talk("go role chequer")[-2].removeprefix("bestmove ")
        assert talk(f"play {move}") == [f"position id {talk.dialogue.position.id}"]  # type: ignore[union-attr]
    else:
        pytest.fail("the game did not end")
    assert talk("rank")[0].startswith("error missing_context rank: the game is over")
    assert talk("eval")[-1].startswith("eval ")


NAMING = "cA2BA4a2A1aA1BAABCf:w:x0.1:h0.3:p?"


def test_a_double_is_named_by_the_play_itself_or_by_dice(talk: DialogueClient) -> None:
    position = sb.variant("acey_deucey").position_from_id(NAMING)
    made = position.parse_play("23/17 17/11 11/5 11/5", (6, 6)).result
    assert talk.all("setoption name Plies value 0", "variant acey_deucey", f"position id {NAMING}") == []
    assert talk("judge 23/17 17/11 11/5 11/5")[-1] == "judgeok"
    move = talk("go")[-2].removeprefix("bestmove ")
    assert talk("play 23/17 17/11 11/5 11/5") == [f"position id {made.id}"]
    assert talk.all(f"position id {NAMING}", "dice 6 6") == []
    assert int(talk("rank 1")[-1].split()[1]) == len(position.legal_plays((6, 6)))
    assert talk("play 23/17 17/11 11/5 11/5") == [f"position id {made.id}"]
    assert talk.all(f"position id {NAMING}", f"play {move}")[0].startswith("position id ")
    talk(f"position id {NAMING}")
    (refused,) = talk("play 23/1")
    assert refused.startswith("error ")


def test_between_the_elements_of_a_turn_there_is_no_cube_to_turn(talk: DialogueClient) -> None:
    talk("variant gul_bara cube=true")
    talk("position id JA1A2A5jA2b1bA3a:b:t3.3:p2222+")
    said = talk("go role turn")
    assert said[-1].startswith("bestturn cube=nodouble"), said


def test_rank_is_sorted_and_its_losses_fit(talk: DialogueClient) -> None:
    said = talk.all("setoption name Plies value 0", "position start", "dice 31", "rank 4")
    assert said[-1] == f"rankok {len(sb.variant('backgammon').start().legal_plays((3, 1)))}"
    assert [line.split()[:2] for line in said[:-1]] == [["rank", str(n)] for n in (1, 2, 3, 4)]
    rows = [numbers(line) for line in said[:-1]]
    for row in rows:
        assert row["loss"] == pytest.approx(rows[0]["eq"] - row["eq"], abs=2e-4)
    assert rows == sorted(rows, key=lambda row: row["loss"])


def test_stop_ends_the_search_with_what_there_is(talk: DialogueClient) -> None:
    talk.all("position start", "dice 6 5")
    said = talk("go depth 3", stopped=True)
    assert [line.split()[0] for line in said] == ["info", "bestmove", "bestmoveid"]
    assert " depth 0 " in said[0]


def test_what_is_asked_before_stop_is_answered_by_the_net_alone(talk: DialogueClient) -> None:
    talk.all("setoption name Plies value 2", "position start", "dice 6 5")
    for question in ("eval", "cube", "judge 13/7 13/8"):
        talk("setoption name Plies value 2")
        deep, stopped = talk(question), talk(question, stopped=True)
        talk("setoption name Plies value 0")
        assert talk(question) == stopped != deep


def test_stop_reaches_the_search_that_runs_and_no_later_one(nets: Path) -> None:
    engine = sb.engine("backgammon", folders=nets)
    start, stop_signal = engine.variant.start(), StopSignal()
    with stop_signal.reaching(engine):
        stop_signal.set()
        with pytest.raises(StoppedError):
            engine.evaluate(start, plies=2)
    assert engine.evaluate(start, plies=1).win > 0


def test_engines_are_shared_by_levels_and_seeds_and_the_oldest_are_forgotten(talk: DialogueClient) -> None:
    talk.all("setoption name Level value beginner", "position start", "dice 6 5")
    for seed in range(3):
        talk.all(f"setoption name Seed value {seed}", "go")
    assert len(talk.dialogue.engines) == 1
    talk.all("setoption name Level value none", "setoption name Plies value 0")
    for name in sb.variants():
        talk.all(f"variant {name}", "position start", "eval")
    assert 1 < len(talk.dialogue.engines) < len(sb.variants())
    assert talk("eval")[-1].startswith("eval ")


def test_a_beaver_that_waits_is_not_answered_like_a_double(talk: DialogueClient) -> None:
    for letter, word in (("B", "beaver"), ("R", "raccoon")):
        talk(f"position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:{letter}:0:0:3:0:10")
        (said,) = talk("go")
        assert said.startswith("error unsupported_feature go: ") and word in said


def test_a_judged_play_has_a_grade_and_reasons(talk: DialogueClient) -> None:
    talk.all("setoption name Plies value 0", "position start", "dice 3 1")
    best = talk("go role chequer")[-2].removeprefix("bestmove ")
    assert talk(f"judge {best}")[0].startswith("verdict best loss 0.0000 rank 1 of ")
    worst = talk("rank 1000")[-2].split(" move ")[1]
    said = talk(f"judge {worst}")
    assert said[0].split()[1] != "best"
    assert said[0].endswith(f" best {best}")
    assert all(line.split()[0] == "reason" for line in said[1:-2])
    assert said[-2].startswith(f"because {best} ")
    assert said[-1] == "judgeok"
    assert talk("judge 8/2")[0].startswith("error bad_argument judge: '8/2' with 3-1 is not legal")


def test_eval_sums_to_one_and_agrees_with_the_classes(talk: DialogueClient) -> None:
    said = talk.all("position start", "eval")
    shares = [float(line.split()[-1]) for line in said[:-1]]
    assert len(shares) == 6
    assert sum(shares) == pytest.approx(1, abs=1e-3)
    assert numbers(said[-1])["pwin"] == pytest.approx(sum(shares[:3]), abs=2e-4)


def test_all_kinds_of_positions_mean_the_same(talk: DialogueClient) -> None:
    start = sb.variant("backgammon").start()
    found = []
    for text in (
        "start",
        f"gnubgid {START}",
        f"id {start.id}",
        "xgid -b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    ):
        assert talk(f"position {text}") == []
        found.append(talk.dialogue.position)
    assert found == [start] * 4
    # Only the XGID has brought its dice along.
    assert talk("rank 1")[0].startswith("rank 1 ")
    assert talk("setturn p1") == talk(f"position gnubgid {START}") == []
    assert talk.dialogue.position == sb.variant("backgammon").start("black")


def test_a_new_position_forgets_the_dice(talk: DialogueClient) -> None:
    talk.all("position start", "dice 3 1", "position start")
    assert talk("rank")[0] == "error missing_context rank: no dice yet: send dice"


def test_an_option_of_a_game_changes_its_rules(talk: DialogueClient) -> None:
    assert talk("variant tapa mother=true") == []
    talk("newgame")
    assert talk.dialogue.position.variant == sb.variant("tapa", mother=True)  # type: ignore[union-attr]
    assert "mother" in talk("variant tapa mother=perhaps")[0]
    assert talk("variant tapa =1")[0].startswith("error bad_argument variant: ")


def test_a_score_changes_equities_and_is_checked(talk: DialogueClient) -> None:
    talk("position start")
    money = talk("eval")[-1]
    assert talk.all("newsession type match length 5 crawford off", "setscore 4 0") == []
    assert talk("eval")[-1] != money
    assert talk("setscore 5 5") == [
        "error bad_argument setscore: impossible match state: only one side can have won 5 points"
    ]
    assert talk("setcube value 3")[0].startswith("error bad_argument setcube: ")
    assert talk("setcube value 128 owner p1") + talk("setcube value 2 owner p1") == []
    assert talk.all("newsession type money jacoby off", "eval")[-1] == money


def test_the_cube_is_decided_and_answered(talk: DialogueClient) -> None:
    talk.all("setoption name Plies value 0", "position start")
    (line,) = talk("cube")
    words = line.split()
    assert words[0] == "cube"
    assert words[2] in ("nodouble", "double", "toogood")
    assert numbers(line)["doublepass"] == 1.0
    for role in ("go", "go cube", "go role cube"):
        assert talk(role) == [
            f"info role {line}",
            f"bestcube {'double' if words[2] == 'double' else 'nodouble'}",
        ]
    talk("dice 3 1")
    said = talk("go role turn")
    assert said[0] == f"info role {line}"
    assert said[-1].startswith("bestturn cube=")
    talk("setoption name Cube value false")
    assert talk("go role turn")[0].startswith("info role chequer")
    assert talk("position xgid -b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10") == []
    assert talk("go")[-1] in ("bestcube take", "bestcube drop")


def test_a_rollout_is_repeatable_and_ends_when_told(talk: DialogueClient) -> None:
    talk.all("setoption name Seed value 7", "position start")
    once = talk("rollout trials 72")[-1]
    assert once.startswith("rollout trials 72 se ")
    talk("setoption name Threads value 2")
    assert talk("rollout trials 72")[-1] == once
    talk("setoption name Seed value 8")
    assert talk("rollout trials 72")[-1] != once
    talk("newsession type match length 3")
    assert " eqcube " in talk("rollout trials 36")[-1]


def test_a_stopped_rollout_has_what_there_is_or_says_that_there_is_nothing(talk: DialogueClient) -> None:
    talk("position start")
    assert talk("rollout trials 100000", stopped=True) == [
        "error stopped rollout: stopped before the first trials were done: there is no result"
    ]
    effect = talk.dialogue.feed("rollout trials 100000")
    assert isinstance(effect, Work)
    said, stop_signal = [], StopSignal()

    def report(line: str) -> None:
        said.append(line)
        stop_signal.set()

    effect.run(report, stop_signal)
    assert said[0].startswith("info rollout trials ")
    words = said[-1].split()
    assert words[0] == "rollout"
    assert 0 < int(words[2]) < 100000


MATCH = "xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10"
MONEY = "xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:{}:0:10"


@pytest.mark.parametrize("option", ["Beavers value true", "Jacoby value false", "Jacoby value true"])
def test_an_option_leaves_the_match_that_a_position_brought(option: str, talk: DialogueClient) -> None:
    talk.all("setoption name Plies value 0", f"position {MATCH}")
    before = talk("cube")
    assert talk(f"setoption name {option}") == []
    assert talk("cube") == before
    assert talk.dialogue.match is not None and talk.dialogue.match.length == 7


def test_an_option_changes_what_it_names(talk: DialogueClient) -> None:
    def match() -> sb.MatchState:
        found = talk.dialogue.match
        assert found is not None
        return found

    talk.all("newsession type match length 3", f"position {MATCH}", "setscore 6 5")
    # Impossible in the match of the options, but that is not what is on the table.
    assert talk("setoption name Crawford value true") == []
    assert match() == sb.MatchState(length=7, white=6, black=5, crawford=True)
    talk("setoption name MatchLength value 9")
    assert (match().length, match().crawford, match().white) == (9, False, 6)
    # In money play Jacoby's rule is that of the option again.
    talk("setoption name MatchLength value 0")
    assert match() == sb.MatchState(white=6, black=5)
    # A position for money without Jacoby's rule: only naming it brings it.
    talk(f"position {MONEY.format(0)}")
    assert talk.all("setoption name Beavers value true", "setoption name Crawford value true") == []
    assert match() == sb.MatchState(jacoby=False, beavers=True)
    talk("setoption name Jacoby value true")
    assert match() == sb.MatchState(beavers=True)
    talk("setoption name MatchLength value 5")
    assert (match().length, match().crawford) == (5, False)
    talk("setscore 4 0")
    assert match().crawford, "said before anybody needed one point"


def test_a_score_beyond_the_match_is_refused_in_a_sentence(talk: DialogueClient) -> None:
    talk("newsession type match length 7")
    assert talk("setscore 3 9") == ["error bad_argument setscore: a match to 7 is over at 3-9"]
    assert talk("setcube value 2") == [
        "error bad_argument setcube: impossible match state: "
        "a cube that was turned to 2 has an owner; nobody's cube stands at 1"
    ]
    assert talk("setcube value 2 owner p1") == []


def test_whose_turn_was_set_stays_in_another_game(talk: DialogueClient) -> None:
    talk.all("setturn p1", "variant tapa", "newgame")
    assert talk.dialogue.position == sb.variant("tapa").start("black")


def test_a_net_that_stands_in_is_named_so_in_every_answer_with_numbers(talk: DialogueClient) -> None:
    for variant, marked in (("long_nardy koks=true", True), ("long_nardy", False)):
        talk.all("setoption name Plies value 0", f"variant {variant}", "newgame", "dice 6 1")
        first = talk("rank 1")[0].split(" move ")[1]
        for line in ("eval", "rank 2", f"judge {first}", "go", "rollout trials 36"):
            said = [each for each in talk(line) if " eq " in each or each.startswith("verdict ")]
            assert said, line
            assert all((" approximate true" in each) is marked for each in said), said


def test_cube_decisions_of_a_net_that_stands_in_are_marked(talk: DialogueClient, tmp_path: Path) -> None:
    talk.all("setoption name Plies value 0", "position start")
    assert "approximate" not in talk("cube")[0]
    file = tmp_path / "few.toml"
    file.write_text(
        'name = "few"\ntitle = "Few"\ndescription = "Backgammon with four."\nbase = "backgammon"\n'
        '[board]\ncheckers = 4\nsetup = { 24 = 2, 13 = 2 }\nsource = "this test"\n'
    )
    assert talk.all(f"variant {file}", "newgame") == []
    assert talk("cube")[0].endswith(" approximate true")
    assert talk("go role cube")[0].endswith(" approximate true")


def test_a_game_without_a_cube_has_no_decision(talk: DialogueClient) -> None:
    talk.all("variant tapa", "newgame", "dice 3 1")
    assert talk("cube")[0].startswith("error unsupported_feature cube: Tapa is played without a cube")
    assert talk("go role turn")[-1].startswith("bestturn cube=nodouble")


def test_who_may_not_turn_the_cube_decides_nothing(talk: DialogueClient) -> None:
    talk.all("position start", "setcube value 2 owner p1")
    assert talk("go role cube")[0].startswith("error unsupported_feature go: there is no double to decide on")


def test_a_level_makes_mistakes_and_its_seed_repeats(talk: DialogueClient) -> None:
    talk.all("setoption name Level value beginner", "position start", "dice 4 3")
    moves = set()
    for seed in range(12):
        talk(f"setoption name Seed value {seed}")
        first, second = talk("go role chequer"), talk("go role chequer")
        assert first == second
        assert len(first) == 2
        moves.add(first[0])
    assert len(moves) > 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("foo", "error unknown_command 'foo'; commands: ubgi, "),
        ("UBGI", "error unknown_command 'UBGI'"),
        ("ubgi now", "error bad_argument ubgi: nothing was expected after the command: 'now'"),
        ("go", "error missing_context go: no position yet"),
        ("dice", "error bad_argument dice: expected: dice D1 D2, each 1 to 6, or dice none, not ''"),
        ("dice 0 7", "error bad_argument dice: expected: dice D1 D2, each 1 to 6, or dice none, not '0 7'"),
        ("dice 3 1 4", "error bad_argument dice: expected: dice D1 D2"),
        ("position", "error bad_argument position: expected: position start"),
        (
            "position fen x",
            "error bad_argument position: a position is start, id, gnubgid, xgid or ogid, not 'fen'",
        ),
        ("position gnubgid 4HPwATDgc/ABM", "error bad_argument position: a Position ID has 14 characters"),
        ("position id zzz", "error bad_argument position: "),
        ("position xgid", "error bad_argument position: "),
        ("setoption Plies 2", "error bad_argument setoption: expected: setoption name NAME value VALUE"),
        (
            "setoption name Plies value 4",
            "error bad_argument setoption: Plies is a whole number 0 to 3, not '4'",
        ),
        ("setoption name Plies value ²", "error bad_argument setoption: Plies is a whole number"),
        (
            "setoption name Hash value 4",
            "error bad_argument setoption: there is no option 'Hash'; options: Variant",
        ),
        ("setoption name Variant value chess", "error bad_argument setoption: Variant is one of backgammon"),
        ("setoption name Crawford value yes", "error bad_argument setoption: Crawford is one of true, false"),
        ("variant chess", "error bad_argument variant: "),
        ("variant", "error bad_argument variant: expected: variant NAME"),
        ("variant tapa mother", "error bad_argument variant: an option of a game is written KEY=VALUE"),
        ("newsession type match", "error bad_argument newsession: a match has a length"),
        ("newsession length 5", "error bad_argument newsession: expected: newsession type money|match"),
        ("setscore 1", "error bad_argument setscore: expected: setscore P0 P1"),
        ("setscore a b", "error bad_argument setscore: a score is a whole number 0 to 999, not 'a'"),
        ("setturn p2", "error bad_argument setturn: a side is p0 (white) or p1 (black), not 'p2'"),
        ("setcube owner p0", "error bad_argument setcube: expected: setcube value N"),
        ("play 8/5", "error missing_context play: no position yet"),
        ("x" * 5000, "error bad_argument a line has at most 4096 characters, not 5000"),
    ],
)
def test_what_cannot_be_read_is_named(line: str, said: str, talk: DialogueClient) -> None:
    answer = talk(line)
    assert len(answer) == 1
    assert answer[0].startswith(said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("go nodes 100", "error unsupported_feature go: nodes"),
        ("go depth 4", "error bad_argument go: depth is a whole number 0 to 3"),
        ("go depth", "error bad_argument go: expected"),
        ("go role box", "error bad_argument go: a role is chequer, cube or turn, not 'box'"),
        ("go role chequer", "error missing_context go: no dice yet"),
        ("go role turn", "error missing_context go: no dice yet"),
        ("rank 0", "error bad_argument rank: rank is a whole number 1 to"),
        ("rank 5 5", "error bad_argument rank: nothing was expected"),
        ("rollout trials 35", "error bad_argument rollout: trials is a whole number 36"),
        ("rollout 1296", "error bad_argument rollout: expected"),
    ],
)
def test_questions_are_checked(line: str, said: str, talk: DialogueClient) -> None:
    talk("position start")
    answer = talk(line)
    assert len(answer) == 1
    assert answer[0].startswith(said)


def test_a_fault_changes_nothing(talk: DialogueClient) -> None:
    talk.all("position start", "dice 3 1")
    before = talk("rank 3")
    for line in (
        "position id zzz",
        "dice 9 9",
        "setoption name Plies value 9",
        "variant chess",
        "play 8/2",
        "setscore -1 0",
    ):
        assert talk(line)[0].startswith("error ")
    assert talk("rank 3") == before


_WORDS = f"""position dice id gnubgid xgid 3 1 go rank value name setoption variant tapa = -1 1e9 play
8/5 bar/off judge setcube owner eval {START}"""


def test_nothing_that_is_typed_ends_the_conversation(talk: DialogueClient) -> None:
    chance = random.Random(3)
    words = [*_WORDS.split(), "\x00", "é", "\ud800"]
    talk("setoption name Plies value 0")
    for _ in range(500):
        if chance.random() < 0.3:
            line = "".join(chance.choices(string.printable, k=chance.randrange(40)))
        else:
            line = " ".join(chance.choices(words, k=chance.randrange(1, 6)))
        if line.split()[:1] in (["quit"], ["setoption"]) and "Plies" in line:
            continue
        for said in talk(line):
            assert "\n" not in said
            assert not said.startswith("error internal"), (line, said)


def test_control_words_are_told_apart(talk: DialogueClient) -> None:
    assert isinstance(talk.dialogue.feed("stop"), Stop)
    assert isinstance(talk.dialogue.feed("quit"), Quit)
    assert talk("") == talk("   ") == []


def test_the_conversation_in_the_documentation_goes_as_it_is_written(talk: DialogueClient) -> None:
    shown = transcript.written()
    assert len(shown) > 60, "python -m tests.cli.transcript writes it"
    now = list(transcript.held(shown, talk))
    assert transcript.masked(now) == transcript.masked(shown)


@pytest.mark.parametrize("game", ["backgammon", "hypergammon"])
def test_bgci_duels_as_with_any_engine(game: str, talk: DialogueClient) -> None:
    """The lines that the duels of bgci send (github.com/bungogood/bgci), and what they wait for."""
    assert talk("ubgi")[-1] == "ubgiok"
    assert talk.all("setoption name Plies value 0", "isready") == ["readyok"]
    if game != "backgammon":
        assert talk.all(f"setoption name Variant value {game}", "isready") == ["readyok"]
    assert talk.all("newgame", "isready") == ["readyok"]
    chance, position = random.Random(9), sb.variant(game).start()
    for _ in range(300):
        if position.result is not None:
            break
        dice = sb.Roll.of((chance.randint(1, 6), chance.randint(1, 6)))
        said = talk.all(
            f"position gnubgid {format_position_id(position)}",
            f"dice {dice.first} {dice.second}",
            "go role chequer",
        )
        assert not [line for line in said if line.startswith("error")]
        (move,) = [line.removeprefix("bestmove ") for line in said if line.startswith("bestmove ")]
        if len(position.legal_plays(dice)) > 1:
            position = position.parse_play(move, dice).result
        else:
            position = position.legal_plays(dice)[0].result
    assert position.result is not None
