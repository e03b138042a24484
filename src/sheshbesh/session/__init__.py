"""A match in progress as a pure state machine: turns, offers, clocks, undo, fair dice, record.

It does no I/O and uses no engine; time and randomness are passed in.
"""

from typing import TYPE_CHECKING, Any

from sheshbesh.rules.renamed import class_once_named
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
    AgreeAction,
    AnswerAction,
    Chouette,
    ChouetteHeader,
    ChouetteRecord,
    Consultation,
    DeclineAction,
    DoubleOneAction,
    HandOverAction,
    JoinAction,
    LeaveAction,
    Member,
    Seats,
    SettleAction,
    StopAction,
    Terms,
    alone,
    apply_chouette,
    proposed,
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
    "AgreeAction",
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
    "CreditAction",
    "DeclineAction",
    "DiceAction",
    "DiceKeeper",
    "DoubleAction",
    "DoubleOneAction",
    "DropAction",
    "Event",
    "HandOverAction",
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
    "SettleAction",
    "StepAction",
    "StopAction",
    "SwapAction",
    "TakeAction",
    "Terms",
    "TouchAction",
    "Turn",
    "UndoAction",
    "WithholdAction",
    "actions",
    "alone",
    "apply",
    "apply_chouette",
    "follow",
    "parse_action",
    "proposed",
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
        return class_once_named(name, _FORMER, __name__)
