"""Events of Gemini's Interactions API: steps, told by their start and their deltas."""

from __future__ import annotations

from collections.abc import Iterator

from contextkit.streams.assembly import Assembly, Dict, Event, as_object, mapping

_KINDS = ("interaction.", "step.")
_LAST = ("completed", "requires_action", "incomplete")


class InteractionAssembly(Assembly):
    """The steps of one interaction."""

    api = "gemini-interactions"

    def __init__(self) -> None:
        super().__init__()
        self._steps: dict[int, _Step] = {}

    @staticmethod
    def fits(event: Event) -> bool:
        return str(event.get("event_type")).startswith(_KINDS)

    def add(self, event: Event) -> None:
        kind, index = event.get("event_type"), event.get("index") or 0
        if kind == "step.start":
            self._steps[index] = _Step(dict(mapping(event.get("step"))))
        elif kind == "step.delta":
            self._steps.setdefault(index, _Step({})).add(mapping(event.get("delta")))
        interaction = mapping(event.get("interaction"))
        usage = interaction.get("usage")
        self.usage = dict(usage) if usage else self.usage
        status = interaction.get("status", event.get("status"))
        if status in _LAST:
            self.finish_reason, self.ended = status, True

    @property
    def messages(self) -> list[Dict]:
        return [{"steps": [step.written() for _, step in sorted(self._steps.items())]}]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for step in self._steps.values():
            if step.start.get("type") == "function_call":
                yield step.start.get("id") or step.start.get("name") or "", step.arguments()


class _Step:
    """A step: as it started, its texts, and what else was told."""

    def __init__(self, start: Dict) -> None:
        self.start = start
        self._facts: Dict = {}
        self._arguments: list[str] = []
        self._parts: list[tuple[Dict, list[str]]] = []

    def add(self, delta: Event) -> None:
        told = {key: value for key, value in delta.items() if key != "type"}
        if isinstance(told.get("text"), str):
            self._add_text(told.pop("text"), {"type": delta.get("type"), **told})
        elif "annotations" in told and self._parts:
            self._parts[-1][0].setdefault("annotations", []).extend(told["annotations"])
        elif isinstance(told.get("arguments"), str):
            self._arguments.append(told["arguments"])
        else:
            self._facts |= told

    def _add_text(self, text: str, facts: Dict) -> None:
        if not self._parts or self._parts[-1][0] != facts:
            self._parts.append((facts, []))
        self._parts[-1][1].append(text)

    def arguments(self) -> str:
        return "".join(self._arguments)

    def written(self) -> Dict:
        step = {**self.start, **self._facts}
        parts = [{**facts, "text": "".join(texts)} for facts, texts in self._parts]
        if parts:
            step["content"] = [*(step.get("content") or ()), *parts]
        if self._arguments:
            step["arguments"] = as_object(self.arguments())
        return step
