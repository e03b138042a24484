"""Bodies of requests, and the types of their fields."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from sheshbesh.server.storage.json_column import DEEPEST, is_deeper


def _shallow(value: Any) -> Any:
    if is_deeper(value):
        raise PydanticCustomError("too_deep", "nested too deep", {"le": DEEPEST})
    return value


Shallow = AfterValidator(_shallow)
"""Refuses what is nested deeper than anything that is kept."""

Words = Annotated[str, StringConstraints(max_length=400)]
Label = Annotated[str, StringConstraints(max_length=60)]
"""The name of a token or a passkey in its owner's list."""

GivenCard = Annotated[Any, Shallow, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]})]
"""A card's code, or its fields: `creation.read_card` says what is wrong with one."""


class Body(BaseModel):
    """A body of JSON; a field that is not known is a mistake, and nothing is taken for what it is not."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Credential(Body):
    """The answer of the browser's `navigator.credentials`, as JSON, to the options of `state`."""

    state: Words
    credential: Annotated[dict[str, Any], Shallow]


class Proof(Body):
    """Proof of one's account: a name and a password, or a passkey."""

    name: Words = ""
    password: Words = ""
    passkey: Credential | None = None
