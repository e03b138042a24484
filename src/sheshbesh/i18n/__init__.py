"""Every text a player reads, in the player's language.

The texts of the program are English sentences, and the sentence is its own key: nothing is named
twice. A sentence with values in it is a `Text`: a str for all who want English, and everybody else
can have it translated. One .po file under `catalogues/` makes a language; it is read
when it is first asked for, and nothing is compiled to disk.

    translate("the dice do not show these numbers", "fa")
    translate(refusal.text, "tr")
    ntranslate("{n} point", "{n} points", 3, "ru")
    dice_call((6, 5), "fa")                             شش و بش

A text that a language does not have stays English. This package is the lowest layer: it knows
nobody.
"""

from sheshbesh.i18n.catalogue import (
    Language,
    catalogue,
    choose,
    dice_call,
    language,
    languages,
    system_language,
)
from sheshbesh.i18n.text import (
    DiceText,
    FigureText,
    JoinedText,
    PluralText,
    Text,
    digits,
    isolate,
    listed,
    ntranslate,
    translate,
)

__all__ = [
    "DiceText",
    "FigureText",
    "JoinedText",
    "Language",
    "PluralText",
    "Text",
    "catalogue",
    "choose",
    "dice_call",
    "digits",
    "isolate",
    "language",
    "languages",
    "listed",
    "ntranslate",
    "system_language",
    "translate",
]
