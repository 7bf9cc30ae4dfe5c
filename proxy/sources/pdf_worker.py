"""Read one PDF on standard input in a process of its own, under limits, and write its text.

Run by path, isolated and with an empty environment: it imports nothing of ours. The bytes are hostile: some hundred of
them can be read for hours, or into gigabytes.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import BinaryIO


def limit(seconds: int, megabytes: int) -> None:
    """No more processor time, address space, files or core dumps than this."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(file: BinaryIO, pages: int, most: int) -> str:
    """The text of the first pages, no more of it than this; a page is a paragraph."""
    from pypdf import PdfReader, apply_configuration

    texts, size = [], 0
    with apply_configuration(jbig2dec_binary=None):  # else it runs a program of that name for pictures
        for page in PdfReader(file).pages[:pages]:
            texts.append(page.extract_text())
            size += len(texts[-1]) + 2
            if size > most:
                break
    return "\n\n".join(texts)[:most]


def main() -> None:
    seconds, megabytes, pages, most = map(int, sys.argv[1:5])
    limit(seconds, megabytes)
    with os.fdopen(0, "rb") as file:
        text = read(file, pages, most)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))  # a font can make half a surrogate pair of any sign


if __name__ == "__main__":
    main()
