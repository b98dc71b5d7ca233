"""Samples: texts with what they are in, labelled by their owner or by `contextkit.text`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from contextkit.errors import SampleError
from contextkit.text import content_of, language_of

NO_LANGUAGE = "zxx"
"""BCP 47: no linguistic content."""

_IN_NO_LANGUAGE = frozenset({"base64", "diff", "math", "shell", "stack trace", "url"})

_LABELS = ("language", "content", "group")

_REMEDY = 'pass a string, a Sample, or a mapping with "text"'


@dataclass(frozen=True, slots=True)
class Sample:
    """One text and its labels; "" is a label that is yet to be found.

    Attributes:
        text: the text.
        language: BCP 47 tag ("zh-Hans", "en"), the programming language of code, or "zxx".
        content: "prose", "code", "json" or any other kind of content.
        group: what the samples that say the same in other languages have in common; "" for none.

    Example:
        >>> Sample("你好，世界", "zh-Hans", "prose").language
        'zh-Hans'
    """

    text: str
    language: str = ""
    content: str = ""
    group: str = ""

    def labelled(self) -> Sample:
        """Return the sample with language and content; what the owner said stays.

        Example:
            >>> Sample("人人生而自由，在尊严和权利上一律平等。").labelled().language
            'zh-Hans'
        """
        if self.language and self.content:
            return self
        content, code = content_of(self.text) if not self.content else (self.content, None)
        language = self.language or _language_in(self.text, content, code)
        return replace(self, language=language, content=content)


def as_sample(value: object, place: int | str) -> Sample:
    """Return ``value`` as a labelled sample.

    Args:
        value: a string, a `Sample`, or a mapping with ``text`` and any of the labels.
        place: its index among the samples, or its file and line, for what goes wrong.

    Raises:
        SampleError: it is none of these.

    Example:
        >>> as_sample({"text": "x = 1", "language": "python", "content": "code"}, 0).content
        'code'
    """
    if isinstance(value, Sample):
        return value.labelled()
    if isinstance(value, str):
        return Sample(value).labelled()
    if not isinstance(value, Mapping):
        raise SampleError(place, f"{type(value).__name__} is no sample", _REMEDY)
    return _of_mapping(value, place).labelled()


def _of_mapping(value: Mapping[object, object], place: int | str) -> Sample:
    text = value.get("text")
    if not isinstance(text, str):
        raise SampleError(place, f'its "text" is {type(text).__name__}', _REMEDY)
    labels = {name: value.get(name) or "" for name in _LABELS}
    for name, label in labels.items():
        if not isinstance(label, str):
            raise SampleError(place, f'its "{name}" is {label!r}', "pass a string or leave it out")
    return Sample(text, **{name: str(label) for name, label in labels.items()})


def _language_in(text: str, content: str, code: str | None) -> str:
    if content == "code":
        return code or NO_LANGUAGE
    return NO_LANGUAGE if content in _IN_NO_LANGUAGE else language_of(text)
