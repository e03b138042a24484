"""The optimiser: the step of the weights of a net along their gradients."""

from __future__ import annotations

from typing import Any

import torch

from sheshbesh.training.model import Model

_CAPTURABLE = torch.cuda.is_available()
_OTHERS = 1 / 8
"""The rate of biases and of the output, in rates of the hidden layers' weights, which bear far more."""


class Optimiser:
    """Muon for the weights of the hidden layers, AdamW for their biases and for the output.

    Muon (Jordan and others, 2024) takes of a gradient all directions with the same strength, so that what
    only few positions tell is learned as fast as what all do. Its steps are scaled to be about as large as
    AdamW's at the same rate.
    """

    def __init__(self, model: Model) -> None:
        # Large weights cost others their precision when they are rounded, in the first layer above all:
        # what is possible must fit into sixteen bits, however rare it is.
        self._hidden = torch.optim.Muon(
            [layer.weight for layer in model.linear[:-1]], weight_decay=0.1, adjust_lr_fn="match_rms_adamw"
        )
        output = model.linear[-1].weight
        biases = [layer.bias for layer in model.linear]
        # A step that a GPU repeats by itself counts the steps there.
        self._others = torch.optim.AdamW(
            [output, *biases], weight_decay=1e-4, fused=True, capturable=_CAPTURABLE
        )

    def step(self, loss: torch.Tensor, rate: float) -> None:
        """Follow the gradient of a loss; what does not ask for one stays as it is."""
        for optimiser, factor in ((self._hidden, 1.0), (self._others, _OTHERS)):
            optimiser.zero_grad(set_to_none=True)
            for group in optimiser.param_groups:
                group["lr"] = rate * factor
        loss.backward()
        self._hidden.step()
        self._others.step()

    def to(self, device: torch.device) -> None:
        """Bring what it has gathered to where the weights are now."""
        for optimiser in (self._hidden, self._others):
            for gathered in optimiser.state.values():
                for name, value in gathered.items():
                    if isinstance(value, torch.Tensor):
                        gathered[name] = value.to(device)

    def state(self) -> dict[str, Any]:
        """All that it has gathered, for a checkpoint."""
        return {"hidden": self._hidden.state_dict(), "others": self._others.state_dict()}

    def load(self, state: dict[str, Any]) -> None:
        """Take up what `state` returned.

        A run begun before there was Muon kept another state. It goes on with none: what a step remembers of
        those before it is gathered again in a few dozen.
        """
        if set(state) == {"hidden", "others"}:
            self._hidden.load_state_dict(state["hidden"])
            self._others.load_state_dict(state["others"])
            for group in self._others.param_groups:  # of another machine
                group["capturable"] = _CAPTURABLE
