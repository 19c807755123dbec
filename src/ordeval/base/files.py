"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

from ordeval.base.docs import documented
from ordeval.base.errors import ExistingFileError


def write_text(path: str | os.PathLike[str], text: str, *, force: bool) -> None:
    """Write text to a file so that a reader sees the old file or the new one, never a part.

    An existing file is kept unless ``force`` is true.
    """
    write_bytes(path, text.encode("utf-8"), force=force)


def write_bytes(path: str | os.PathLike[str], data: bytes, *, force: bool) -> None:
    """The same for bytes: a picture.

    A device, a pipe or a socket is written into, and a directory is refused.  Where a link stands, what it points to is replaced.
    """
    import tempfile  # only writers need it

    target = os.fspath(path)
    if _is_special(target):
        with _named(target), open(target, "wb", buffering=0) as device:
            rest = memoryview(data)
            while rest:
                rest = rest[device.write(rest) :]
        return
    if not force:
        check_free(target)
    if os.path.islink(target):
        target = os.path.realpath(target)  # the link stays, and what it points to is replaced
    folder, name = os.path.split(target)
    folder, start = folder or ".", f".{name[:60]}."  # a long name leaves no room for ours
    with _named(target):
        _sweep(folder, start)
        handle, beside = tempfile.mkstemp(dir=folder, prefix=f"{start}{os.getpid()}.", suffix=".part")
    try:
        with _named(target):
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, 0o666 & ~_umask())
            if force:
                os.replace(beside, target)
            else:
                _appear(beside, target)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


@documented("Nothing; an existing file is refused.", path="Where a file is to be written.")
def check_free(path: str | os.PathLike[str]) -> None:
    """Refuse a path where a file is, before the work for a new one is done; a device or a pipe can always be written into."""
    if os.path.lexists(path) and not _is_special(path):
        raise _is_there(os.fspath(path))


def _is_special(path: str | os.PathLike[str]) -> bool:
    """Something that is written into and never replaced: a device, a pipe, a socket.  A directory is refused here."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "cannot be written: it is a directory", os.fspath(path))
    return not stat.S_ISREG(mode)


def _is_there(path: str) -> ExistingFileError:
    return ExistingFileError(
        "{path} exists already", argument="force", remedy="pass {force:True} to replace it", values={"path": path}
    )


@contextlib.contextmanager
def _named(target: str) -> Iterator[None]:
    """What goes wrong is said of the file that was asked for, not of the one beside it."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, f"cannot be written: {error.strerror}", target) from None


def _appear(beside: str, target: str) -> None:
    """Give the finished file its name, unless somebody else has taken the name meanwhile."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise _is_there(target) from None
    except OSError:  # a file system without hard links
        os.replace(beside, target)
        return
    os.unlink(beside)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sweep(folder: str, start: str) -> None:
    """Remove what writers of the same file left behind when they were killed; those that are still at work are let be."""
    import re

    for name in os.listdir(folder):
        found = re.fullmatch(re.escape(start) + r"(\d{1,9})\..*\.part", name)
        if found and not _is_alive(int(found[1])):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))


def _is_alive(process: int) -> bool:
    if os.name != "posix":  # elsewhere the signal 0 is Ctrl-C
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is there and is another user's
        pass
    return True
