"""Places: folders on local disk, HDFS or S3 in which a file appears whole or not at all."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO, Protocol, TypeVar
from urllib.parse import parse_qsl, urlsplit

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError

EXTRAS = {"s3": "s3", "hdfs": "hdfs", "webhdfs": "hdfs"}  # by scheme
LIBRARIES = {"s3": "s3fs", "hdfs": "hdfs_native.fsspec", "webhdfs": "requests"}
T = TypeVar("T")
FINAL = ("NoCredentialsError", "PartialCredentialsError", "ParamValidationError")  # of S3: waiting does not help
WAITS_S = (0.2, 1.0, 3.0, 8.0, 15.0)  # before each new attempt at a server: a DataNode that died is noticed in seconds


class Place(Protocol):
    """A folder; names are paths below it. What fails raises a BackendError, Unreachable where it may pass."""

    url: str

    def put(self, file: Path, name: str) -> None:
        """Copy a local file here, over what has the name; readers see the old file or the new one, whole."""

    def move(self, name: str, to: str) -> None:
        """Give a file another name, over what has it; nothing happens when it was done before."""

    def remove(self, name: str) -> None:
        """Remove a file; nothing happens when there is none."""

    def read(self, name: str) -> bytes:
        """Return what is in a file."""

    def open(self, name: str) -> BinaryIO:
        """Open a file to read."""

    def size(self, name: str) -> int | None:
        """How many bytes a file has; None when there is none."""

    def names(self, below: str = "") -> list[str]:
        """The names of all files below a folder, sorted; none when there is no folder."""


def is_url(text: str) -> bool:
    """Say whether a text names a place by a URL, as s3:// and hdfs:// do."""
    return "://" in text


def place_of(text: str) -> Place:
    """Return the place of a path or URL; raise UsageError for a scheme that is not known, MissingExtra for a library.

    What stands behind `?` are options of the library, e.g. `s3://bucket/folder?endpoint_url=http://127.0.0.1:9000`.
    """
    if not is_url(text):
        return Disk(Path(text))
    split = urlsplit(text)
    if split.scheme == "file":
        return Disk(Path(split.path))
    if split.scheme not in EXTRAS:
        raise UsageError(f"{split.scheme}:// is not supported; give a folder, s3://, hdfs:// or webhdfs://")
    return Remote(text)


