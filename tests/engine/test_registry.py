"""Which net plays which rules, and what is wrong with one that plays none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.engines import Classes, registry
from tests.engine.nets import write_net


def nearest(game: sb.Variant, nets: Path) -> registry.Found:
    """The best of the nets of a folder, the shipped ones aside."""
    found = [match for each in registry.manifests(nets) if (match := registry.fit(each, game))]
    return min(found, key=lambda match: match.distance)


@pytest.mark.parametrize("name", sb.variants())
def test_a_game_is_played_by_the_net_made_for_it(name: str, nets: Path) -> None:
    found = nearest(sb.variant(name), nets)
    assert not found.approximate
    assert sb.variant(name).fingerprint in found.manifest.covers


@pytest.mark.parametrize("name", sb.variants())
def test_every_game_is_shipped_with_a_net_of_its_own(name: str) -> None:
    found = registry.find(sb.variant(name))
    assert not found.approximate
    assert found.load().classes == len(Classes.of(sb.variant(name)).all)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (sb.variant("tavla", forced_bearoff="before_duty"), {"tavla"}),
        # Without the ban it is portes with a forced bear-off.
        (sb.variant("tavla", hit_run_priority="off"), {"portes"}),
        (sb.variant("long_nardy", block_rule="none"), {"long_nardy", "nardegammon"}),
        (sb.variant("tapa", pinned_blocks_bearoff=True), {"tapa"}),
        (sb.variant("fevga", quarter_rule="none"), {"fevga"}),
        (sb.variant("gul_bara", progression_from=1), {"gul_bara"}),
    ],
)
def test_an_option_is_played_by_the_net_of_its_game(game: sb.Variant, expected: set[str], nets: Path) -> None:
    found = nearest(game, nets)
    assert found.approximate
    assert found.manifest.name in expected


def test_distance_is_symmetric_and_none_to_oneself() -> None:
    games = [sb.variant(name).axes for name in sb.variants()]
    for one in games:
        assert registry.distance(one, one) == 0
        for other in games:
            assert registry.distance(one, other) == registry.distance(other, one)


def test_how_checkers_move_and_meet_weighs_more_than_how_many_they_are() -> None:
    backgammon, tapa, tawla31 = (sb.variant(n).axes for n in ("backgammon", "tapa", "tawla31"))
    hyper = sb.variant("hypergammon").axes
    assert registry.distance(backgammon, hyper) < registry.distance(backgammon, tapa)
    assert registry.distance(backgammon, hyper) < registry.distance(backgammon, tawla31)


def classes_named(net: sb.Variant, rules: sb.Variant, tmp_path: Path) -> dict[str, str]:
    """Each win of a net and the win of the rules it counts for."""
    manifest = registry.read_manifest(write_net(tmp_path, net, name="other"))
    own, theirs = Classes.of(net), Classes.of(rules)
    mapped = registry.class_map(manifest, theirs)
    return {str(own.all[at]): str(theirs.all[to]) for at, to in enumerate(mapped)}


def test_a_class_the_rules_lack_becomes_the_next_lower_one(tmp_path: Path) -> None:
    found = classes_named(sb.variant("backgammon"), sb.variant("tavla"), tmp_path)
    assert found["win backgammon"] == "win gammon"
    assert found["lose backgammon"] == "lose gammon"
    found = classes_named(sb.variant("backgammon"), sb.variant("irish"), tmp_path)
    assert found["win backgammon"] == found["win gammon"] == found["win single"] == "win single"
    found = classes_named(sb.variant("long_nardy"), sb.variant("long_nardy", koks=True), tmp_path)
    assert found["win home mars"] == "win home mars"


def test_between_counted_and_plain_scoring_a_gammon_is_all_checkers_left(tmp_path: Path) -> None:
    plain, counted = sb.variant("tawla31", scoring="plain"), sb.variant("tawla31")
    there = classes_named(plain, counted, tmp_path)
    assert there["win gammon"] == "win count 15"
    assert there["lose single"] == "lose count 5"
    back = classes_named(counted, plain, tmp_path)
    assert back["win count 15"] == "win gammon"
    assert back["lose count 14"] == "lose single"


def test_a_net_that_foretells_ties_plays_no_game_without_them(tmp_path: Path) -> None:
    path = write_net(tmp_path, sb.variant("tapa", mother=True))
    with pytest.raises(sb.NetError, match=r"it knows a tie, and Tapa has none"):
        sb.engine("tapa", net=path)


def test_a_folder_of_ones_own_comes_before_the_shipped_nets(tmp_path: Path) -> None:
    write_net(tmp_path, sb.variant("tavla"), name="mine")
    for folders in ([tmp_path], tmp_path, str(tmp_path)):
        engine = sb.engine("tavla", folders=folders)
        assert engine.net.path.parent == tmp_path
        assert not engine.approximate


# What is wrong with a net


@pytest.fixture
def tavla(tmp_path: Path, nets: Path) -> Path:
    """A net of one's own that may be spoilt."""
    for suffix in (".net", ".json"):
        shutil.copy(nets / f"tavla{suffix}", tmp_path)
    return tmp_path / "tavla.net"


