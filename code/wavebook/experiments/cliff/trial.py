"""One trial: a setting and its learning rate."""

from __future__ import annotations

from dataclasses import dataclass

from wavebook.experiments.setting import Setting


@dataclass(frozen=True)
class Trial:
    """What is trained with ten seeds at once."""

    setting: Setting
    rate: float

    @property
    def name(self) -> str:
        """The setting and the rate, in one line."""
        return f"{self.setting.name}, rate={self.rate}"
