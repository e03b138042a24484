"""A match in progress as a pure state machine: turns, offers, clocks, undo, fair dice, record.

It does no I/O and uses no engine; time and randomness are passed in.
"""

from sheshbesh.session import actions
from sheshbesh.session.actions import (
    AbandonAction,
    AcceptAction,
    Action,
    AnchorAction,
    BeaverAction,
    BreakAction,
    CallAction,
    ChooseAction,
    ClaimAction,
    ConfirmAction,
    CreditAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Event,
    ForfeitAction,
    LinkAction,
    PlayAction,
    ProposeAction,
    ReadyAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    RetryAction,
    RollAction,
    StepAction,
    SwapAction,
    TakeAction,
    TouchAction,
    UndoAction,
    WithholdAction,
    parse_action,
)
from sheshbesh.session.apply import apply
from sheshbesh.session.chouette.actions import (
    AdviseAction,
    AgreeAction,
    AnswerAction,
    DeclineAction,
    DoubleOneAction,
    HandOverAction,
    JoinAction,
    LeaveAction,
    SettleAction,
    StopAction,
)
from sheshbesh.session.chouette.apply import apply_chouette
from sheshbesh.session.chouette.record import ChouetteHeader, ChouetteRecord
from sheshbesh.session.chouette.seats import Seats
from sheshbesh.session.chouette.state import Chouette, Consultation, Member, Terms, alone, proposed
from sheshbesh.session.clock import Clock, LagQuota
from sheshbesh.session.dice_keeper import DiceKeeper
from sheshbesh.session.phases import SERVER, Phase
from sheshbesh.session.record import Record, RecordFile, replay
from sheshbesh.session.record_header import Header
from sheshbesh.session.refusals import SESSION_RULES
from sheshbesh.session.state import EventTerms, Session
from sheshbesh.session.table_state import Outcome, TableState
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
    "BeaverAction",
    "BreakAction",
    "CallAction",
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
    "EventTerms",
    "ForfeitAction",
    "HandOverAction",
    "Header",
    "JoinAction",
    "LagQuota",
    "LeaveAction",
    "LinkAction",
    "Member",
    "Outcome",
    "Phase",
    "PlayAction",
    "ProposeAction",
    "ReadyAction",
    "Record",
    "RecordFile",
    "RefuseAction",
    "ResignAction",
    "ResumeAction",
    "RetryAction",
    "RollAction",
    "Seats",
    "Session",
    "SettleAction",
    "StepAction",
    "StopAction",
    "SwapAction",
    "TableState",
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
    "parse_action",
    "proposed",
    "replay",
]
