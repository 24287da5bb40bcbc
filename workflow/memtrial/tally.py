"""What a run of calls has come to so far, in one line for progress bars and logs. It shows numbers alone."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from memtrial.model_table import ModelFacts

_COUNTED = {"error": "failed", "refused": "refused", "truncated": "truncated"}


class Tally:
    """Counts of outcomes, tokens and price; replayed outcomes cost nothing and have no rate."""

    def __init__(self, total: int, prices: ModelFacts) -> None:
        """`total` outcomes are expected; `prices` of the model that is asked."""
        self.total, self.prices = total, prices
        self.statuses: Counter[str] = Counter()
        self.done = self.asked = 0
        self.prompt_tokens = self.completion_tokens = 0

    def add(self, status: str, usage: dict[str, int], *, asked: bool) -> None:
        """Count an outcome; `asked`: a call was made for it now."""
        self.done += 1
        self.statuses[status] += 1
        if asked:
            self.asked += 1
            self.prompt_tokens += usage.get("prompt_tokens", 0)
            self.completion_tokens += usage.get("completion_tokens", 0)

    def note(self, elapsed_s: float) -> str:
        """Failures, tokens and price of the calls made in `elapsed_s` seconds, their rate, and the estimated rest.

        Prices are list prices: discounts for cached prompts are not known here.
        """
        parts = [f"{n:,} {_COUNTED[s]}" for s in _COUNTED if (n := self.statuses[s])]
        if self.asked:
            parts += [f"{self.prompt_tokens + self.completion_tokens:,} tokens", self._price()]
            if elapsed_s > 0:
                parts.append(f"{self.asked / elapsed_s:.1f} calls/s")
            if rest := self.total - self.done:
                parts.append(f"about {timedelta(seconds=round(elapsed_s / self.asked * rest))} left")
        return ", ".join(parts)

    def _price(self) -> str:
        paid_in, paid_out = self.prices.input_price, self.prices.output_price
        if paid_in is None or paid_out is None:
            return "price unknown"
        return f"${self.prompt_tokens * paid_in + self.completion_tokens * paid_out:,.2f}"
