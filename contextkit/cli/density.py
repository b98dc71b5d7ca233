"""``contextkit density``: how many tokens texts take, by language and kind of content."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

import contextkit
from contextkit.cli.group import examples, finish, format_option, main, spoken
from contextkit.cli.writing import Output, note, output_to, write_page
from contextkit.errors import SampleError, TokenizerMissing, UnknownModel

if TYPE_CHECKING:
    from contextkit.densities.table import By, Per


@main.command(
    epilog=examples(
        "contextkit density --by language --per premium",
        "contextkit density -t gpt-4o -t deepseek docs/ notes.txt",
        "contextkit density corpus.jsonl.gz --format csv --html densities.html",
    )
)
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option(
    "-t",
    "--tokenizer",
    "tokenizers",
    multiple=True,
    default=("o200k_base", "cl100k_base"),
    show_default=True,
    help="A vocabulary, a model or a tokenizer.json; give it again to compare.",
)
@click.option(
    "--by",
    type=click.Choice(["both", "language", "content"]),
    default="both",
    show_default=True,
    help="What a line of the text table is.",
)
@click.option(
    "--per",
    type=click.Choice(["character", "word", "byte", "premium"]),
    default="character",
    show_default=True,
    help="What the text table shows; premium is relative to the same text in English.",
)
@format_option("text", "json", "csv")
@click.option("--html", type=click.Path(dir_okay=False), help="Write a page with charts too.")
@click.option("-o", "--output", type=click.Path(), help="Write the results to this file.")
def density(
    paths: tuple[str, ...],
    tokenizers: tuple[str, ...],
    by: By,
    per: Per,
    form: str,
    html: str | None,
    output: str | None,
) -> None:
    """Measure how many tokens texts take, by language and content.

    Several tokenizers stand side by side; the brackets are 95 % intervals.

    PATHS are text files, JSONL files with a "text" in each line (and "language", "content" and
    "group" where they are known), and folders of them; .gz files too. Without PATHS the samples
    that ship with contextkit are measured: the same texts in 16 languages, code, data and logs.
    """
    try:
        with _samples(paths) as samples:
            found = contextkit.density(samples, tokenizers=tokenizers)
    except (UnknownModel, TokenizerMissing) as error:
        remedy = "Any other tokenizer is a tokenizer.json"
        raise click.BadParameter(spoken(error, remedy), param_hint="-t") from error
    except SampleError as error:
        note(f"contextkit: {error}")
        finish(False)
        return
    if not found.rows:
        note(f"contextkit: no text in {', '.join(paths)}; pass text files, JSONL files or folders")
        finish(False)
        return
    with output_to(output) as out:
        _write(out, found, form, by, per)
    if html:
        write_page(html, None, "contextkit", found.to_html())


def _write(out: Output, found: contextkit.DensityTable, form: str, by: By, per: Per) -> None:
    if form == "json":
        out.json(found.to_dict())
    elif form == "csv":
        out.line(found.to_csv().rstrip("\n"))
    else:
        out.line(found.table(by=by, per=per))


@contextmanager
def _samples(paths: tuple[str, ...]) -> Iterator[Iterable[contextkit.Sample]]:
    """The samples of the files, with a bar of the bytes read when somebody is looking."""
    if not paths:
        yield contextkit.sample_texts()
        return
    if not sys.stderr.isatty():
        yield contextkit.read_corpus(paths)
        return
    from rich.console import Console
    from rich.progress import Progress

    from contextkit.densities.corpora import files_of

    with Progress(console=Console(stderr=True), transient=True) as progress:
        total = sum(file.stat().st_size for file in files_of(paths))
        task = progress.add_task("measuring", total=total)

        def watch(raw: BinaryIO, file: Path) -> BinaryIO:
            progress.update(task, description=file.name)
            return progress.wrap_file(raw, task_id=task)

        yield contextkit.read_corpus(paths, watch=watch)
