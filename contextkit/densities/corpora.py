"""Read samples from files and folders, one at a time, however large they are."""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import IO, BinaryIO, cast

from contextkit.densities.samples import Sample, as_sample
from contextkit.errors import OptionError, SampleError

_LINE_SUFFIXES = (".jsonl", ".ndjson")

_PIECE = 2_000
"""Characters from which on a text file is cut at the next blank line: samples of one size make
intervals that mean something."""

_LONGEST = 16_000
"""Characters of the longest sample from a text file; a line that is longer is cut through."""

_SNIFFED = 8_192
"""Bytes in which a NUL byte tells of a binary file."""

Watch = Callable[[BinaryIO, Path], BinaryIO]


def read_corpus(
    paths: Iterable[str | os.PathLike[str]], *, watch: Watch | None = None
) -> Iterator[Sample]:
    r"""Yield the samples of files and folders, in order of their names.

    A ``.jsonl`` file holds one sample a line: an object with ``text``, and ``language``,
    ``content`` and ``group`` where they are known. Any other file is text, and is cut into samples
    of about 2,000 characters at blank lines. ``.gz`` files are unpacked as they are read. In
    folders, hidden files and binary files are passed over. No file is ever held in memory whole.

    Args:
        paths: files and folders.
        watch: is given each opened file, and returns what shall be read in its place.

    Raises:
        OptionError: a path is not there.
        SampleError: a line is no sample, a file is not UTF-8 or cannot be unpacked.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "a.txt").write_text("第一段。\n\n第二段。", "utf-8")
        ...     [sample.text for sample in read_corpus([folder])]
        ['第一段。\n\n第二段。']
    """
    for path in map(Path, paths):
        for file in _files(path):
            with _opened(file, watch) as stream:
                yield from _samples(file, stream)


def sample_texts() -> list[Sample]:
    """Return the samples that ship with contextkit, written for it.

    Eight short texts that say the same in 16 languages (``group`` names the text), programs in
    seven programming languages, and JSON, YAML, logs, CSV, XML, Markdown, diffs, stack traces,
    shell, URLs, base64 and formulas, at least three of each.

    Example:
        >>> texts = sample_texts()
        >>> len(texts), len({sample.language for sample in texts if sample.group})
        (192, 16)
    """
    with as_file(files("contextkit.densities").joinpath("samples.jsonl")) as path:
        return list(read_corpus([path]))


def files_of(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Yield every file that `read_corpus` opens.

    Raises:
        OptionError: a path is not there.
    """
    for path in map(Path, paths):
        yield from _files(path)


def _files(path: Path) -> Iterator[Path]:
    """The file itself, or the files below a folder that are neither hidden nor binary."""
    if not path.exists():
        raise OptionError("paths", f"{path} is not there", "pass files or folders")
    if not path.is_dir():
        yield path
        return
    for folder, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        found = (Path(folder, name) for name in sorted(names) if not name.startswith("."))
        yield from (file for file in found if not _is_binary(file))


def _is_binary(file: Path) -> bool:
    with _opened(file, None) as stream:
        try:
            return b"\0" in stream.read(_SNIFFED)
        except gzip.BadGzipFile:
            return True


@contextmanager
def _opened(file: Path, watch: Watch | None) -> Iterator[IO[bytes]]:
    with file.open("rb") as raw:
        source = raw if watch is None else watch(raw, file)
        yield cast(IO[bytes], gzip.open(source) if file.suffix == ".gz" else source)


def _samples(file: Path, stream: IO[bytes]) -> Iterator[Sample]:
    plain = file.with_suffix("") if file.suffix == ".gz" else file
    read = _of_lines if plain.suffix in _LINE_SUFFIXES else _of_text
    try:
        yield from read(file, stream)
    except (OSError, EOFError, zlib.error) as error:
        found = f"cannot be read: {error}"
        raise SampleError(str(file), found, "mend the file, or leave it out") from error


def _of_lines(file: Path, stream: IO[bytes]) -> Iterator[Sample]:
    for number, line in enumerate(stream, start=1):
        if line.strip():
            place = f"{file}:{number}"
            try:
                value = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError) as error:
                raise SampleError(place, f"not JSON: {error}", "mend or drop the line") from error
            yield as_sample(value, place)


def _of_text(file: Path, stream: IO[bytes]) -> Iterator[Sample]:
    with io.TextIOWrapper(stream, "utf-8-sig", newline="") as text:
        try:
            for piece in _pieces(text):
                yield Sample(piece).labelled()
        except UnicodeDecodeError as error:
            raise SampleError(str(file), "not UTF-8", "convert the file") from error


def _pieces(text: io.TextIOWrapper) -> Iterator[str]:
    """Cut a text into pieces; together they are the text."""
    held, size = [], 0
    while line := text.readline(_LONGEST):
        held.append(line)
        size += len(line)
        if size >= _LONGEST or (size >= _PIECE and not line.strip()):
            yield "".join(held)
            held, size = [], 0
    if held:
        yield "".join(held)
