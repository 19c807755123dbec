"""One pass over the bytes of a file, apart from the engine that will count its rows.

The pass meets the end of every stream or refuses it, and counts what an engine must find again: lines, empty lines, quote signs.
What the engine cannot read, and this can, is written down plainly on the way (bzip2, xz, rare gzip, wide zstd, UTF-16).
"""

from __future__ import annotations

import codecs
import itertools
import os
import re
import select
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

import numpy as np

from ordeval.base.progress import Share

PIECE = 1 << 17  # bytes that are looked at together; memory for larger ones is fetched anew each time, at six times the cost
LONGEST_LINE = 2_097_152  # bytes of a first line; DuckDB takes no longer ones
HEADER = 18  # bytes at the beginning of a part of a stream that say what it is
WIDEST = 27  # the logarithm of the widest window of zstd that DuckDB takes
#: What compressed data begin with, and the ending of their names.
PACKED = {b"\x1f\x8b": "gz", b"\x28\xb5\x2f\xfd": "zst", b"\xfd7zXZ\0": "xz"}
BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")
SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: How the end of a stream is proven.
ENDS = {"": "size", "gz": "gzip crc", "zst": "zstd frame", "xz": "xz check", "bz2": "bz2 crc"}
NO_CHECKSUM = ", no checksum"
NOT_WHOLE = "cannot be decompressed: it is cut short, damaged, or not what its name says"


@dataclass(frozen=True)
class Measured:
    """What the pass found in a file."""

    size: int  #: bytes on the disk
    content_bytes: int  #: after decompression
    ended: str  #: how the end of the stream is proven
    lines: int  #: line ends, and one more if the last line has none
    blank: int  #: lines with nothing in them
    quotes: int  #: quote signs
    head: bytes  #: the first line, without its end; at most LONGEST_LINE bytes
    start: bytes  #: the first bytes of the content
    last: bytes  #: the last sign of the content that is no space
    unended: bool  #: the last line has no end
    encoding: str = ""  #: how its text is encoded, if not as UTF-8


class PlainCopyNeededError(Exception):
    """The pass can read this, and the engine cannot."""


class BrokenStreamError(Exception):
    """A stream that is cut short, damaged, or another format; its text goes on a sentence that begins with the file."""


def packing_of(path: str, start: bytes) -> str:
    """How a file is compressed: by what it begins with, or by what its name says."""
    if BZIP2.match(start):
        return "bz2"
    for sign, packing in PACKED.items():
        if start.startswith(sign):
            return packing
    ending = os.path.basename(path).lower().rpartition(".")[2]
    return ending if ending in ENDS and ending else ""


def first_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(64)


def measure(path: str, packing: str, *, copy: str | None = None, encoding: str = "utf-8") -> Measured:
    """One pass over a file.  With ``copy`` the content is written there; without it, what needs a copy raises `PlainCopyNeededError`."""
    size = os.path.getsize(path)
    meter, seen = _Meter(), _Seen(may_be_odd=copy is not None)
    with open(path, "rb") as file, Share(f"checking {path}") as share:
        pieces = _contents(_watched(file, size, share), packing, seen)
        pieces = _as_utf_8(pieces, seen, encoding)
        if copy is None:
            for piece in pieces:
                meter.add(piece)
        else:
            with open(copy, "wb") as plain:
                for piece in pieces:
                    meter.add(piece)
                    plain.write(piece)
    if meter.feeds == 0 and meter.returns:  # lines that end as on an old Macintosh
        meter = _by_returns(copy or path, packing if copy is None else "")
    return replace(meter.result(size, ENDS[packing] + (NO_CHECKSUM if seen.unchecked else "")), encoding=seen.encoding)


def copy_stream(stream: Any, path: str) -> None:
    """What comes out of a pipe or a stream, until its end, in a file."""
    with open(path, "wb") as file:
        for piece in _arriving(stream):
            file.write(piece)


def _arriving(stream: Any) -> Iterator[bytes]:
    """What comes in, until the end.  Ctrl-C is heard while nothing comes, which a read that waits for more can miss."""
    waits, read = os.name == "posix" and not stream.seekable(), getattr(stream, "read1", stream.read)
    while True:
        while waits and not select.select([stream], [], [], 0.1)[0]:
            pass
        if not (piece := read(PIECE)):
            return
        yield piece


