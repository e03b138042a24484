"""Courses for every game: positions in which one plays or answers, judged by the rules, with their sources.

Knows no terminal and no page: `sheshbesh learn` and the site's `/learn` show the same lessons.
"""

from sheshbesh.learn.course import Course, CourseError, Progress, course, courses, first_course
from sheshbesh.learn.lesson import Judgement, Lesson, Option

__all__ = [
    "Course",
    "CourseError",
    "Judgement",
    "Lesson",
    "Option",
    "Progress",
    "course",
    "courses",
    "first_course",
]
