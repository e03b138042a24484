"""Judging whole matches: every decision against the engine, statistics, reports."""

from sheshbesh.reviews.job import Job, Portions, Progress, judged_so_far, partial, review, start_review
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.report import Report, read_review, report_from_data

__all__ = [
    "Job",
    "Judged",
    "Portions",
    "Progress",
    "Report",
    "judged_so_far",
    "partial",
    "read_review",
    "report_from_data",
    "review",
    "start_review",
]