def _watched(file: BinaryIO, size: int, share: Share) -> Iterator[bytes]:
    done = 0
    while piece := file.read(PIECE):
        yield piece
        done += len(piece)
        share.show(done / max(size, 1))


# Decompressing


@dataclass
class _Seen:
    """What is known of a stream beside its content."""

    may_be_odd: bool  # a plain copy is written, so that the engine's limits do not matter
    unchecked: bool = False  # a part of it has no checksum
    encoding: str = ""  # of its text, if that is not UTF-8

    def odd(self) -> None:
        if not self.may_be_odd:
            raise PlainCopyNeededError


class _Gzip:
    """zlib's reader of one member, with the manners of those of bz2, lzma and zstd."""

    def __init__(self) -> None:
        self.reader = zlib.decompressobj(wbits=31)

    def decompress(self, data: bytes, most: int) -> bytes:
        return self.reader.decompress(self.reader.unconsumed_tail + data, most)

    @property
    def eof(self) -> bool:
        return self.reader.eof

    @property
    def needs_input(self) -> bool:
        return not self.reader.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self.reader.unused_data


def _contents(pieces: Iterator[bytes], packing: str, seen: _Seen) -> Iterator[bytes]:
    """What is inside a stream of one part or several; `BrokenStreamError` where the last one does not end."""
    if not packing:
        yield from pieces
        return
    new_reader, errors = _reader(packing)
    reader: Any = None
    held, parts = b"", 0
    for piece, final in _with_end(pieces):
        held += piece
        while held:
            if reader is None:
                if parts and packing in ("gz", "xz") and held[:1] == b"\0":  # blocks of a tape are filled up with zeros
                    held = held.lstrip(b"\0")
                    seen.odd()
                    continue
                if len(held) < HEADER and not final:
                    break  # the beginning of a part, of which more will come
                _look_at_part(held, packing, seen)
                reader, parts = new_reader(), parts + 1
            try:
                data, held = held, b""
                while True:
                    if found := reader.decompress(data, PIECE):
                        yield found
                    if reader.eof or reader.needs_input:
                        break
                    data = b""
            except errors:
                raise BrokenStreamError(NOT_WHOLE) from None
            if reader.eof:
                if packing == "xz" and getattr(reader, "check", 1) == 0:
                    seen.unchecked = True
                held, reader = reader.unused_data, None
    if held or reader is not None or not parts:
        raise BrokenStreamError(NOT_WHOLE)