def change(path: Path, **fields: object) -> None:
    beside = path.with_suffix(".json")
    beside.write_text(json.dumps({**json.loads(beside.read_text()), **fields}))


def refused(path: Path) -> str:
    with pytest.raises(sb.NetError) as error:
        sb.engine("tavla", net=path)
    assert error.value.path is not None and Path(error.value.path).stem == path.stem
    return str(error.value)


def test_a_damaged_net_is_refused_by_its_hash(tavla: Path) -> None:
    content = bytearray(tavla.read_bytes())
    content[5000] ^= 1
    tavla.write_bytes(content)
    assert "SHA-256" in refused(tavla)


def test_a_net_that_is_none_is_refused_by_what_it_lacks(tavla: Path) -> None:
    import hashlib

    for content in (b"", b"no net at all", tavla.read_bytes()[:-100]):
        tavla.write_bytes(content)
        change(tavla, sha256=hashlib.sha256(content).hexdigest())
        assert refused(tavla).startswith(str(tavla))


def test_a_net_with_other_inputs_is_refused(tavla: Path) -> None:
    change(tavla, input_set=999)
    assert "input set 999" in refused(tavla)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"format": 99}, "format is 99"),
        ({"fingerprints": {}}, "covers no rules"),
        ({"classes": "all"}, "no manifest"),
        ({"axes": {}, "game": "none such"}, "no manifest"),
    ],
)
def test_a_manifest_that_does_not_hold_is_refused(tavla: Path, fields: dict[str, object], said: str) -> None:
    change(tavla, **fields)
    assert said in refused(tavla)


def test_a_net_without_a_manifest_or_with_an_unreadable_one_is_refused(tavla: Path) -> None:
    beside = tavla.with_suffix(".json")
    for text in ("{", "[" * 100_000):
        beside.write_text(text)
        assert "no manifest" in refused(tavla)
    beside.unlink()
    assert "tavla.json is missing" in refused(tavla)


def test_a_net_that_is_not_there_is_refused(tavla: Path) -> None:
    tavla.unlink()
    assert "cannot be read" in refused(tavla)


def test_a_net_whose_classes_are_not_those_of_its_manifest_is_refused(tavla: Path) -> None:
    classes = Classes.of(sb.variant("backgammon"))
    change(tavla, classes=[list(each) for each in classes.wins])
    assert "classes" in refused(tavla)


def test_an_engine_needs_the_file_of_its_net_no_more(tavla: Path) -> None:
    engine = sb.engine("tavla", net=tavla)
    tavla.unlink()
    assert engine.rollout(engine.variant.start(), trials=36).trials == 36
