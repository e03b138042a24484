"""A match in progress as a pure state machine: turns, offers, clocks, undo, fair dice, record.

Knows no sockets, no printing, no engine; time and randomness are passed in.
"""

from sheshbesh.session import actions
from sheshbesh.session.actions import Action, parse_action
from sheshbesh.session.advice import Advise
from sheshbesh.session.apply import Applied, apply, follow
from sheshbesh.session.chouette import Chouette, Consultation, Member
from sheshbesh.session.chouette_apply import AnswerCube, DoubleOne, Join, Leave, apply_chouette
from sheshbesh.session.chouette_record import ChouetteHeader, ChouetteRecord
from sheshbesh.session.clock import Clock
from sheshbesh.session.consultation import (
    ConsultationHeader,
    ConsultationMatch,
    ConsultationRecord,
    apply_consultation,
)
from sheshbesh.session.events import Event
from sheshbesh.session.header import Header
from sheshbesh.session.keeper import DiceKeeper
from sheshbesh.session.lag import LagQuota
from sheshbesh.session.record import Record, replay
from sheshbesh.session.record_file import RecordFile
from sheshbesh.session.rules import SESSION_RULES
from sheshbesh.session.seats import Seats
from sheshbesh.session.state import SERVER, Phase, Session
from sheshbesh.session.turn import Turn

__all__ = [
    "SERVER",
    "SESSION_RULES",
    "Action",
    "Advise",
    "AnswerCube",
    "Applied",
    "Chouette",
    "ChouetteHeader",
    "ChouetteRecord",
    "Clock",
    "Consultation",
    "ConsultationHeader",
    "ConsultationMatch",
    "ConsultationRecord",
    "DiceKeeper",
    "DoubleOne",
    "Event",
    "Header",
    "Join",
    "LagQuota",
    "Leave",
    "Member",
    "Phase",
    "Record",
    "RecordFile",
    "Seats",
    "Session",
    "Turn",
    "actions",
    "apply",
    "apply_chouette",
    "apply_consultation",
    "follow",
    "parse_action",
    "replay",
]
