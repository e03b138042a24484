"""Decisions in words: what was done, and what would have been better."""

from __future__ import annotations

from sheshbesh.i18n import PluralText, translate
from sheshbesh.records import Decision


def action(text: str, lang: str) -> str:
    """A play in notation, or a cube action in words."""
    words = {
        "no_double": translate("no double", lang),
        "double": translate("double", lang),
        "take": translate("take", lang),
        "drop": translate("drop", lang),
        "beaver": translate("beaver", lang),
    }
    return words.get(text, text)


def depth_text(depth: str, lang: str) -> str:
    """The depth of the look, in words."""
    if depth.endswith("ply"):
        return translate(PluralText("{n} ply", "{n} plies", int(depth.removesuffix("ply"))), lang)
    return translate("rollouts", lang) if depth == "rollout" else depth


def sentence(decision: Decision, best: str, loss: float, because: str, lang: str) -> str:
    """Return what would have been better and why, as one sentence.

    `best` is a play in notation or a cube action, `loss` what was lost (EMG), `because` the reason for the
    best play, "" for nothing.
    """
    cube = decision.cube
    if cube is None:
        if because:
            return translate("{best} was better: it {why}.", lang, best=best, why=because)
        return translate("{best} was better by {loss:.3f}.", lang, best=best, loss=loss)
    if decision.kind in ("take", "drop"):
        return translate(
            "Right was: {best}. The other side has {take:+.3f} after a take, {drop:+.3f} after a drop.",
            lang,
            best=action(best, lang),
            take=cube.double_take,
            drop=cube.double_drop,
        )
    return translate(
        "Right was: {best}. The equity is {double:+.3f} with a double, {waits:+.3f} without.",
        lang,
        best=action(best, lang),
        double=cube.best_double,
        waits=cube.no_double,
    )