def _with_end(pieces: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The pieces, each with whether it is the last; one with nothing in it at the end."""
    for piece in pieces:
        yield piece, False
    yield b"", True


def _look_at_part(start: bytes, packing: str, seen: _Seen) -> None:
    """What the first bytes of a part say: whether it has a checksum, and whether the engine takes it."""
    if packing == "gz":
        if len(start) > 3 and start[3] & 0b10011:  # a text flag, a checksum of the header, a comment
            seen.odd()
        return
    if packing != "zst":
        seen.odd()
        return
    if SKIPPABLE.match(start) or len(start) < 6:
        return
    if not start[4] & 4:
        seen.unchecked = True
    if start[4] & 32:  # one segment: the window is the content
        size = int.from_bytes(start[5 : 5 + (1, 2, 4, 8)[start[4] >> 6]], "little")
        wide = size > 1 << WIDEST
    else:
        wide = 10 + (start[5] >> 3) > WIDEST
    if wide:
        seen.odd()


def _reader(packing: str) -> tuple[Callable[[], Any], tuple[type[Exception], ...]]:
    """What reads one part of a stream, and how it says that it cannot."""
    if packing == "gz":
        return _Gzip, (zlib.error,)
    if packing == "bz2":
        import bz2

        return bz2.BZ2Decompressor, (OSError, ValueError, EOFError)
    if packing == "xz":
        import lzma

        return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), (lzma.LZMAError, EOFError)
    zstd = _zstd()
    options = {zstd.DecompressionParameter.window_log_max: 31}
    return lambda: zstd.ZstdDecompressor(options=options), (zstd.ZstdError, EOFError)


def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # from Python 3.14 on
    except ModuleNotFoundError:
        try:
            from backports import zstd
        except ModuleNotFoundError:
            raise ModuleNotFoundError('reading .zst needs backports.zstd; install it with  pip install "ordeval[cli]"') from None
    return zstd


def _as_utf_8(pieces: Iterator[bytes], seen: _Seen, encoding: str = "utf-8") -> Iterator[bytes]:
    """Text in another encoding becomes UTF-8; a mark at its beginning says more than the caller."""
    first = next(pieces, b"")
    if first.startswith(UTF_16):
        encoding = "utf-16"
    elif encoding == "utf-8" or first.startswith(codecs.BOM_UTF8):
        if first:
            yield first
        yield from pieces
        return
    seen.odd()
    seen.encoding = encoding.upper() if encoding.startswith("utf") else encoding
    unmarked = encoding == "utf-16" and not first.startswith(UTF_16)
    decoder, done = codecs.getincrementaldecoder("utf-16-le" if unmarked else encoding)(), 0
    try:
        for piece in itertools.chain([first], pieces):
            yield decoder.decode(piece).encode()
            done += len(piece)
        decoder.decode(b"", final=True)
    except UnicodeError as error:
        if encoding == "utf-16":
            raise BrokenStreamError("begins as UTF-16 and does not end so: it is cut short or damaged") from None
        start = getattr(error, "start", 0)
        bad = f"0x{error.object[start]:02x} at byte offset {done + start:,}" if isinstance(error, UnicodeDecodeError) else ""
        raise BrokenStreamError(f"is not {encoding}: {bad}") from None


# Counting


@dataclass
class _Meter:
    """Counts lines, empty lines and quotes of what is fed to it, piece by piece."""

    size: int = 0
    feeds: int = 0
    returns: int = 0
    blank: int = 0
    quotes: int = 0
    last_byte: bytes = b""
    last: bytes = b""
    start: bytes = b""
    head: bytearray = field(default_factory=bytearray)
    before: bytes = b"\n"  # the end of what was fed; a file begins at the beginning of a line
    in_head: bool = True

    def add(self, piece: bytes) -> None:
        if not piece:
            return
        if self.in_head:
            self._add_head(piece)
        self.size += len(piece)
        signs = np.frombuffer(self.before + piece, np.uint8)
        own = len(self.before)  # the first place that is the piece's own
        ends = signs == 10
        self.feeds += int(np.count_nonzero(ends[own:]))
        self.blank += int(np.count_nonzero(ends[own:] & ends[own - 1 : -1]))
        if b"\r" in piece or b"\r" in self.before:
            self.returns += int(np.count_nonzero(signs[own:] == 13))
            at = max(own, 2)
            self.blank += int(np.count_nonzero(ends[at:] & (signs[at - 1 : -1] == 13) & ends[at - 2 : -2]))
        if b'"' in piece:
            self.quotes += int(np.count_nonzero(signs[own:] == 34))
        self.before = (self.before + piece[-2:])[-2:]
        self.last_byte = piece[-1:]
        if stripped := piece[-256:].rstrip():
            self.last = stripped[-1:]

    def _add_head(self, piece: bytes) -> None:
        if len(self.start) < 4096:
            self.start += piece[: 4096 - len(self.start)]
        end = re.search(rb"[\r\n]", piece)
        self.head += piece if end is None else piece[: end.start()]
        self.in_head = end is None and len(self.head) <= LONGEST_LINE

    def result(self, size: int, ended: str) -> Measured:
        unended = bool(self.size) and self.last_byte != b"\n"
        lines = self.feeds + unended
        return Measured(
            size, self.size, ended, lines, self.blank, self.quotes, bytes(self.head), self.start, self.last, unended
        )  # fmt: skip


def _by_returns(path: str, packing: str) -> _Meter:
    """The same where lines end with a carriage return alone."""
    meter = _Meter()
    with open(path, "rb") as file:
        for piece in _contents(iter(lambda: file.read(PIECE), b""), packing, _Seen(may_be_odd=True)):
            meter.add(piece.replace(b"\r", b"\n"))
    return meter