class Disk:
    """A folder on a local disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = str(folder)

    def put(self, file: Path, name: str) -> None:
        """Copy beside the target, then rename; both survive a power cut."""
        target = self._folder / name
        aside = target.with_name(f".{target.name}.{os.getpid()}.partial")
        with _told(self.url):
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with file.open("rb") as source, aside.open("wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)
                    copy.flush()
                    os.fsync(copy.fileno())
                aside.replace(target)
            finally:
                aside.unlink(missing_ok=True)
            _sync_folder(target.parent)

    def move(self, name: str, to: str) -> None:
        """Rename."""
        target = self._folder / to
        with _told(self.url):
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                (self._folder / name).replace(target)
            except FileNotFoundError:
                if not target.exists():
                    raise
            _sync_folder(target.parent)

    def remove(self, name: str) -> None:
        """Unlink."""
        with _told(self.url):
            (self._folder / name).unlink(missing_ok=True)

    def read(self, name: str) -> bytes:
        """Read a file."""
        with _told(self.url):
            return (self._folder / name).read_bytes()

    def open(self, name: str) -> BinaryIO:
        """Open a file."""
        with _told(self.url):
            return (self._folder / name).open("rb")

    def size(self, name: str) -> int | None:
        """Ask the file system."""
        with suppress(FileNotFoundError, NotADirectoryError):
            return (self._folder / name).stat().st_size
        return None

    def names(self, below: str = "") -> list[str]:
        """Walk the folder; a file without a folder stands for itself."""
        found = []
        for folder, _, files in os.walk(self._folder / below):
            inside = Path(folder).relative_to(self._folder)
            found += [(inside / file).as_posix() for file in files]
        return sorted(found)


class Remote:
    """A folder that fsspec reaches; every step is tried again while the servers do not answer."""

    def __init__(self, url: str) -> None:
        split = urlsplit(url)
        self.url = url.partition("?")[0].rstrip("/")
        self._scheme = split.scheme
        self._root = f"{split.netloc}{split.path}".rstrip("/") if split.scheme == "s3" else split.path.rstrip("/")
        self._fs, self._passing = _file_system(split.scheme, split.netloc, dict(parse_qsl(split.query)))

    def put(self, file: Path, name: str) -> None:
        """Upload: S3 shows an object when it is complete, HDFS shows it from the start, so there it is renamed."""
        if self._scheme == "s3":
            self._again(lambda: self._fs.put_file(str(file), self._path(name)))
            return
        if name.startswith("_aside/"):  # nobody reads there
            self._again(lambda: self._upload(file, name))
            return
        aside = f"_aside/{name.replace('/', '-')}.partial"
        self._again(lambda: self._upload(file, aside))
        self.move(aside, name)

    def _upload(self, file: Path, name: str) -> None:
        self._fs.makedirs(self._path(name).rpartition("/")[0], exist_ok=True)
        with file.open("rb") as source, self._fs.open(self._path(name), "wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)

    def move(self, name: str, to: str) -> None:
        """Rename on HDFS; on S3 copy, which is atomic, and remove."""

        def move() -> None:
            if self._exists(name):
                self._replace(name, to)
            elif not self._exists(to):
                raise FileNotFoundError(f"neither {name} nor {to} is there")

        self._again(move)

    def _replace(self, name: str, to: str) -> None:
        source, target = self._path(name), self._path(to)
        if self._scheme == "s3":
            self._fs.cp_file(source, target)
            self._fs.rm_file(source)
            return
        self._fs.makedirs(target.rpartition("/")[0], exist_ok=True)
        if self._fs.exists(target):  # only a file that was put again after a failure, or a copy of the same
            self._fs.rm_file(target)
        self._fs.mv(source, target)

    def remove(self, name: str) -> None:
        """Remove a file."""

        def remove() -> None:
            with suppress(FileNotFoundError):
                self._fs.rm_file(self._path(name))

        self._again(remove)

    def read(self, name: str) -> bytes:
        """Read a file, from the beginning again when a server goes away in the middle of it."""

        def read() -> bytes:
            with self._fs.open(self._path(name), "rb") as stream:
                data: bytes = stream.read()
                return data

        return self._again(read)

    def open(self, name: str) -> BinaryIO:
        """Open a file."""
        stream: BinaryIO = self._again(lambda: self._fs.open(self._path(name), "rb"))
        return stream

    def size(self, name: str) -> int | None:
        """Ask for it."""

        def size() -> int | None:
            try:
                return int(self._fs.info(self._path(name))["size"])
            except FileNotFoundError:
                return None

        return self._again(size)

    def names(self, below: str = "") -> list[str]:
        """List all files, without what was listed before."""

        def names() -> list[str]:
            self._fs.invalidate_cache()
            root = self._path("").rstrip("/") + "/"
            try:
                paths = self._fs.find(self._path(below).rstrip("/"))
            except FileNotFoundError:
                return []
            return sorted(_plain_path(path).removeprefix(root.lstrip("/")) for path in paths)

        return self._again(names)

    def _exists(self, name: str) -> bool:
        self._fs.invalidate_cache()
        return bool(self._fs.exists(self._path(name)))

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _again(self, step: Callable[[], T]) -> T:
        for wait_s in (*WAITS_S, None):
            try:
                with _told(self.url, self._passing):
                    return step()
            except Unreachable:
                if wait_s is None:
                    raise
                sleep(wait_s)
        raise AssertionError  # the last attempt returns or raises


def _plain_path(path: str) -> str:
    """Return a path as listed without scheme and host, and without a slash in front."""
    split = urlsplit(path)
    return (split.path if split.scheme and split.netloc else path).lstrip("/")


def _file_system(scheme: str, host: str, options: Mapping[str, str]) -> tuple[Any, tuple[type[BaseException], ...]]:
    """Return a file system of fsspec, and what its library raises when a server does not answer."""
    try:
        fsspec = import_module("fsspec")
        library = import_module(LIBRARIES[scheme])
    except ImportError as error:
        extra = EXTRAS[scheme]
        raise MissingExtra(f"{scheme}:// needs a library ({error}): pip install 'thresher[{extra}]'") from error
    if scheme == "s3":
        botocore = import_module("botocore.exceptions")
        found = fsspec.filesystem("s3", **options, skip_instance_cache=True, use_listings_cache=False)
        return found, (botocore.BotoCoreError, botocore.ClientError)
    name, _, port = host.partition(":")
    if scheme == "hdfs":
        found = library.HdfsFileSystem(name, int(port) if port else None, skip_instance_cache=True, **options)
        return found, (RuntimeError,)
    found = fsspec.filesystem("webhdfs", host=name, port=int(port or 9870), skip_instance_cache=True, **options)
    return found, (library.exceptions.RequestException,)


@contextmanager
def _told(url: str, passing: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
    """Turn what a file system raises into our errors; a local disk's failures do not pass."""
    failures: tuple[type[BaseException], ...] = (OSError, *passing)
    try:
        yield
    except (FileNotFoundError, PermissionError, NotADirectoryError, IsADirectoryError) as error:
        raise BackendError(f"{url}: {error.strerror or error}") from error
    except failures as error:
        kind = Unreachable if passing and type(error).__name__ not in FINAL else BackendError
        raise kind(f"{url}: {error}") from error


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
