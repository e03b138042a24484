"""A director's list of names, read whole or not at all."""

from __future__ import annotations

import pytest

from sheshbesh.errors import EntrantsError
from sheshbesh.tournaments import read_names


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ("Ayşe\nبابک\n", ["Ayşe", "بابک"]),
        ("\ufeffName;Rating;Club\r\nAyşe;1620;Moda\r\n\r\nCem;;\r\n", ["Ayşe", "Cem"]),
        ('"Öz, Cem",1500\n\'=Darya\n', ["Öz, Cem", "=Darya"]),
        ("", []),
    ],
)
def test_a_list_of_names(data: str, names: list[str]) -> None:
    found = read_names(data.encode())
    assert [each.name for each in found] == names
    assert all(each.rating in (None, 1500, 1620) for each in found)


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        (b"Ay\xfee\n", ["the file is not text in UTF-8"]),
        (b"x" * (256 * 1024 + 1), ["the file has more than 256 KiB"]),
        (b"n\n" * 2001, ["the file has more than 2000 lines"]),
        (b'"open\n', ["the file is no table with commas or semicolons"]),
        (
            "Cem\ncem \nAyşe,strong\nBabak,1500,Moda,left\n,1500\nevil\u202e\nNora\n".encode(),
            [
                "line 2: cem is entered twice",
                "line 3: a rating is a number from 1 to 9999",
                "line 4: it has more than name, rating and club",
                "line 5: a name has 1 to 100 characters",
                "line 6: it contains the character U+202E",
                "line 7: Nora is entered twice",
            ],
        ),
    ],
)
def test_a_list_with_faults_is_not_read_at_all(data: bytes, problems: list[str]) -> None:
    with pytest.raises(EntrantsError) as error:
        read_names(data, entered=["NORA"])
    assert [str(each) for each in error.value.problems] == problems
