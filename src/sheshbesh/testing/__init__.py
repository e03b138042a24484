"""The contract kit: proves that a game keeps the promises every part of the project relies on.

    >>> import sheshbesh as sb
    >>> from sheshbesh.testing import check_variant
    >>> check_variant(sb.variant("tavla"), games=2).games
    2

For games of your own, in your own tests. Knows only the public API of the rules.
"""

from sheshbesh.testing.contract import Report, check_variant
from sheshbesh.testing.laws import ContractError
from sheshbesh.testing.positions import colours_swapped, random_position

__all__ = [
    "ContractError",
    "Report",
    "check_variant",
    "colours_swapped",
    "random_position",
]
