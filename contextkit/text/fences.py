"""Fenced blocks of Markdown, and what their info string says is in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCE = re.compile(r"\s{0,12}(?:[-*>] )?(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`\n]*$")

_CONTENT = {
    "json": "json", "jsonc": "json", "json5": "json", "jsonl": "json", "ndjson": "json",
    "yaml": "yaml", "yml": "yaml", "xml": "xml", "html": "xml", "svg": "xml", "xhtml": "xml",
    "csv": "csv", "tsv": "csv", "table": "table", "md": "markdown", "markdown": "markdown",
    "rst": "markdown", "mdx": "markdown", "log": "log", "logs": "log", "diff": "diff",
    "patch": "diff", "traceback": "stack trace", "pytb": "stack trace", "stacktrace": "stack trace",
    "bash": "shell", "sh": "shell", "shell": "shell", "zsh": "shell", "console": "shell",
    "shell-session": "shell", "terminal": "shell", "powershell": "shell", "ps1": "shell",
    "bat": "shell", "cmd": "shell", "fish": "shell", "latex": "math", "tex": "math", "math": "math",
    "katex": "math", "base64": "base64", "toml": "config", "ini": "config", "cfg": "config",
    "conf": "config", "env": "config", "dotenv": "config", "properties": "config",
}  # fmt: skip
_ALIASES = {
    "py": "python", "python3": "python", "js": "javascript", "jsx": "javascript",
    "node": "javascript", "mjs": "javascript", "ts": "typescript", "tsx": "typescript",
    "rs": "rust", "rb": "ruby", "golang": "go", "c++": "cpp", "cc": "cpp", "hpp": "cpp",
    "cxx": "cpp", "h": "c", "c#": "csharp", "cs": "csharp", "kt": "kotlin", "hs": "haskell",
    "pl": "perl", "ex": "elixir", "exs": "elixir", "docker": "dockerfile", "objc": "objective-c",
    "jl": "julia", "ml": "ocaml", "clj": "clojure", "fs": "fsharp", "f#": "fsharp",
    "postgresql": "sql", "mysql": "sql", "sqlite": "sql", "plsql": "sql", "scss": "css",
    "less": "css", "proto": "protobuf", "viml": "vim", "makefile": "make",
}  # fmt: skip
_NOT_SAID = frozenset(("", "text", "txt", "plain", "plaintext", "output", "none", "out", "result"))


def read_fence(lines: Sequence[str], at: int) -> tuple[int, str] | None:
    """Return the line behind the fenced block that opens at line ``at``, and its info word.

    A fence that is never closed reaches to the end, as CommonMark 0.31 has it.
    """
    opened = _FENCE.match(lines[at][:200])
    if not opened:
        return None
    for end in range(at + 1, len(lines)):
        bare = lines[end].strip()
        if bare.startswith(opened[1]) and not bare.strip(opened[1][0]):
            return end + 1, opened[2]
    return len(lines), opened[2]


def named_content(info: str) -> tuple[str, str | None] | None:
    """Return the content type and the programming language that an info word names.

    None when it names none: the block itself has to tell.

    Example:
        >>> named_content("py"), named_content("json"), named_content("text")
        (('code', 'python'), ('json', None), None)
    """
    word = info.lower()
    if word in _NOT_SAID:
        return None
    if word in _CONTENT:
        return _CONTENT[word], None
    return "code", _ALIASES.get(word, word)
