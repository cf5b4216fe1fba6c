"""An object store on loopback that speaks S3, as strict as Amazon's about what it is asked.

Each request must be signed (Signature Version 4, worked out here from the public description), for this region, within
fifteen minutes, with the hash of the body that came; keys, queries and headers that it does not know are refused, as is
a bucket that is not there. Objects are kept in memory.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from tests.support.servers.prompt_server import PromptServer

REGION, BUCKET = "eu-central-9", "chats"
_KNOWN_QUERIES = {
    *("list-type", "prefix", "delimiter", "continuation-token", "max-keys", "start-after"),
    *("delete", "uploads", "uploadId", "partNumber", "encoding-type", "x-id"),
}
_LEAST_PART = 5 << 20  # bytes of each part of an upload but the last
_PAGE = 3  # keys of one answer, so that every listing has several
_PATIENCE = 60.0


@dataclass
class Refusal(Exception):
    status: int
    code: str


@dataclass
class Kept:
    content: bytes
    modified: datetime


@dataclass
class S3Server:
    """``key`` and ``secret`` open its one bucket. While ``trouble`` is set it answers so; ``silent``, not at all."""

    key: str = "AKIAGLASSBOXTESTS"
    secret: str = "a/secret+of=the-tests-alone"
    objects: dict[str, Kept] = field(default_factory=dict[str, Kept])
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    trouble: tuple[int, str] | None = None
    silent: bool = False

    def __enter__(self) -> S3Server:
        outer = self
        self._uploads: dict[str, dict[int, bytes]] = {}
        self._lock = threading.Lock()
        self._speak = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except (ConnectionError, TimeoutError):
                    self.close_connection = True

            def _any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if outer.silent:
                    outer._speak.wait(_PATIENCE)
                try:
                    status, answer, headers = outer._answer(self.command, self.path, dict(self.headers), body)
                except Refusal as refusal:
                    status, headers = refusal.status, {"Content-Type": "application/xml"}
                    # As Amazon's does: the id of the key is in it.
                    told = f"<Error><Code>{refusal.code}</Code><AWSAccessKeyId>{outer.key}</AWSAccessKeyId></Error>"
                    answer = told.encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer)

            do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = _any

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = PromptServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._speak.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def environment(self) -> dict[str, str]:
        """What a client of it has in its environment."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._server.server_port}",
            "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": self.secret,
            "AWS_REGION": REGION,
        }

    def _answer(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, bytes, dict[str, str]]:
        address = urlsplit(target)
        query = dict(parse_qsl(address.query, keep_blank_values=True))
        low = {name.lower(): value for name, value in headers.items()}
        self._check_signature(method, address.path, query, low, body)
        self.requests.append((method, unquote(target)))
        if self.trouble:
            raise Refusal(*self.trouble)
        if query.keys() - _KNOWN_QUERIES:
            raise Refusal(501, "NotImplemented")
        bucket, _, key = unquote(address.path).removeprefix("/").partition("/")
        if bucket != BUCKET:
            raise Refusal(404, "NoSuchBucket")
        if len(key.encode()) > 1024 or any(part in (".", "..") for part in key.split("/")):
            raise Refusal(400, "InvalidURI")
        with self._lock:
            return self._of_bucket(method, query, body) if not key else self._of_key(method, key, query, low, body)

    def _of_bucket(self, method: str, query: Mapping[str, str], body: bytes) -> tuple[int, bytes, dict[str, str]]:
        xml = {"Content-Type": "application/xml"}
        if method == "GET" and query.get("list-type") == "2":
            return 200, self._listing(query), xml
        if method == "POST" and "delete" in query:
            keys = [
                key.text or "" for key in ElementTree.fromstring(body).iter() if key.tag.rpartition("}")[2] == "Key"
            ]
            if len(keys) > 1000:
                raise Refusal(400, "MalformedXML")
            for key in keys:
                self.objects.pop(key, None)
            gone = "".join(f"<Deleted><Key>{escape(key)}</Key></Deleted>" for key in keys)
            return 200, f"<DeleteResult>{gone}</DeleteResult>".encode(), xml
        raise Refusal(405, "MethodNotAllowed")

    def _listing(self, query: Mapping[str, str]) -> bytes:
        after = query.get("continuation-token") or query.get("start-after", "")
        found = sorted(key for key in self.objects if key.startswith(query.get("prefix", "")) and key > after)
        page, more = found[:_PAGE], len(found) > _PAGE
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{self.objects[key].modified:%Y-%m-%dT%H:%M:%S.000Z}"
            f'</LastModified><ETag>"{_etag(self.objects[key].content)}"</ETag>'
            f"<Size>{len(self.objects[key].content)}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key in page
        )
        token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if more else ""
        told = f"<KeyCount>{len(page)}</KeyCount><IsTruncated>{str(more).lower()}</IsTruncated>{token}{contents}"
        return f"<ListBucketResult><Name>{BUCKET}</Name>{told}</ListBucketResult>".encode()

    def _of_key(
        self, method: str, key: str, query: Mapping[str, str], headers: Mapping[str, str], body: bytes
    ) -> tuple[int, bytes, dict[str, str]]:
        if method == "POST" or "uploadId" in query:
            return self._of_upload(method, key, query, body)
        if method == "PUT":
            self.objects[key] = Kept(body, datetime.now(UTC))
            return 200, b"", {"ETag": f'"{_etag(body)}"'}
        if method == "DELETE":
            self.objects.pop(key, None)
            return 204, b"", {}
        kept = self.objects.get(key)
        if kept is None:
            raise Refusal(404, "NoSuchKey")
        if "range" in headers:
            raise Refusal(501, "NotImplemented")
        told = {"ETag": f'"{_etag(kept.content)}"', "Last-Modified": format_datetime(kept.modified, usegmt=True)}
        return 200, kept.content, {**told, "Content-Length": str(len(kept.content))}

    def _of_upload(
        self, method: str, key: str, query: Mapping[str, str], body: bytes
    ) -> tuple[int, bytes, dict[str, str]]:
        xml = {"Content-Type": "application/xml"}
        if "uploads" in query:
            name = f"upload-{len(self._uploads)}-{key}"
            self._uploads[name] = {}
            told = f"<UploadId>{escape(name)}</UploadId>"
            return 200, f"<InitiateMultipartUploadResult>{told}</InitiateMultipartUploadResult>".encode(), xml
        parts = self._uploads.get(query["uploadId"])
        if parts is None:
            raise Refusal(404, "NoSuchUpload")
        if method == "PUT":
            parts[int(query["partNumber"])] = body
            return 200, b"", {"ETag": f'"{_etag(body)}"'}
        del self._uploads[query["uploadId"]]
        if method == "DELETE":
            return 204, b"", {}
        named = [
            int(each.text or 0)
            for each in ElementTree.fromstring(body).iter()
            if each.tag.rpartition("}")[2] == "PartNumber"
        ]
        if named != sorted(parts) or any(len(parts[number]) < _LEAST_PART for number in named[:-1]):
            raise Refusal(400, "EntityTooSmall")
        whole = b"".join(parts[number] for number in named)
        self.objects[key] = Kept(whole, datetime.now(UTC))
        told = f"<CompleteMultipartUploadResult><ETag>&quot;{_etag(whole)}&quot;</ETag></CompleteMultipartUploadResult>"
        return 200, told.encode(), xml

    def _check_signature(
        self, method: str, path: str, query: Mapping[str, str], headers: Mapping[str, str], body: bytes
    ) -> None:
        """Raises ``Refusal`` for a request that is not signed as it came."""
        scheme, _, rest = headers.get("authorization", "").partition(" ")
        given = {name: value for name, _, value in (part.strip().partition("=") for part in rest.split(","))}
        credential = given.get("Credential", "").split("/")
        if scheme != "AWS4-HMAC-SHA256" or len(credential) != 5 or credential[0] != self.key:
            raise Refusal(403, "InvalidAccessKeyId")
        at, hashed = headers.get("x-amz-date", ""), headers.get("x-amz-content-sha256", "")
        sent = datetime.strptime(at, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        if abs(datetime.now(UTC) - sent) > timedelta(minutes=15):
            raise Refusal(403, "RequestTimeTooSkewed")
        if hashed not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
            raise Refusal(400, "XAmzContentSHA256Mismatch")
        if credential[1:] != [at[:8], REGION, "s3", "aws4_request"]:
            raise Refusal(400, "AuthorizationHeaderMalformed")
        signed = given.get("SignedHeaders", "").split(";")
        if not {"host", "x-amz-content-sha256", "x-amz-date"} <= set(signed):
            raise Refusal(403, "AccessDenied")
        lines = (
            method,
            quote(unquote(path), safe="/-_.~"),
            "&".join(
                sorted(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in query.items())
            ),
            *(f"{name}:{' '.join(headers[name].split())}" for name in signed),
            "",
            ";".join(signed),
            hashed,
        )
        request = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        text = "\n".join(("AWS4-HMAC-SHA256", at, "/".join(credential[1:]), request))
        if not hmac.compare_digest(self._signature(credential[1:], text), given.get("Signature", "")):
            raise Refusal(403, "SignatureDoesNotMatch")

    def _signature(self, scope: list[str], text: str) -> str:
        key = f"AWS4{self.secret}".encode()
        for part in (*scope, text):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        return key.hex()


def _etag(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()
