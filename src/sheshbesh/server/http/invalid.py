"""What is wrong with the form of a request, said as a refusal: which field, and what it should be."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sheshbesh.rules import Refusal
from sheshbesh.server.refusals import refuse

_RULES: Mapping[str, str] = MappingProxyType(
    {
        "missing": "field.missing",
        "extra_forbidden": "field.unknown",
        "string_type": "field.text",
        "string_too_long": "field.long",
        "string_too_short": "field.short",
        "bool_type": "field.flag",
        "int_type": "field.number",
        "int_parsing": "field.number",
        "int_parsing_size": "field.number",
        "less_than_equal": "field.most",
        "greater_than_equal": "field.least",
        "list_type": "field.list",
        "dict_type": "field.object",
        "model_attributes_type": "field.object",
        "too_deep": "field.deep",
    }
)
"""The kinds of errors that pydantic finds in what the site takes; others are `field.other`."""

_BOUNDS = {"max_length": "most", "le": "most", "min_length": "least", "ge": "least"}


def refusal_of(error: Mapping[str, Any]) -> tuple[Refusal, str | None]:
    """An error of a `RequestValidationError` as a refusal, and the field at fault: `opponent.level`."""
    kind, (_, *place) = error["type"], error["loc"]
    if kind == "json_invalid":
        return refuse("body.json", place=place[0] + 1), None
    if kind == "too_deep" and not place:
        return refuse("body.deep", most=error["ctx"]["le"]), None
    if not place:
        return refuse("body.missing" if kind == "missing" else "body.object"), None
    field = ".".join(str(part) for part in place)
    given = error.get("ctx", {})
    bounds = {name: given[bound] for bound, name in _BOUNDS.items() if bound in given}
    return refuse(_RULES.get(kind, "field.other"), field=field, **bounds), field
