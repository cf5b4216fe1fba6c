"""Files of chats in a store that speaks S3, over ``obstore``. Nothing that it says is logged: it repeats key ids."""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from typing import BinaryIO
from urllib.parse import urlsplit

from agent.data.kept_files.file_store import FilesFailed, Stored, Trouble, failed
from agent.errors import BadSettings
from agent.interface_text import Text
from agent.text.regex import regex

log = logging.getLogger(__name__)
_PATIENCE = 20.0  # seconds in which nothing comes
_RETRIES, _RETRY_SHARE = 2, 0.75  # a store that is silent is not asked again, one that says no at once is
_AT_ONCE = 2  # parts of a file on their way
_KEYS_AT_ONCE = 500
_NO_STORE = Text("GLASSBOX_FILES and the variables AWS_… do not name a store together.")
_ADDRESS = regex(r"https?://[A-Za-z0-9.\[\]:_-]+(/[A-Za-z0-9._~/-]*)?")
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")


class S3Store:
    """Those of one ``site``, beneath ``s3://bucket/prefix``. Keys come from the usual variables (``AWS_…``)."""

    def __init__(self, address: str, site: str, patience: float = _PATIENCE) -> None:
        """Asks the store nothing yet. ``patience`` is for how many seconds it may be silent. Raises ``BadSettings``."""
        try:
            import obstore
            from obstore import exceptions
            from obstore.store import S3Store as Bucket
        except ImportError:
            raise BadSettings.because(
                "GLASSBOX_FILES=s3://… needs obstore: in the app's folder, run pip install '.[s3]'."
            ) from None
        parts, endpoint = urlsplit(address), _endpoint()
        self._obstore, self._errors = obstore, exceptions
        silent = timedelta(seconds=patience)
        try:
            self._bucket = Bucket(
                parts.netloc,
                prefix="/".join(filter(None, (parts.path.strip("/"), site))),
                client_options={
                    "allow_http": endpoint.startswith("http://"),
                    "connect_timeout": silent / 4,
                    "read_timeout": silent,
                    # Bounded by what comes, not as a whole: a large file takes its time.
                    "timeout": timedelta(hours=1),
                },
                retry_config={"max_retries": _RETRIES, "retry_timeout": silent * _RETRY_SHARE},
            )
        except exceptions.BaseError:
            raise BadSettings(_NO_STORE) from None

    def put(self, key: str, source: BinaryIO) -> None:
        with self._failing("refused"):
            self._obstore.put(self._bucket, key, source, max_concurrency=_AT_ONCE)

    def get(self, key: str, target: BinaryIO, most: int) -> None:
        with self._failing():
            found = self._obstore.get(self._bucket, key)
            if found.meta["size"] > most:
                raise FilesFailed("large")
            for block in found:
                target.write(block)

    def remove(self, keys: Iterable[str]) -> None:
        waiting = iter(keys)
        while some := list(islice(waiting, _KEYS_AT_ONCE)):
            with self._failing():
                try:
                    self._obstore.delete(self._bucket, some)
                except FileNotFoundError:
                    continue

    def listed(self) -> Iterator[Stored]:
        with self._failing("refused"):
            for some in self._obstore.list(self._bucket):
                yield from (Stored(one["path"], one["last_modified"].timestamp()) for one in some)

    @contextmanager
    def _failing(self, missing: Trouble = "missing") -> Generator[None]:
        """``missing`` is what it means where there is no such thing: the file, or else the bucket."""
        errors = self._errors
        try:
            yield
        except FileNotFoundError:
            log.error("the object store has no such file or bucket")
            raise FilesFailed(missing) from None
        except (errors.PermissionDeniedError, errors.UnauthenticatedError) as error:
            log.error("the object store refuses: %s", error.__class__.__name__)
            raise FilesFailed("refused") from None
        except errors.BaseError as error:
            log.warning("the object store does not answer: %s", error.__class__.__name__)
            raise FilesFailed("away") from None
        except OSError as error:  # of this machine's own disk
            raise failed(error) from None


def _endpoint() -> str:
    """The address of the server, where the environment names one. Raises ``BadSettings``."""
    endpoint = next(filter(None, map(os.environ.get, _ENDPOINTS)), "")
    if endpoint and not _ADDRESS.fullmatch(endpoint):
        raise BadSettings(_NO_STORE)
    return endpoint
