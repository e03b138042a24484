"""Several people at one board: the chouette, and the consultation match with a team on each side."""

from sheshbesh.session.chouette.actions import (
    AdviseAction,
    AnswerAction,
    DoubleOneAction,
    JoinAction,
    LeaveAction,
)
from sheshbesh.session.chouette.apply import apply_chouette
from sheshbesh.session.chouette.consultation import (
    ConsultationHeader,
    ConsultationMatch,
    ConsultationRecord,
    apply_consultation,
)
from sheshbesh.session.chouette.record import ChouetteHeader, ChouetteRecord
from sheshbesh.session.chouette.seats import Seats
from sheshbesh.session.chouette.state import Chouette, Consultation, Member

__all__ = [
    "AdviseAction",
    "AnswerAction",
    "Chouette",
    "ChouetteHeader",
    "ChouetteRecord",
    "Consultation",
    "ConsultationHeader",
    "ConsultationMatch",
    "ConsultationRecord",
    "DoubleOneAction",
    "JoinAction",
    "LeaveAction",
    "Member",
    "Seats",
    "apply_chouette",
    "apply_consultation",
]
