"""Fair dice: three committed hash chains, so that nobody can know or choose a roll.

Everything here is a pure value: no sockets, no clocks, no randomness of its own. What every byte
means is written in docs/guide/fair-dice.md; `verify` is an independent reading of that page and
shares no code with what makes the dice.
"""

from sheshbesh.fairdice.chain import LENGTH, LINK_BYTES, RESERVE, Chain, Entropy
from sheshbesh.fairdice.envelope import Envelope, make_password, open_envelope, seal
from sheshbesh.fairdice.refusals import DICE_RULES
from sheshbesh.fairdice.replay import replay
from sheshbesh.fairdice.sources import ChainDice, Thrown
from sheshbesh.fairdice.table import Change, DiceTable, Mode, Party
from sheshbesh.fairdice.throw import dice_from_links, dice_from_seed
from sheshbesh.fairdice.transcript import Event, dump_transcript
from sheshbesh.fairdice.verdict import Problem, ThrowReport, Verdict
from sheshbesh.fairdice.verify import verify_transcript

__all__ = [
    "DICE_RULES",
    "LENGTH",
    "LINK_BYTES",
    "RESERVE",
    "Chain",
    "ChainDice",
    "Change",
    "DiceTable",
    "Entropy",
    "Envelope",
    "Event",
    "Mode",
    "Party",
    "Problem",
    "ThrowReport",
    "Thrown",
    "Verdict",
    "dice_from_links",
    "dice_from_seed",
    "dump_transcript",
    "make_password",
    "open_envelope",
    "replay",
    "seal",
    "verify_transcript",
]
