"""What requests about accounts carry."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

Text = Annotated[str, StringConstraints(max_length=400)]
Label = Annotated[str, StringConstraints(max_length=60)]
"""What somebody calls a token or a passkey, for himself."""


class Body(BaseModel):
    """A body of JSON; a field that is not known is a mistake."""

    model_config = ConfigDict(extra="forbid")


class Credential(Body):
    """What the browser's `navigator.credentials` answered, as JSON, to the options of `state`."""

    state: Text
    credential: dict[str, Any]


class Proof(Body):
    """Who one is: a name and a password, or a passkey."""

    name: Text = ""
    password: Text = ""
    passkey: Credential | None = None
