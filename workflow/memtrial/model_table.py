"""What litellm's bundled table says of a model: its context window and its prices. Nothing is fetched.

The table holds some thousands of models as its maintainers last knew them. A model that it lacks is unknown, and so is
a price that it gives as zero: for paid providers that stands for "not entered".
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple


class ModelFacts(NamedTuple):
    """A model's context window in tokens and its prices in US dollars a token; null where unknown."""

    context_tokens: int | None
    input_price: float | None
    output_price: float | None


UNKNOWN = ModelFacts(None, None, None)


def bundled() -> Mapping[str, Mapping[str, Any]]:
    """The table in the installed litellm: model name to its entry."""
    # Read when litellm is imported: without it the import asks the network for a newer table.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    table: Mapping[str, Mapping[str, Any]] = litellm.model_cost
    return table


def facts(model: str, table: Mapping[str, Mapping[str, Any]]) -> ModelFacts:
    """What the table says of a litellm model id (`provider/name`).

    An entry counts under the full id, or under the bare name if it is that provider's; another provider's entry of the
    same name may have another window and another price.
    """
    provider, _, name = model.partition("/")
    entry = table.get(model)
    if entry is None and name and (bare := table.get(name)) and bare.get("litellm_provider") == provider:
        entry = bare
    if entry is None:
        return UNKNOWN
    window, paid_in, paid_out = (
        entry.get(k) or None for k in ("max_input_tokens", "input_cost_per_token", "output_cost_per_token")
    )
    return ModelFacts(window, paid_in, paid_out)


def dollars(model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """List price of these tokens by the bundled table; None where it has no price for the model."""
    known = facts(model, bundled())
    if known.input_price is None or known.output_price is None:
        return None
    return prompt_tokens * known.input_price + completion_tokens * known.output_price
