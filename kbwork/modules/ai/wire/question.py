"""What a model is asked, in neither format."""

from kbwork.base.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """Messages are (`user` or `assistant`, text)."""

    model: str
    max_tokens: int
    system: str
    messages: tuple[tuple[str, str], ...]

    @property
    def chars(self) -> int:
        """How long it is."""
        return len(self.system) + sum(len(content) for _, content in self.messages)
