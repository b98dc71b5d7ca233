"""The block in which a memory is sent: tags with a mark, so that only own blocks are recognised.

The mark is a hash of what the block says. A text that merely looks like a block has the wrong one
and stays what it is: words of the message it stands in. With a secret nobody else can make one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from hmac import compare_digest

from contextkit.memory.guard import TAG

_BLOCK = re.compile(
    rf'<{TAG} nonce="(?P<nonce>[0-9a-f]{{12}})">\r?\n'
    rf"(?P<body>[^<]*+(?:<(?!/?{TAG})[^<]*+)*+)"
    rf"</{TAG}>(?:\r?\n)*"
)


def block(body: str, secret: str = "") -> str:
    """Return ``body`` between the tags.

    Example:
        >>> print(block("Identity:"))
        <conversation-notes nonce="2ebd5602810d">
        Identity:
        </conversation-notes>
    """
    return f'<{TAG} nonce="{_nonce(body, secret)}">\n{body}\n</{TAG}>'


def has_block(text: str, secret: str = "") -> bool:
    r"""Whether ``text`` holds a block of ours.

    Example:
        >>> has_block("hello\n" + block("Identity:")), has_block(block("Identity:"), "other")
        (True, False)
    """
    return next(_blocks(text, secret), None) is not None


def strip_blocks(text: str, secret: str = "") -> str:
    r"""Return ``text`` without the blocks of ours; forged ones stay.

    Example:
        >>> strip_blocks(block("Identity:") + "\n\nhello")
        'hello'
    """
    kept, at = [], 0
    for found in _blocks(text, secret):
        kept.append(text[at : found.start()])
        at = found.end()
    return "".join((*kept, text[at:])) if at else text


def bodies(text: str, secret: str = "") -> Iterator[str]:
    """What the blocks of ours in ``text`` say."""
    return (found["body"] for found in _blocks(text, secret))


def _blocks(text: str, secret: str) -> Iterator[re.Match[str]]:
    if TAG not in text:
        return
    for found in _BLOCK.finditer(text):
        if compare_digest(found["nonce"], _nonce(found["body"], secret)):
            yield found


def _nonce(body: str, secret: str) -> str:
    said = "\n".join(body.split("\r\n")).strip()
    key = blake2b(secret.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    data = said.encode("utf-8", "surrogatepass")
    return blake2b(data, key=key, digest_size=6, person=b"contextkit.notes").hexdigest()
