"""A match in progress as a pure state machine: turns, offers, clocks, undo, fair dice, record.

Knows no sockets, no printing, no engine; time and randomness are passed in.
"""

import warnings
from typing import TYPE_CHECKING, Any

from sheshbesh.session import actions
from sheshbesh.session.actions import (
    AbandonAction,
    AcceptAction,
    Action,
    AnchorAction,
    BeaverAction,
    BreakAction,
    ChooseAction,
    ClaimAction,
    ConfirmAction,
    CreditAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Event,
    LinkAction,
    PlayAction,
    ProposeAction,
    ReadyAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    RollAction,
    StepAction,
    SwapAction,
    TakeAction,
    TouchAction,
    UndoAction,
    WithholdAction,
    parse_action,
)
from sheshbesh.session.apply import Applied, apply, follow
from sheshbesh.session.chouette import (
    AdviseAction,
    AnswerAction,
    Chouette,
    ChouetteHeader,
    ChouetteRecord,
    Consultation,
    ConsultationHeader,
    ConsultationMatch,
    ConsultationRecord,
    DoubleOneAction,
    JoinAction,
    LeaveAction,
    Member,
    Seats,
    apply_chouette,
    apply_consultation,
)
from sheshbesh.session.clock import Clock, LagQuota
from sheshbesh.session.dice_keeper import DiceKeeper
from sheshbesh.session.phases import SERVER, Phase
from sheshbesh.session.record import Record, RecordFile, replay
from sheshbesh.session.record_header import Header
from sheshbesh.session.refusals import SESSION_RULES
from sheshbesh.session.state import Session
from sheshbesh.session.turn import Turn

__all__ = [
    "SERVER",
    "SESSION_RULES",
    "AbandonAction",
    "AcceptAction",
    "Action",
    "AdviseAction",
    "AnchorAction",
    "AnswerAction",
    "Applied",
    "BeaverAction",
    "BreakAction",
    "ChooseAction",
    "Chouette",
    "ChouetteHeader",
    "ChouetteRecord",
    "ClaimAction",
    "Clock",
    "ConfirmAction",
    "Consultation",
    "ConsultationHeader",
    "ConsultationMatch",
    "ConsultationRecord",
    "CreditAction",
    "DiceAction",
    "DiceKeeper",
    "DoubleAction",
    "DoubleOneAction",
    "DropAction",
    "Event",
    "Header",
    "JoinAction",
    "LagQuota",
    "LeaveAction",
    "LinkAction",
    "Member",
    "Phase",
    "PlayAction",
    "ProposeAction",
    "ReadyAction",
    "Record",
    "RecordFile",
    "RefuseAction",
    "ResignAction",
    "ResumeAction",
    "RollAction",
    "Seats",
    "Session",
    "StepAction",
    "SwapAction",
    "TakeAction",
    "TouchAction",
    "Turn",
    "UndoAction",
    "WithholdAction",
    "actions",
    "apply",
    "apply_chouette",
    "apply_consultation",
    "follow",
    "parse_action",
    "replay",
]

_FORMER = {
    "Advise": AdviseAction,
    "AnswerCube": AnswerAction,
    "DoubleOne": DoubleOneAction,
    "Join": JoinAction,
    "Leave": LeaveAction,
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A class under its former name, for one release."""
        if name not in _FORMER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        current = _FORMER[name]
        warnings.warn(f"{name} is now {current.__name__}", DeprecationWarning, stacklevel=2)
        return current
