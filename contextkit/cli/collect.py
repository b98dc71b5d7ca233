"""``contextkit collect``: the message that a recorded stream brought."""

from __future__ import annotations

import click

from contextkit.cli.group import examples, finish, format_option, main
from contextkit.cli.reading import opened
from contextkit.cli.writing import Output, note, output_to
from contextkit.errors import StreamError
from contextkit.streams.collecting import StreamedMessage, collect_stream


@main.command(
    epilog=examples(
        "contextkit collect answer.sse --format report",
        "curl --no-buffer ... | tee answer.sse | contextkit collect -",
    )
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("-o", "--output", type=click.Path(), help="Write the message to this file.")
@format_option("json", "report")
def collect(file: str, output: str | None, form: str) -> None:
    """Put the pieces of a streamed answer together to one message.

    FILE is what the server sent, as curl --no-buffer saves it: server-sent events, or JSON objects
    one a line, of OpenAI (chat or Responses) and servers like it, Anthropic, Gemini, Bedrock,
    Cohere or Ollama. --format report prints usage, finish reason and faults with the message.

    The exit status is 1 when the stream broke off or brought an error; what came is printed.
    """
    with output_to(output) as out, opened(file) as chunks:
        try:
            message = collect_stream(chunks)
        except StreamError as error:
            note(f"{file}: {error}")
            finish(False)
            return
        if not _is_nothing(message):
            _write(out, message, form)
    _note_faults(file, message)
    finish(message.complete)


def _write(out: Output, message: StreamedMessage, form: str) -> None:
    if form == "json":
        out.json(message)
        return
    out.json(
        {
            "message": message,
            "usage": message.usage,
            "finish_reason": message.finish_reason,
            "complete": message.complete,
            "incomplete_calls": message.incomplete_calls,
            "error": message.error,
            "notes": message.notes,
        },
        indent=1,
    )


def _is_nothing(message: StreamedMessage) -> bool:
    """Whether a stream that did not end brought nothing at all."""
    said = ("content", "parts", "output", "tool_calls", "refusal", "reasoning_content")
    broke_off = not message.complete and message.error is None
    return broke_off and not any(message.get(key) for key in said)


def _note_faults(file: str, message: StreamedMessage) -> None:
    if message.error is not None:
        note(f"{file}: the stream brought an error: {message.error}")
    elif not message.complete:
        said = "there is no stream in it, or one without an answer"
        broken = "the stream broke off; the message is what had come"
        note(f"{file}: {said if _is_nothing(message) else broken}")
    for call in message.incomplete_calls:
        note(f"{file}: the arguments of call {call!r} are no whole JSON object; do not run it")
    for text in message.notes:
        note(f"{file}: {text}")
