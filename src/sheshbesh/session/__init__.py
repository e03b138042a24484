"""A match in progress as a pure state machine: turns, offers, clocks, undo, fair dice, record.

Knows no sockets, no printing, no engine; time and randomness are passed in.
"""

from sheshbesh.session import actions
from sheshbesh.session.actions import Action, parse_action
from sheshbesh.session.apply import Applied, apply, follow
from sheshbesh.session.chouette.advice import Advise
from sheshbesh.session.chouette.apply import AnswerCube, DoubleOne, Join, Leave, apply_chouette
from sheshbesh.session.chouette.consultation import (
    ConsultationHeader,
    ConsultationMatch,
    ConsultationRecord,
    apply_consultation,
)
from sheshbesh.session.chouette.record import ChouetteHeader, ChouetteRecord
from sheshbesh.session.chouette.seats import Seats
from sheshbesh.session.chouette.state import Chouette, Consultation, Member
from sheshbesh.session.clock import Clock
from sheshbesh.session.dice_keeper import DiceKeeper
from sheshbesh.session.events import Event
from sheshbesh.session.lag import LagQuota
from sheshbesh.session.record import Record, replay
from sheshbesh.session.record_file import RecordFile
from sheshbesh.session.record_header import Header
from sheshbesh.session.refusals import SESSION_RULES
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
