"""Several people at one board: the chouette."""

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

__all__ = [
    "AdviseAction",
    "AgreeAction",
    "AnswerAction",
    "Chouette",
    "ChouetteHeader",
    "ChouetteRecord",
    "Consultation",
    "DeclineAction",
    "DoubleOneAction",
    "HandOverAction",
    "JoinAction",
    "LeaveAction",
    "Member",
    "Seats",
    "SettleAction",
    "StopAction",
    "Terms",
    "alone",
    "apply_chouette",
    "proposed",
]
