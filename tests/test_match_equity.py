"""Match equity tables: published facts, files of one's own, and what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.cube import equity_table, equity_table_of, equity_tables, extended, read_equity_table

TABLE = equity_table("kazaross_xg2")

SMALL = """
name = "three"
source = "made up"
pre_crawford = [[0.5, 0.7, 0.75], [0.5, 0.6], [0.5]]
post_crawford = [0.5, 0.49, 0.32]
"""

XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<!-- a comment -->
<met><info><name>two</name><description>made up</description><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row>
</pre-crawford-table>
<post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.49</me></row></post-crawford-table>
</met>
"""


@pytest.mark.parametrize(
    ("away", "opponent_away", "crawford", "chance"),
    [
        (1, 1, True, 0.5),
        (1, 2, True, 0.67736),
        (2, 1, True, 0.32264),
        (2, 1, False, 0.48803),
        (3, 1, False, 0.32264),
        (1, 4, False, 0.68998),
        (2, 3, True, 0.59947),
        (9, 5, True, 0.27460),
        (25, 24, True, 0.46914),
        (0, 3, True, 1.0),
        (3, -1, True, 0.0),
    ],
)
def test_the_table_holds_the_published_numbers(
    away: int, opponent_away: int, *, crawford: bool, chance: float
) -> None:
    assert TABLE.chance(away, opponent_away, crawford=crawford) == pytest.approx(chance, abs=1e-9)


def test_the_chances_of_both_sides_add_up_to_one() -> None:
    sizes = range(1, TABLE.length + 1)
    assert TABLE.length == 25
    for crawford in (True, False):
        for a in sizes:
            for b in sizes:
                both = TABLE.chance(a, b, crawford=crawford) + TABLE.chance(b, a, crawford=crawford)
                assert both == pytest.approx(1, abs=1e-8), (a, b)


def test_the_shipped_table_belongs_to_backgammon_and_no_other_game() -> None:
    assert equity_tables() == ("kazaross_xg2",)
    assert equity_table_of(sb.variant("backgammon")) is equity_table("Kazaross-XG2")
    assert [name for name in sb.variants() if equity_table_of(sb.variant(name))] == ["backgammon"]


def test_after_a_game_the_crawford_game_comes_once() -> None:
    before = sb.MatchState(length=3, white=1, black=0)
    assert TABLE.after(before, "white", 1) == TABLE.chance(1, 3)
    crawford = sb.MatchState(length=3, white=2, black=0, crawford=True)
    assert TABLE.after(crawford, "white", -1) == TABLE.chance(1, 2, crawford=False)
    assert TABLE.after(crawford, "white", 0) == TABLE.chance(1, 3)
    later = sb.MatchState(length=3, white=2, black=1)
    assert TABLE.after(later, "black", 1) == 0.5
    assert TABLE.after(later, "black", 4) == 1.0
    with pytest.raises(sb.MatchError, match="money"):
        TABLE.after(sb.MatchState(), "white", 1)


def test_in_a_match_without_crawford_the_cube_is_there_at_once() -> None:
    ahead = sb.MatchState(length=5, white=3, black=1, crawford_rule=False)
    assert TABLE.after(ahead, "white", 1) == TABLE.chance(1, 4, crawford=False) == pytest.approx(0.68998)
    assert TABLE.after(ahead, "black", 3) == TABLE.chance(1, 2, crawford=False)
    near = sb.MatchState(length=5, white=4, black=1, crawford_rule=False)
    assert TABLE.after(near, "white", 0) == TABLE.chance(1, 4, crawford=False)
    assert TABLE.after(near, "white", -1) == TABLE.chance(1, 3, crawford=False)


def test_a_table_of_ones_own_is_read_from_toml_and_from_gnubgs_xml(tmp_path: Path) -> None:
    toml, xml = tmp_path / "own.toml", tmp_path / "own.xml"
    toml.write_text(SMALL, encoding="utf-8")
    xml.write_text(XML, encoding="utf-8")
    assert read_equity_table(toml).chance(3, 2) == 0.4
    assert equity_table(str(xml)).chance(2, 1, crawford=False) == 0.49
    assert equity_table(xml).name == "two"
    xml.write_text(XML.replace("</info>", "</info></met>"), encoding="utf-8")
    assert equity_table(xml).chance(1, 2) == 0.7


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[0.5, 0.6]", "[0.5]", "row 2 has 1 numbers, expected 3"),
        ("0.7,", "1.7,", "1.7 is no chance"),
        ("0.7,", "0.9,", "falls"),
        ("0.49", "'x'", "holds numbers, not 'x'"),
        ("0.49, ", "", "post_crawford has 2 numbers, expected 3"),
        ("source", "sorce", "unknown key 'sorce'"),
        ('name = "three"', "name = ", "no TOML"),
        ('name = "three"', "length = 4", "length is 4, but there are 3 rows"),
    ],
)
def test_a_broken_table_is_refused_with_the_reason(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    file = tmp_path / "own.toml"
    file.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(sb.MatchError, match=complaint) as caught:
        read_equity_table(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('type="explicit">', 'type="zadeh">', "only .explicit. can be read"),
        ("<me>0.7</me>", "<me>many</me>", "<me> holds a number"),
        ("<row>", "<row", "no XML"),
        ("post-crawford-table", "other", "expected <pre-crawford-table>"),
    ],
)
def test_a_broken_xml_table_is_refused_with_the_reason(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    file = tmp_path / "own.xml"
    file.write_text(XML.replace(old, new), encoding="utf-8")
    with pytest.raises(sb.MatchError, match=complaint):
        read_equity_table(file)


def test_unknown_tables_and_scores_are_refused() -> None:
    with pytest.raises(sb.MatchError, match="kazaross_xg2"):
        equity_table("woolsey")
    with pytest.raises(sb.MatchError, match="cannot read"):
        equity_table("nowhere.toml")
    with pytest.raises(sb.MatchError, match="to 25 points, not 26-away"):
        TABLE.chance(26, 3)
    with pytest.raises(sb.MatchError, match="both sides have won"):
        TABLE.chance(0, 0)


def test_a_table_is_extended_without_a_seam() -> None:
    longer = extended(TABLE, 31)
    assert extended(TABLE, 25) is TABLE
    assert longer.chance(7, 11) == TABLE.chance(7, 11)
    assert longer.chance(31, 31) == pytest.approx(0.5)
    for away in range(20, 31):
        ahead, before = longer.chance(away, away + 1), longer.chance(away - 1, away)
        assert 0.5 < ahead < before + 1e-4
    with pytest.raises(sb.MatchError, match="128"):
        extended(TABLE, 129)
